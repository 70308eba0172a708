"""The gateway: off the event loop, the newest question wins, every error comes back as an answer."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from tests.support import fresh_store
from tfmem_tui.core.errors import SessionEnded, StoreBusy
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.tui.answers import Done, Failed, Stale, Why
from tfmem_tui.tui.gateway import Gateway


async def opened(path: Path) -> Gateway:
    gateway = Gateway(lambda: Store.open(path))
    assert isinstance(await gateway.open(), Done)
    return gateway


async def test_a_job_runs_in_another_thread_and_says_how_long_it_took() -> None:
    gateway = Gateway(fresh_store)
    await gateway.open()
    answer = await gateway.read(lambda store: threading.get_ident())
    await gateway.close()

    assert isinstance(answer, Done)
    assert answer.value != threading.get_ident()
    assert answer.milliseconds >= 0


async def test_errors_of_the_core_come_back_by_kind() -> None:
    gateway = Gateway(fresh_store)
    await gateway.open()

    def ended(store: Store) -> None:
        raise SessionEnded("gone")

    def busy(store: Store) -> None:
        raise StoreBusy("wait")

    answers = await asyncio.gather(gateway.read(ended), gateway.write(busy))
    await gateway.close()

    assert answers == [Failed(Why.ENDED, "gone"), Failed(Why.BUSY, "wait")]


async def test_only_the_newest_of_several_searches_is_answered(tmp_path: Path) -> None:
    gateway = await opened(tmp_path / "store.db")
    started, go_on = threading.Event(), threading.Event()

    def first(store: Store) -> str:
        started.set()
        go_on.wait(10)
        return "first"

    running = asyncio.create_task(gateway.search(first))
    await asyncio.to_thread(started.wait, 10)
    waiting = asyncio.create_task(gateway.search(lambda store: "second"))
    await asyncio.sleep(0)
    newest = asyncio.create_task(gateway.search(lambda store: "third"))
    await asyncio.sleep(0)
    go_on.set()
    answers = await asyncio.gather(running, waiting, newest)
    await gateway.close()

    assert [type(answer) for answer in answers] == [Stale, Stale, Done]


async def test_a_newer_search_interrupts_the_statement_of_the_older_one(tmp_path: Path) -> None:
    gateway = await opened(tmp_path / "store.db")
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    started = threading.Event()

    def first(store: Store) -> int:
        with store._context.storage.read() as tx:
            started.set()
            return int(tx.value(endless))

    running = asyncio.create_task(gateway.search(first))
    await asyncio.to_thread(started.wait, 10)
    newest = None
    while not running.done():  # a statement that has only begun may miss an interrupt; the next keystroke sends another
        newest = await asyncio.wait_for(_race(gateway, running), 10)
    await gateway.close()

    assert isinstance(running.result(), Stale)
    assert newest == Done("newest", newest.milliseconds) if isinstance(newest, Done) else newest is None


async def _race(gateway: Gateway, running: asyncio.Task[object]) -> object:
    asking = asyncio.create_task(gateway.search(lambda store: "newest"))
    await asyncio.wait({asking, running}, return_when=asyncio.FIRST_COMPLETED, timeout=0.5)
    return await asking if running.done() else None


async def test_a_store_that_cannot_be_opened_is_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_text("this is no database, and long enough to be looked at " * 40)
    answer = await Gateway(lambda: Store.open(path)).open()

    assert isinstance(answer, Failed)
    assert answer.why is Why.UNAVAILABLE


async def test_a_file_that_is_gone_is_noticed_by_the_poll(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    gateway = await opened(path)
    path.rename(tmp_path / "elsewhere.db")
    answer = await gateway.poll(lambda store: store.agent)
    await gateway.close()

    assert isinstance(answer, Failed)
    assert answer.why is Why.LOST


async def test_after_closing_nothing_is_answered() -> None:
    gateway = Gateway(fresh_store)
    await gateway.open()
    await gateway.close()

    assert isinstance(await gateway.read(lambda store: Level.PUBLIC), Stale)
