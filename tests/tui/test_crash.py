"""An unforeseen fault: the report names types and places and holds no stored text."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.console import Console
from textual.worker import WorkerFailed

from tests.tui.playing import app_over, calm, layered_store
from tfmem_tui.core.store import Store
from tfmem_tui.tui import crash
from tfmem_tui.tui.answers import Failed, Why
from tfmem_tui.tui.app import TfmemApp
from tfmem_tui.tui.gateway import Gateway

SECRET = "the gate code is 4711"


class FaultError(Exception):
    """A fault whose message and locals hold memory text."""


def fault(content: str) -> None:
    memory = content.upper()
    try:
        raise KeyError(memory)
    except KeyError as error:
        raise FaultError(content) from error


async def run_until_it_fails(app: TfmemApp, act: Callable[[], object]) -> None:
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        act()
        await pilot.pause()


async def test_the_report_of_a_crash_holds_no_stored_text(capsys: pytest.CaptureFixture[str]) -> None:
    app = app_over(layered_store())
    with pytest.raises(FaultError):
        await run_until_it_fails(app, lambda: app.call_later(fault, SECRET))
    report = capsys.readouterr().err

    assert app.return_code == crash.EXIT_CODE
    assert "FaultError" in report
    assert "KeyError" in report
    assert "test_crash.py:" in report
    assert "4711" not in report


async def test_the_report_of_a_fault_in_a_worker_holds_no_stored_text(capsys: pytest.CaptureFixture[str]) -> None:
    async def work() -> None:
        fault(SECRET)

    app = app_over(layered_store())
    with pytest.raises(WorkerFailed):
        await run_until_it_fails(app, lambda: app.run_worker(work()))
    report = capsys.readouterr().err

    assert "FaultError" in report
    assert "4711" not in report


async def test_a_fault_inside_a_question_becomes_an_answer_without_its_message() -> None:
    gateway = Gateway(layered_store)
    await gateway.open()

    def job(store: Store) -> None:
        fault(SECRET)

    answer = await gateway.read(job)
    await gateway.close()

    assert isinstance(answer, Failed)
    assert answer.why is Why.FAULT
    assert "FaultError at " in answer.message
    assert "4711" not in answer.message


def test_a_report_is_plain_words() -> None:
    try:
        fault(SECRET)
    except FaultError as error:
        words = crash.report(error)

    console = Console(record=True, width=200)
    console.print(words, markup=False)
    assert "please report" in words.lower()
    assert SECRET.upper() not in words
