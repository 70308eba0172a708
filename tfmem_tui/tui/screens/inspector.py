"""Inspector: one key at every level up to the taint, who wins and why, and every version under its rung."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from tfmem_tui.core.level import Level, readable
from tfmem_tui.core.records import Ladder, MemoryVersion, Status
from tfmem_tui.tui import actions, questions, safe_text
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.clipboard import Copyable
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.questions import Inspected
from tfmem_tui.tui.screens.acts import delete_memory, edit_in_editor, edit_memory
from tfmem_tui.tui.screens.diff import Diff
from tfmem_tui.tui.screens.view import Pane, View
from tfmem_tui.tui.screens.writing import memory_copyable
from tfmem_tui.tui.widgets.detail import DetailPane, level_content
from tfmem_tui.tui.widgets.ladder_list import HIDDEN, LadderList, ladder_rows
from tfmem_tui.tui.widgets.row_list import RowList

NO_KEY = ("No key chosen", "", "Choose a memory with m and press enter.")


@dataclass(frozen=True, slots=True)
class InspectorState:
    """The key that is looked at, and what the acting session may see of it."""

    key: str | None = None
    found: Inspected | None = None


class InspectorView(View):
    """Ladder and versions on one side, the selected version on the other."""

    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.INSPECTOR,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.INSPECTOR)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state = InspectorState()

    def compose(self) -> ComposeResult:
        yield Static(id="inspected", markup=False)
        with Horizontal(classes="panes"):
            with Vertical(classes="pane -front", id="ladder-pane"):
                yield LadderList(id="ladder")
                yield Static(id="why", markup=False)
            with Vertical(classes="pane side", id="version-pane"):
                yield DetailPane(id="version-detail")

    @property
    def ladder(self) -> LadderList:
        """The rows."""
        return self.query_one(LadderList)

    def panes(self) -> list[Pane]:
        return [
            Pane(self.query_one("#ladder-pane"), self.ladder),
            Pane(self.query_one("#version-pane"), self.query_one(DetailPane)),
        ]

    def look_at(self, key: str) -> None:
        self.state = InspectorState(key)

    def selected_key(self) -> str | None:
        return self.state.key

    def path(self) -> Content:
        cursor = setting_of(self).signs.cursor
        key = safe_text.line(self.state.key, 40) if self.state.key is not None else Content("")
        return Content(f"Inspector {cursor} ") + key

    def layer_back(self) -> bool:
        if self.has_class("-zoomed"):
            self.zoom()
            return True
        if not self.query_one("#ladder-pane").display:
            self.show_pane(self.panes()[0])
            return True
        return self.ladder.unmark()

    def forget(self) -> None:
        self.state = replace(self.state, found=None)
        self.ladder.rows = ()
        self.ladder.marked = {}
        self.ladder.note = ()
        self.ladder.row_count = 0
        for name in ("#why", "#inspected"):
            self.query_one(name, Static).update("")
        self.query_one(DetailPane).say()

    def reload(self, *, keep: bool) -> None:
        self.run_worker(self._load(), group="inspector", exclusive=True)

    async def _load(self) -> None:
        acting, key = host(self).acting, self.state.key
        if acting is None or key is None:
            self.ladder.note = NO_KEY
            self.ladder.refresh()
            return
        found = await self.ask(questions.inspect(acting, key))
        if found is None or host(self).acting is not acting or self.state.key != key:
            return
        self.state = InspectorState(key, found)
        self.query_one("#inspected", Static).update(safe_text.line(key, 200).stylize("bold"))
        self.ladder.show(ladder_rows(found.ladder, found.versions))
        self.query_one("#why", Static).update(self._why(found.ladder))
        self.tell_where()

    def _why(self, ladder: Ladder) -> Content:
        setting = setting_of(self)
        if ladder.effective is None:
            return Content.styled("A session at this taint finds nothing under this key.", "$quiet")
        level = level_content(ladder.effective.level, setting)
        lines = [level + Content(" wins: the highest level at or below the taint with a live version.")]
        if ladder.uncovers is not None:
            below = level_content(ladder.uncovers.level, setting)
            lines.append(Content("A delete here would uncover ") + below + Content("."))
        elif ladder.deletable:
            lines.append(Content("A delete here would uncover nothing."))
        else:
            lines.append(Content("Only a session at that level can delete it."))
        return Content("\n").join([*lines, each_gets(ladder, setting)])

    @on(RowList.Moved)
    def _moved(self) -> None:
        row, pane = self.ladder.current, self.query_one(DetailPane)
        if row is None:
            pane.say()
        elif row.version is not None:
            pane.show_version(row.version, f"{row.words}, version {row.number} of this level")
        elif row.status is None:
            pane.say(HIDDEN.capitalize() + ".", "", "Whether or not this level holds the key is not told here.")
        else:
            pane.say("This level has never held the key.")
        self.tell_where()  # what can be compared depends on the row

    @on(RowList.Marked)
    def _marked(self) -> None:
        self.tell_where()

    async def copyable(self) -> Copyable | None:
        row = self.ladder.current
        version = row.version if row is not None else None
        return None if version is None else memory_copyable(version)

    # Comparing.

    def _other(self) -> MemoryVersion | None:
        """What the version under the cursor is compared with: the marked one, else the one before it, else the next."""
        row = self.ladder.current
        if row is None or row.version is None or self.state.found is None:
            return None
        marked = next(iter(self.ladder.marked.values()), None)
        if marked is not None and marked.id != row.version.id:
            return marked  # type: ignore[no-any-return]
        versions = self.state.found.versions  # newest first
        older = versions[self._age(row.version) + 1 :]
        same = [one for one in older if one.level is row.version.level]
        return next(iter([*same, *older, *(one for one in versions if one.id != row.version.id)]), None)

    def _age(self, version: MemoryVersion) -> int:
        """Its place among the versions; the greater, the older."""
        found = self.state.found
        ids = [one.id for one in found.versions] if found is not None else []
        return ids.index(version.id) if version.id in ids else len(ids)

    def action_diff(self) -> None:
        row, other = self.ladder.current, self._other()
        if row is None or row.version is None or other is None:
            return
        pair = sorted((row.version, other), key=self._age, reverse=True)
        self.app.push_screen(Diff(pair[0], pair[1]))

    # Acts.

    def allows(self, predicate: str) -> bool:
        acting, setting = host(self).acting, setting_of(self)
        if predicate == "has_lower":
            return acting is not None and acting.taint > Level.PUBLIC
        if predicate == "has_higher":
            return acting is not None and acting.taint < setting.clearance
        if predicate == "may_edit":
            found = self.state.found
            return found is not None and found.ladder.effective is not None and super().allows("may_write")
        if predicate == "may_diff":
            return self._other() is not None
        if predicate == "may_delete":
            found = self.state.found
            return found is not None and found.ladder.deletable and super().allows("may_write")
        return super().allows(predicate)

    def action_step(self, by: int) -> None:
        acting = host(self).acting
        if acting is not None:
            host(self).action_act_at(acting.taint + by)

    @work(exclusive=True, group="dialog")
    async def action_delete(self) -> None:
        if self.state.key is not None and await delete_memory(self, self.state.key):
            self.reload(keep=True)

    @work(exclusive=True, group="dialog")
    async def action_edit(self) -> None:
        if self.state.key is not None and await edit_memory(self, self.state.key):
            self.reload(keep=True)

    @work(exclusive=True, group="dialog")
    async def action_editor(self) -> None:
        if self.state.key is not None and await edit_in_editor(self, self.state.key):
            self.reload(keep=True)


def each_gets(ladder: Ladder, setting: Setting) -> Content:
    """What a session at each level up to the taint would get for the key."""
    live = {rung.level: rung.version for rung in ladder.rungs if rung.status in (Status.EFFECTIVE, Status.SHADOWED)}
    parts: list[Content] = []
    got: MemoryVersion | None = None
    for level in readable(ladder.taint):
        got = live.get(level) or got
        answer = Content.styled("nothing", "$quiet") if got is None else level_content(got.level, setting)
        parts.append(Content(f"{level.name} ") + Content.styled(f"{setting.signs.arrow} ", "$quiet") + answer)
    return Content.styled("each session gets  ", "$quiet") + Content("   ").join(parts)
