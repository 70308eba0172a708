"""Every action of the registry, by its key as a person presses it: one without a test here fails."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from tests.support import viewer_at
from tests.tui.playing import app_over, calm, keys_shown, layered_store, press, screen_lines, text_of, until
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.tui.actions import REGISTRY
from tfmem_tui.tui.app import TfmemApp
from tfmem_tui.tui.screens.command_line import CommandLine, Palette
from tfmem_tui.tui.screens.compare import Compare
from tfmem_tui.tui.screens.diff import Diff
from tfmem_tui.tui.screens.forms import EditMemory, NewMemory
from tfmem_tui.tui.screens.help import Help
from tfmem_tui.tui.screens.inspector import InspectorView
from tfmem_tui.tui.screens.main import MainScreen
from tfmem_tui.tui.screens.memories import MemoriesView
from tfmem_tui.tui.screens.pick_filter import PickFilter
from tfmem_tui.tui.screens.sessions import SessionList, Sessions
from tfmem_tui.tui.widgets.audit_lists import EventList, TombstoneList
from tfmem_tui.tui.widgets.detail import DetailPane
from tfmem_tui.tui.widgets.memory_table import MemoryTable

Test = Callable[[Path], Awaitable[None]]
PLAYED: dict[str, Test] = {}


def plays(*ids: str) -> Callable[[Test], Test]:
    """Says which actions a test plays."""

    def keep(test: Test) -> Test:
        PLAYED.update(dict.fromkeys(ids, test))
        return test

    return keep


class Play:
    """An app that is being played, and its store."""

    def __init__(self, app: TfmemApp, pilot: Pilot[Any], store: Store) -> None:
        self.app, self.pilot, self.store = app, pilot, store

    async def press(self, *keys: str) -> None:
        await press(self.pilot, *keys)

    @property
    def table(self) -> MemoryTable:
        return self.app.main.query_one(MemoryTable)

    @property
    def keys(self) -> list[str]:
        return keys_shown(self.app)

    @property
    def view(self) -> str | None:
        return self.app.main.view.id

    def notes(self) -> str:
        return "\n".join(note.message for note in self.app._notifications)

    def got(self, key: str, level: Level) -> str | None:
        found = viewer_at(self.store, level).effective(key)
        return None if found is None else found.content

    async def file(self, path: Path) -> None:
        """Gives the dialog that asks for a file its name."""
        self.app.screen.query_one("#file", Input).value = str(path)
        await self.press("enter")


@asynccontextmanager
async def played(level: Level, *keys: str, store: Store | None = None, width: int = 120) -> AsyncIterator[Play]:
    store = store or layered_store()
    app = app_over(store, level)
    async with app.run_test(size=(width, 36)) as pilot:
        await calm(pilot)
        await press(pilot, *keys)
        yield Play(app, pilot, store)


# Everywhere.


@plays("app.memories", "app.inspector", "app.audit", "app.simulator")
async def _views(_: Path) -> None:
    async with played(Level.INTERNAL) as it:
        for key, view in (("i", "inspector"), ("a", "audit"), ("s", "simulator"), ("m", "memories")):
            await it.press(key)
            assert it.view == view


@plays("app.earlier", "app.later")
async def _history(_: Path) -> None:
    async with played(Level.INTERNAL, "a", "s") as it:
        await it.press("left_square_bracket")
        assert it.view == "audit"
        await it.press("right_square_bracket")
        assert it.view == "simulator"


@plays("app.act1", "app.act2", "app.act3", "app.act4")
async def _levels(_: Path) -> None:
    async with played(Level.INTERNAL) as it:
        for rank in (4, 1, 3, 2):
            await it.press(str(rank))
            assert it.app.acting.taint == rank


@plays("app.sessions", "sessions.act")
async def _sessions(_: Path) -> None:
    async with played(Level.PUBLIC, "t") as it:
        assert isinstance(it.app.screen, Sessions)
        rows = it.app.screen.query_one(SessionList)
        rows.cursor = next(at for at, one in enumerate(rows.sessions) if one.label == "desk")
        await it.press("enter")
        assert it.app.acting.name == "desk"
        assert it.app.acting.taint is Level.INTERNAL


@plays("sessions.new")
async def _start(_: Path) -> None:
    async with played(Level.PUBLIC, "t", "n", "j", "enter") as it:
        started = it.store.operator().sessions()
        assert any(one.taint is Level.INTERNAL and one.kind == "agent" and one.label is None for one in started)


@plays("sessions.raise")
async def _raise(_: Path) -> None:
    async with played(Level.PUBLIC, "t") as it:
        rows = it.app.screen.query_one(SessionList)
        rows.cursor = next(at for at, one in enumerate(rows.sessions) if one.label == "chat")
        await it.press("R", "j", "enter")
        assert it.store.operator().labelled("chat").taint is Level.PUBLIC  # it asks first
        await it.press("tab", "enter")
        assert it.store.operator().labelled("chat").taint is Level.CONFIDENTIAL


@plays("sessions.reset")
async def _reset(_: Path) -> None:
    async with played(Level.PUBLIC, "t") as it:
        rows = it.app.screen.query_one(SessionList)
        before = it.store.operator().labelled("desk").id
        rows.cursor = next(at for at, one in enumerate(rows.sessions) if one.label == "desk")
        await it.press("0", "tab", "enter")
        fresh = it.store.operator().labelled("desk")
        assert (fresh.taint, fresh.id != before) == (Level.PUBLIC, True)


@plays("app.command")
async def _command(_: Path) -> None:
    async with played(Level.INTERNAL, "colon") as it:
        assert isinstance(it.app.screen, CommandLine)
        await it.press(*"filt", "tab")
        assert it.app.screen.query_one(Input).value == "filter "
        await it.press(*"staff", "enter")
        assert it.keys == ["user-name"]
        await it.press("colon", *"inspector parking", "enter")
        assert (it.view, it.app.main.view.selected_key()) == ("inspector", "parking")
        await it.press("colon", *"audit", "enter")
        assert it.view == "audit"


@plays("app.palette")
async def _palette(_: Path) -> None:
    async with played(Level.INTERNAL, "ctrl+p") as it:
        assert isinstance(it.app.screen, Palette)
        await it.press(*"event log", "enter")
        assert it.view == "audit"


@plays("app.help")
async def _help(_: Path) -> None:
    async with played(Level.INTERNAL, "question_mark") as it:
        assert isinstance(it.app.screen, Help)
        await it.press(*"uncovers")
        shown = text_of(it.app, "#keys")
        assert "delete" in shown
        assert "palette" not in shown
        await it.press("escape")
        assert isinstance(it.app.screen, Help)  # what was typed went first
        await it.press("escape")
        assert isinstance(it.app.screen, MainScreen)


@plays("app.copy", "app.copy_json", "app.copy_key")
async def _copy(_: Path) -> None:
    async with played(Level.INTERNAL, "slash", *"operations", "enter") as it:
        sent: list[str] = []
        it.app.send_to_terminal = sent.append
        await it.press("y")
        await until(it.pilot, lambda: len(sent) == 1)
        await it.press("K")
        await until(it.pilot, lambda: len(sent) == 2)
        await it.press("Y")
        await until(it.pilot, lambda: len(sent) == 3)
        texts = [_clipped(one) for one in sent]
        assert texts[:2] == ["Mara Quill, head of operations", "user-name"]
        assert json.loads(texts[2])["level"] == "INTERNAL"
        assert "copied the content (◔ INTERNAL)" in it.notes()


def _clipped(sequence: str) -> str:
    import base64

    assert sequence.startswith("\x1b]52;c;")
    return base64.b64decode(sequence[7:-1]).decode()


@plays("app.import")
async def _import(tmp: Path) -> None:
    lines = tmp / "in.md"
    lines.write_text("High at noon")
    path = tmp / "store.db"
    Store.open(path, agent="demo", create=True).close()
    async with played(Level.INTERNAL, store=Store.open(path, agent="demo")) as it:
        await it.press("colon", *"import", "enter")
        await it.file(lines)
        await until(it.pilot, lambda: "memories: 1" in it.notes())
        await until(it.pilot, lambda: len(it.keys) == 1)
        assert it.table.row(0).memory.level is Level.INTERNAL


@plays("app.theme")
async def _theme(_: Path) -> None:
    async with played(Level.INTERNAL) as it:
        await it.press("colon", *"theme high-contrast", "enter")
        assert it.app.theme == "high-contrast"
        await it.press("colon", *"theme", "enter")
        assert it.app.theme == "colour-blind"
        await it.press("colon", *"theme mauve", "enter")
        assert it.app.theme == "colour-blind"


@plays("app.next_pane", "app.zoom")
async def _panes(_: Path) -> None:
    async with played(Level.INTERNAL, "tab") as it:
        assert isinstance(it.app.focused, DetailPane)
        await it.press("z")
        assert not it.table.region
        await it.press("z")
        assert it.table.region


@plays("app.back", "app.quit")
async def _back(_: Path) -> None:
    async with played(Level.INTERNAL, "a", "s") as it:
        await it.press("escape")
        assert it.view == "audit"
        await it.press("q")
        assert it.view == "memories"
        await it.press("escape")
        assert it.app.is_running
        await it.pilot.press("q")
        assert it.app.return_value == 0


# Lists.


@plays("lists.down", "lists.up", "lists.first", "lists.last", "lists.pageup", "lists.pagedown")
async def _moves(_: Path) -> None:
    async with played(Level.RESTRICTED) as it:
        for key, row in (("j", 1), ("G", 3), ("k", 2), ("g", 0), ("pagedown", 3), ("pageup", 0), ("down", 1)):
            await it.press(key)
            assert it.table.cursor == row


@plays("lists.inspect")
async def _inspect(_: Path) -> None:
    async with played(Level.INTERNAL, "slash", *"operations", "enter", "enter") as it:
        assert (it.view, it.app.main.view.selected_key()) == ("inspector", "user-name")
        await it.press("escape")
        assert (it.view, it.app.main.view.selected_key()) == ("memories", "user-name")


@plays("lists.mark", "lists.range")
async def _mark(_: Path) -> None:
    async with played(Level.RESTRICTED, "space") as it:
        assert set(it.table.marked) == {it.keys[0]}
        assert it.table.cursor == 1
        await it.press("k", "space")
        assert not it.table.marked
        await it.press("g", "V", "j", "j", "V")
        assert set(it.table.marked) == set(it.keys[:3])
        assert "3 marked" in text_of(it.app, "#count")
        await it.press("escape")
        assert not it.table.marked
        assert len(it.keys) == 4


@plays("lists.write")
async def _write(tmp: Path) -> None:
    async with played(Level.INTERNAL, "less_than_sign", "less_than_sign", "less_than_sign", "o", "space", "w") as it:
        await it.file(tmp / "out.txt")
        assert "must end in" in text_of(it.app, "#problem")
        await it.file(tmp / "out.jsonl")
        await until(it.pilot, lambda: "1 written" in it.notes())
        rows = [json.loads(line) for line in (tmp / "out.jsonl").read_text().splitlines()]
        assert [row.get("key") for row in rows] == [None, "deploy-window"]
        assert (tmp / "out.jsonl").stat().st_mode & 0o777 == 0o600
        await it.press("escape", "slash", *"mara", "enter", "colon", *f"write {tmp}/found.yaml", "enter")
        await until(it.pilot, lambda: (tmp / "found.yaml").exists())
        text = (tmp / "found.yaml").read_text()
        assert "head of operations" in text
        assert "promotion" not in text
        await it.press("w")
        await it.file(tmp / "found.yaml")
        assert "exists already" in text_of(it.app, "#problem")


# Memories.


@plays("memories.find")
async def _find(_: Path) -> None:
    async with played(Level.INTERNAL, "slash", *"free") as it:
        assert set(it.keys) == {"deploy-window", "parking"}
        await it.press("escape", "escape", "colon", *"find quay", "enter")
        await until(it.pilot, lambda: it.keys == ["parking"])


@plays("memories.filter", "memories.unfilter", "memories.clear")
async def _filters(_: Path) -> None:
    async with played(Level.CONFIDENTIAL, "f") as it:
        assert isinstance(it.app.screen, PickFilter)
        await it.press(*"service", "enter")
        assert it.keys == ["parking"]
        await it.press("f", *"level:internal", "enter")
        assert it.keys == []
        assert text_of(it.app, "#chips") == "[tag: service ×] [level: INTERNAL ×]"
        await it.press("x")
        assert it.keys == ["parking"]
        await it.press("f", *"before:2020-01-01", "enter", "X")
        assert len(it.keys) == 3
        await it.press("f", *"since:never", "enter")
        assert "expected a time" in text_of(it.app, "#problem")
        await it.press("escape", "escape")
        before = it.store.operator().labelled("desk").id
        await it.press("colon", *f"filter session:{before}", "enter")
        assert set(it.keys) == {"deploy-window"}


@plays("memories.left", "memories.right", "memories.sort")
async def _sort(_: Path) -> None:
    async with played(Level.RESTRICTED, "less_than_sign", "less_than_sign", "greater_than_sign", "o") as it:
        tags = [it.table.row(at).tags for at in range(4)]
        assert tags == ["board", "project", "service", ""]
        await it.press("o")
        assert [it.table.row(at).tags for at in range(4)] == tags[::-1]


@plays("memories.new", "text.leave")
async def _new(_: Path) -> None:
    async with played(Level.INTERNAL, "n", *"tide", "enter") as it:
        await it.press(*"noon")
        await it.press("escape")
        assert not isinstance(it.app.screen, NewMemory)  # it asks: what was typed would be lost
        await it.press("escape")
        assert isinstance(it.app.screen, NewMemory)
        await it.press("tab", "enter")
        assert it.got("tide", Level.INTERNAL) == "noon"
        assert it.got("tide", Level.PUBLIC) is None
        await it.press("slash", *"xy", "escape")
        assert isinstance(it.app.focused, MemoryTable)


@plays("memories.edit")
async def _edit(_: Path) -> None:
    async with played(Level.CONFIDENTIAL, "slash", *"quay", "enter", "e") as it:
        assert isinstance(it.app.screen, EditMemory)
        area = it.app.screen.query_one(TextArea)
        assert area.text == "Quay 2 is free on Sundays"
        area.text = "Quay 3 is free"
        await it.press("tab", "enter")
        assert it.got("parking", Level.CONFIDENTIAL) == "Quay 3 is free"  # at its own level
        assert it.got("parking", Level.INTERNAL) == "Quay 2 is free on Sundays"
        found = viewer_at(it.store, Level.CONFIDENTIAL).effective("parking")
        assert found is not None
        assert found.tags == ("service",)


@plays("memories.editor", "inspector.editor")
async def _editor(_: Path) -> None:
    async with played(Level.INTERNAL, "E") as it:  # this pretended terminal cannot stand aside; a real one is tested
        assert "cannot lend itself to an editor" in it.notes()
        await it.press("enter", "E")
        assert it.notes().count("cannot lend itself") == 2


@plays("memories.delete")
async def _delete(_: Path) -> None:
    async with played(Level.INTERNAL, "slash", *"operations", "enter", "d") as it:
        assert "uncovers" in text_of(it.app, ".words")
        await it.press("tab", "enter")
        assert it.got("user-name", Level.INTERNAL) == "Mara"
        await it.press("escape", "g", "V", "G", "V", "d", "tab", "enter")
        await until(it.pilot, lambda: "deleted: 1" in it.notes())
        assert it.got("deploy-window", Level.INTERNAL) is None
        assert it.got("parking", Level.INTERNAL) == "Quay 2 is free on Sundays"  # of a lower level (G4)
        assert "2 not deleted" in it.notes()


@plays("memories.tag")
async def _tag(_: Path) -> None:
    async with played(Level.INTERNAL, "V", "G", "V", "T", *"harbour, -project", "enter") as it:
        await until(it.pilot, lambda: "tagged: 3" in it.notes())
        viewer = viewer_at(it.store, Level.INTERNAL)
        assert {one.tag: one.count for one in viewer.tags()}["harbour"] == 3
        assert viewer.effective("deploy-window").tags == ("harbour",)
        assert it.got("parking", Level.INTERNAL) == "Quay 2 is free on Sundays"


# Inspector.


@plays("inspector.lower", "inspector.higher")
async def _steps(_: Path) -> None:
    async with played(Level.INTERNAL, "slash", *"operations", "enter", "enter", "l") as it:
        assert it.app.acting.taint is Level.CONFIDENTIAL
        assert "promotion" in "\n".join(screen_lines(it.app))
        await it.press("h", "h")
        assert it.app.acting.taint is Level.PUBLIC
        assert "operations" not in "\n".join(screen_lines(it.app))


@plays("inspector.diff")
async def _diff(_: Path) -> None:
    async with played(Level.INTERNAL, "slash", *"freeze", "enter", "enter", "v", width=80) as it:
        assert isinstance(it.app.screen, Diff)
        assert "Tuesdays 14:00{+ UTC, freeze in December+}" in text_of(it.app, ".unified")
        await it.press("escape")
        assert it.view == "inspector"
    async with played(Level.CONFIDENTIAL, "slash", *"promotion", "enter", "enter") as it:
        ladder = it.app.query_one(InspectorView).ladder
        at = next(at for at, row in enumerate(ladder.rows) if row.level is Level.PUBLIC)
        ladder.cursor = at
        await it.press("space")
        ladder.cursor = next(at for at, row in enumerate(ladder.rows) if row.level is Level.CONFIDENTIAL)
        await it.press("v")
        assert "Mara{+ Quill, up for promotion+}" in text_of(it.app, ".sides")


@plays("inspector.edit")
async def _inspector_edit(_: Path) -> None:
    async with played(Level.INTERNAL, "slash", *"freeze", "enter", "enter", "e") as it:
        it.app.screen.query_one(TextArea).text = "Wednesdays"
        await it.press("tab", "enter")
        assert it.got("deploy-window", Level.INTERNAL) == "Wednesdays"


@plays("inspector.delete")
async def _inspector_delete(_: Path) -> None:
    async with played(Level.INTERNAL, "slash", *"freeze", "enter", "enter", "d", "tab", "enter") as it:
        assert it.got("deploy-window", Level.INTERNAL) is None


# Audit.


@plays("audit.other")
async def _lists(_: Path) -> None:
    async with played(Level.INTERNAL, "a", "tab") as it:
        assert it.app.query_one(EventList).region
        await it.press("tab")
        shown = text_of(it.app, "#pictures")
        assert "EVENTS OVER TIME" in shown
        assert "◔ INTERNAL" in shown
        assert "CONFIDENTIAL" not in shown
        assert "memory_save" in text_of(it.app, "#record-detail")
        await it.press("tab")
        assert it.app.query_one(TombstoneList).region


@plays("audit.restore")
async def _restore(_: Path) -> None:
    async with played(Level.CONFIDENTIAL, "a", "u", "tab", "enter") as it:
        assert it.got("parking", Level.CONFIDENTIAL) == "The gate code is 4711"
        assert it.app.query_one(TombstoneList).row_count == 1  # the tombstone stays (G5)


@plays("audit.purge")
async def _purge(_: Path) -> None:
    async with played(Level.CONFIDENTIAL, "a", "p", "enter") as it:
        assert "nothing has ended so long ago" in it.notes()
        await it.press("space", "p")
        assert "1 deleted" in text_of(it.app, ".words")
        await it.press(*"yes", "enter")
        assert it.app.query_one(TombstoneList).row_count == 1
        await it.press("p", *"purge", "enter")
        await until(it.pilot, lambda: it.app.query_one(TombstoneList).row_count == 0)
        assert viewer_at(it.store, Level.CONFIDENTIAL).tombstones() == ()


@plays("audit.diff")
async def _audit_diff(_: Path) -> None:
    async with played(Level.CONFIDENTIAL, "a", "v") as it:
        assert isinstance(it.app.screen, Diff)
        shown = text_of(it.app, ".sides")
        assert "Quay" in shown
        assert "gate code" in shown


@plays("audit.filter", "audit.unfilter", "audit.clear")
async def _event_filters(tmp: Path) -> None:
    async with played(Level.CONFIDENTIAL, "a", "tab", "f", *"delete", "enter") as it:
        events = it.app.query_one(EventList)
        await until(it.pilot, lambda: events.row_count == 1)
        assert text_of(it.app, "#audit-chips") == "[action: memory_delete ×]"
        await it.press("w")
        await it.file(tmp / "events.csv")
        await until(it.pilot, lambda: (tmp / "events.csv").exists())
        lines = (tmp / "events.csv").read_text().splitlines()
        assert lines[0].startswith("level,seq,at,session")
        assert len(lines) == 2
        await it.press("x")
        await until(it.pilot, lambda: events.row_count > 5)
        await it.press("f", *"level:public", "enter", "f", *"outcome:refused", "enter", "X")
        await until(it.pilot, lambda: events.row_count > 5)
        await it.press("tab", "tab", "f", *"key:nothing", "enter")
        assert it.app.query_one(TombstoneList).row_count == 0


@plays("audit.check")
async def _check(_: Path) -> None:
    async with played(Level.INTERNAL, "a", "c") as it:
        assert "○ PUBLIC ✓" in text_of(it.app, "#chains")


# Simulator.


@plays("simulator.call", "simulator.compare", "simulator.fresh")
async def _simulate(_: Path) -> None:
    async with played(Level.INTERNAL, "s", "j") as it:
        it.app.query_one("#field-key", Input).value = "user-name"
        await it.press("enter")
        assert "head of operations" in text_of(it.app, "#answer")
        await it.press("c")
        assert isinstance(it.app.screen, Compare)
        await it.press("escape", "R")
        assert "fresh copy" in text_of(it.app, "#answer")


@plays("simulator.write", "simulator.open", "play.next", "play.rest")
async def _scenario(tmp: Path) -> None:
    async with played(Level.INTERNAL, "s", "j") as it:
        it.app.query_one("#field-key", Input).value = "user-name"
        await it.press("enter", "enter", "enter", "w")
        await it.file(tmp / "three.yaml")
        assert (tmp / "three.yaml").exists()
        await it.press("colon", *f"open {tmp}/three.yaml", "enter")
        await it.press("n")
        assert "1 of 3 played" in text_of(it.app, "#verdict")
        await it.press("r")
        assert "3 of 3 played" in text_of(it.app, "#verdict")
        assert "3 failed" in text_of(it.app, "#verdict")  # on an empty store the memory is not found


@plays("simulator.live")
async def _live(_: Path) -> None:
    async with played(Level.INTERNAL, "s", "L", "tab", "enter") as it:
        assert "LIVE STORE" in text_of(it.app, "#snapshot")


@plays("choice.take")
async def _take(_: Path) -> None:
    async with played(Level.INTERNAL, "f", "down", "enter") as it:
        assert len(it.app.query_one(MemoriesView).chips) == 1


@pytest.mark.parametrize("test", dict.fromkeys(PLAYED.values()), ids=lambda test: test.__name__.strip("_"))
async def test_it_does_what_its_key_says(test: Test, tmp_path: Path) -> None:
    await test(tmp_path)


def test_every_action_of_the_registry_is_played_by_a_test_here() -> None:
    assert set(PLAYED) == {action.id for action in REGISTRY}
