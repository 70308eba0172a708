"""Pictures of every view and of the main states at 120x36 and 80x24; run with ``--snapshot-update`` after a change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.support import fresh_store
from tests.tui.playing import app_over, calm, layered_store, press, until
from tfmem_tui.core.errors import StoreTooNew
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.tui.widgets.memory_table import MemoryTable

SIZES = [(120, 36), (80, 24)]
Snapshot = Callable[..., bool]

PLACES: dict[str, list[str]] = {
    "memories": ["j"],
    "search": ["slash", *"free", "enter"],
    "no_match": ["slash", *"nothing", "escape"],
    "ordered_by_key": ["less_than_sign", "less_than_sign", "less_than_sign", "o"],
    "filter": ["f"],
    "new": ["n"],
    "detail": ["slash", *"promotion", "enter", "tab"],
    "delete": ["slash", *"promotion", "enter", "d"],
    "inspector": ["slash", *"promotion", "enter", "enter"],
    "audit_deleted": ["a"],
    "audit_events": ["a", "tab", "c"],
    "simulator": ["s", "j", "enter"],
    "sessions": ["t"],
    "help": ["question_mark"],
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("place", PLACES)
def test_the_picture_of(place: str, size: tuple[int, int], snap_compare: Snapshot) -> None:
    async def go_there(pilot: Pilot[Any]) -> None:
        await calm(pilot)
        for key in PLACES[place]:
            await press(pilot, key)

    app = app_over(layered_store(), Level.CONFIDENTIAL)

    assert snap_compare(app, terminal_size=size, run_before=go_there)


@pytest.mark.parametrize("options", [{"ascii_only": True}, {"theme": "light"}], ids=["ascii", "light"])
def test_the_picture_with(options: dict[str, Any], snap_compare: Snapshot) -> None:
    app = app_over(layered_store(), Level.RESTRICTED, **options)

    assert snap_compare(app, terminal_size=(120, 36), run_before=calm)


def test_the_picture_without_colours(snap_compare: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_over(layered_store(), Level.RESTRICTED)

    assert snap_compare(app, terminal_size=(120, 36), run_before=calm)


@pytest.mark.parametrize("size", [(59, 24), (80, 17)], ids=["narrow", "flat"])
def test_the_picture_of_too_small_a_window(size: tuple[int, int], snap_compare: Snapshot) -> None:
    assert snap_compare(app_over(layered_store(), Level.INTERNAL), terminal_size=size, run_before=calm)


def test_the_picture_of_an_empty_store(snap_compare: Snapshot) -> None:
    assert snap_compare(app_over(fresh_store()), terminal_size=(80, 24), run_before=calm)


def test_the_picture_of_a_store_of_a_newer_program(snap_compare: Snapshot) -> None:
    def newer() -> Store:
        raise StoreTooNew("this store was written by a newer tfmem; it was left untouched; please upgrade tfmem")

    app = app_over(newer)

    async def said(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: [table for table in app.screen.query(MemoryTable) if table.note])
        await pilot.pause()

    assert snap_compare(app, terminal_size=(80, 24), run_before=said)
