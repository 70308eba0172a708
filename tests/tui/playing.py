"""What the screen's tests share: small stores to look at, the app over one, and waiting until it has settled."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Input, Static, TextArea

from tests.support import START, fresh_store, session_at
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.tui.app import TfmemApp
from tfmem_tui.tui.gateway import OpenStore
from tfmem_tui.tui.widgets.memory_table import MemoryTable

PATIENCE_SECONDS = 20
CALM_CHECKS = 4
ASKING = ("dialog", "act")  # workers that wait for a person's answer


def layered_store() -> Store:
    """One key at three levels, one deleted, one with tags, one of each level by itself."""
    store = fresh_store()
    public, internal = session_at(store, Level.PUBLIC, "chat"), session_at(store, Level.INTERNAL, "desk")
    confidential, restricted = session_at(store, Level.CONFIDENTIAL), session_at(store, Level.RESTRICTED)
    public.save("user-name", "Mara", ["persona"])
    internal.save("user-name", "Mara Quill, head of operations", ["persona", "staff"])
    confidential.save("user-name", "Mara Quill, up for promotion", ["staff"])
    restricted.save("user-name", "Mara Quill, under investigation")
    public.save("parking", "Quay 2 is free on Sundays", ["service"])
    confidential.save("parking", "The gate code is 4711", ["service"])
    confidential.delete("parking")
    internal.save("deploy-window", "Tuesdays 14:00", ["project"])
    internal.save("deploy-window", "Tuesdays 14:00 UTC, freeze in December", ["project"])
    restricted.save("merger", "Signed on Friday", ["board"])
    return store


def app_over(store: Store | OpenStore, level: Level = Level.PUBLIC, **options: Any) -> TfmemApp:
    """The app over a store, at a time that stands still, showing no measured times. It closes the store at its end."""
    open_store = (lambda: store) if isinstance(store, Store) else store
    return TfmemApp(open_store, agent="demo", level=level, now=lambda: START, timings=False, **options)


async def until(pilot: Pilot[Any], holds: Callable[[], object]) -> None:
    """Waits until something holds; fails when it does not come to that."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it never came to that"
        await pilot.pause(0.01)


async def calm(pilot: Pilot[Any]) -> None:
    """Waits until the app has a session, its table its rows, and nothing runs or is about to."""
    app = pilot.app
    assert isinstance(app, TfmemApp)
    checks = 0

    def settled() -> bool:
        nonlocal checks
        running = any(one.is_running and one.group not in ASKING for one in app.workers)
        quiet = app.acting is not None and not app.busy_with_timers and not running
        checks = checks + 1 if quiet else 0
        return checks >= CALM_CHECKS

    await until(pilot, settled)
    for field in app.screen.query("Input, TextArea"):
        if isinstance(field, Input | TextArea):
            field.cursor_blink = False
    await pilot.pause()


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Presses keys and waits until what they set off is done."""
    await pilot.press(*keys)
    await calm(pilot)


def keys_shown(app: TfmemApp) -> list[str]:
    """The keys in the memory table, first to last."""
    table = app.screen_stack[0].query_one(MemoryTable)
    rows = [table.row(index) for index in range(table.row_count)]
    return [row.memory.key for row in rows if row is not None]


def text_of(app: TfmemApp, selector: str) -> str:
    """The text that a static widget, or those inside a pane, show."""
    found = app.screen.query_one(selector)
    statics = [found] if isinstance(found, Static) else found.query(Static).results(Static)
    return "\n".join(str(static.render()) for static in statics if static.display)


def screen_lines(app: TfmemApp) -> list[str]:
    """What stands on the screen, line by line, as it is about to be written."""
    height = app.size.height
    return ["".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips()][:height]
