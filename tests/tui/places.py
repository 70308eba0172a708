"""Where the pictures are taken: every view, dialog and state of the screen, and how one gets there."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input

from tests.support import CountingEntropy, HandClock, fresh_store
from tests.tui.playing import app_over, calm, layered_store, press, until
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.tui.acting import Health
from tfmem_tui.tui.answers import Failed, Why
from tfmem_tui.tui.app import TfmemApp
from tfmem_tui.tui.gateway import OpenStore
from tfmem_tui.tui.widgets.memory_table import MemoryTable

SIZES = [(120, 36), (80, 24), (60, 18)]
Then = Callable[[Pilot[Any], TfmemApp], Awaitable[None]]


@dataclass(frozen=True)
class Place:
    """A store, the keys that lead to the place, and what else must happen there."""

    keys: tuple[str, ...] = ()
    store: Callable[[Path], Store | OpenStore] = lambda _: layered_store()
    level: Level = Level.CONFIDENTIAL
    then: Then | None = None
    opens: bool = True  # whether the store can be opened
    options: tuple[tuple[str, Any], ...] = ()

    def app(self, folder: Path, **options: Any) -> TfmemApp:
        """The app that will go there."""
        return app_over(self.store(folder), self.level, **dict(self.options), **options)

    async def go(self, pilot: Pilot[Any]) -> None:
        """Goes there."""
        app = pilot.app
        assert isinstance(app, TfmemApp)
        if not self.opens:
            await until(pilot, lambda: [table for table in app.screen.query(MemoryTable) if table.note])
            await pilot.pause()
            return
        await calm(pilot)
        for key in self.keys:
            await press(pilot, key)
        if self.then is not None:
            await self.then(pilot, app)
        for field in app.screen.query(Input):
            field.cursor_blink = False
        app.clear_notifications()
        await pilot.pause()


def _file_store(folder: Path) -> Store:
    clock, entropy = HandClock(), CountingEntropy()
    with Store.open(folder / "store.db", agent="demo", create=True, clock=clock, entropy=entropy) as store:
        store.memories(store.operator().start(Level.PUBLIC, label="chat")).save("parking", "Quay 2", ["service"])
    return Store.open(folder / "store.db", agent="demo", clock=clock, entropy=entropy)


def _read_only(folder: Path) -> Store:
    _file_store(folder).close()
    return Store.open(folder / "store.db", agent="demo", clock=HandClock(), read_only=True)


def _garbage(folder: Path) -> OpenStore:
    path = folder / "garbage.db"
    path.write_bytes(b"this is no database " * 400)
    return lambda: Store.open(path, agent="demo")


def _newer(folder: Path) -> OpenStore:
    from tests.tui.newer import make_newer

    path = make_newer(folder / "newer.db")
    return lambda: Store.open(path, agent="demo")


async def _lose(pilot: Pilot[Any], app: TfmemApp) -> None:
    store = app.gateway._reads.store
    assert store is not None
    assert store.path is not None
    for file in store.path.parent.glob("store.db*"):
        file.unlink()
    await until(pilot, lambda: app.health is Health.LOST)


async def _end(pilot: Pilot[Any], app: TfmemApp) -> None:
    store = app.gateway._reads.store
    assert store is not None
    assert app.acting_id is not None
    store.operator().reset(app.acting_id)
    await until(pilot, lambda: app.health is Health.ENDED)


async def _busy(pilot: Pilot[Any], app: TfmemApp) -> None:
    app._polling = True  # else the next look at the store would find it well again
    app.fail(Failed(Why.BUSY, "another process is writing; nothing was saved, try again"))
    app.health = Health.BUSY


async def _slow(pilot: Pilot[Any], app: TfmemApp) -> None:
    """A search that waits for its turn: the old rows stay, dimmed, and a spinner turns."""
    blocked = threading.Event()
    app.run_worker(app.gateway.search(lambda _: blocked.wait(20)), group="dialog")
    await pilot.pause()
    await pilot.press("slash", *"quay")
    table = app.query_one(MemoryTable)
    await until(pilot, lambda: table.old and table.spinner)
    blocked.set()
    table._asked += 1  # the answer comes too late for the picture
    await until(pilot, lambda: app.query_one("#count").render() is not None)


async def _form(pilot: Pilot[Any], app: TfmemApp) -> None:
    app.query_one("#field-key", Input).value = "user-name"
    await press(pilot, "enter")


async def _compared(pilot: Pilot[Any], app: TfmemApp) -> None:
    app.query_one("#field-key", Input).value = "user-name"
    await press(pilot, "c")


async def _played(pilot: Pilot[Any], app: TfmemApp) -> None:
    scenario = Path(__file__).parents[2] / "tfmem_tui" / "simulate" / "scenarios"
    app.screen.query_one("#file", Input).value = str(sorted(scenario.glob("*.yaml"))[0])
    await press(pilot, "enter", "n", "n", "n")


PLACES: dict[str, Place] = {
    "memories": Place(("j",)),
    "marked": Place(("space", "space")),
    "search": Place(("slash", *"free", "enter")),
    "no_match": Place(("slash", *"nothing", "escape")),
    "ordered_by_key": Place(("less_than_sign",) * 3 + ("o",)),
    "filter": Place(("f",)),
    "filtered": Place(("f", *"service", "enter", "f", *"since:2020-01-01", "enter")),
    "detail": Place(("slash", *"promotion", "enter", "tab")),
    "new": Place(("n",)),
    "edit": Place(("slash", *"promotion", "enter", "e")),
    "tag": Place(("space", "T")),
    "delete": Place(("slash", *"promotion", "enter", "d")),
    "write_out": Place(("w",)),
    "inspector": Place(("slash", *"promotion", "enter", "enter")),
    "no_key": Place(("i",), lambda _: fresh_store()),
    "diff": Place(("slash", *"freeze", "enter", "enter", "v"), level=Level.INTERNAL),
    "audit_deleted": Place(("a",)),
    "audit_events": Place(("a", "tab", "c")),
    "audit_pictures": Place(("a", "tab", "tab")),
    "audit_filter": Place(("a", "tab", "f")),
    "restore": Place(("a", "u")),
    "purge": Place(("a", "space", "p")),
    "simulator": Place(("s", "j"), then=_form),
    "compare": Place(("s", "j"), then=_compared),
    "play": Place(("s", "O"), then=_played),
    "live_store": Place(("s", "L", "tab", "enter")),
    "sessions": Place(("t",)),
    "raise": Place(("t", "R")),
    "help": Place(("question_mark",)),
    "palette": Place(("ctrl+p",)),
    "command": Place(("colon", *"fi")),
    # States.
    "empty": Place(store=lambda _: fresh_store(), level=Level.PUBLIC),
    "loading": Place(then=_slow),
    "busy": Place(then=_busy),
    "corrupt": Place(store=_garbage, opens=False),
    "newer_store": Place(store=_newer, opens=False),
    "read_only": Place(store=_read_only, level=Level.PUBLIC),
    "lost_file": Place(store=_file_store, level=Level.PUBLIC, then=_lose),
    "ended_elsewhere": Place(then=_end),
}
