"""The sessions of the store: act as one, start, raise or reset one. Raising and resetting ask first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import on, work
from textual.app import ComposeResult
from textual.content import Content

from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.tui import actions, questions
from tfmem_tui.tui.acting import Acting
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.answers import Done, Failed
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.questions import Job
from tfmem_tui.tui.screens.dialog import Dialog, Question, quoted
from tfmem_tui.tui.screens.pick_level import PickLevel
from tfmem_tui.tui.times import ago
from tfmem_tui.tui.widgets.detail import level_content
from tfmem_tui.tui.widgets.row_list import Cells, RowList

if TYPE_CHECKING:
    from tfmem_tui.core.acting import AgentSession

LEVEL, KIND, AGE, IDENT = 15, 10, 10, 22


class SessionList(RowList):
    """Sessions, newest first; the acting one is marked."""

    def __init__(self) -> None:
        super().__init__(id="sessions")
        self.sessions: Sequence[AgentSession] = ()

    @property
    def current(self) -> AgentSession | None:
        """The session under the cursor."""
        return self.sessions[self.cursor] if self.sessions else None

    def show(self, sessions: Sequence[AgentSession]) -> None:
        """Shows the sessions; the cursor stays on its own."""
        stood = self.current.id if self.current is not None else host(self).acting_id
        self.sessions = sessions
        self.note = ("No sessions", "", "n starts one.")
        self.set_reactive(RowList.row_count, len(sessions))
        self.fit()
        self.cursor = next((at for at, one in enumerate(sessions) if one.id == stood), 0)
        self.refresh()

    def _label(self, width: int) -> int:
        return max(10, width - 2 - LEVEL - KIND - AGE - IDENT)

    def draw_header(self, width: int) -> Cells:
        """Titles."""
        label = self._label(width)
        return [Segment(f"  {'TAINT':<{LEVEL}}{'LABEL':<{label}}{'KIND':<{KIND}}{'AGE':<{AGE}}{'ID':<{IDENT}}")]

    def draw_row(self, index: int, width: int) -> Cells | None:
        """A session."""
        one, quiet = self.sessions[index], self.style_of("row--quiet")
        ours = one.id == host(self).acting_id
        return [
            *self.level(one.taint, LEVEL),
            *self.text(one.label or "", self._label(width) - 1, Style(bold=ours)),
            Segment(" "),
            *self.text(one.kind, KIND, quiet),
            *self.text(ago(one.started_at, setting_of(self).now()), AGE, quiet),
            *self.text(one.id, IDENT, quiet),
        ]


class Sessions(Dialog[None]):
    """The switcher that ``t`` opens."""

    title_text = "Sessions"
    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.SESSIONS,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.SESSIONS)

    def inside(self) -> ComposeResult:
        yield SessionList()

    @property
    def rows(self) -> SessionList:
        """The list."""
        return self.query_one(SessionList)

    def on_mount(self) -> None:
        self.rows.focus()
        self.run_worker(self._load(), group="sessions", exclusive=True)

    async def _load(self) -> None:
        answer = await host(self).gateway.read(questions.sessions(setting_of(self)))
        if isinstance(answer, Done):
            self.rows.show(answer.value)
        elif isinstance(answer, Failed):
            self.notify(answer.message, severity="error", markup=False)
        self.query_one("KeyBar").refresh()

    def allows(self, predicate: str) -> bool:
        one = self.rows.current if self.is_mounted else None
        if predicate == "has_row":
            return one is not None
        if predicate == "may_raise":
            return not setting_of(self).read_only and one is not None and one.taint < setting_of(self).clearance
        if predicate == "may_reset":
            return not setting_of(self).read_only and one is not None
        if predicate == "may_write":
            return not setting_of(self).read_only
        return super().allows(predicate)

    @on(RowList.Moved)
    def _moved(self) -> None:
        self.query_one("KeyBar").refresh()

    @on(RowList.Chosen)
    @work(exclusive=True, group="act")
    async def action_act(self) -> None:
        one = self.rows.current
        if one is not None and await host(self).act(questions.act_as(setting_of(self), one.id)):
            self.dismiss(None)

    @work(exclusive=True, group="act")
    async def action_new(self) -> None:
        setting = setting_of(self)
        offered = [level for level in ALL_LEVELS if level <= setting.clearance]
        chosen = await self.app.push_screen_wait(PickLevel("Start a session at", offered, with_label=True))
        if chosen is not None:
            level, label = chosen
            await self._change(questions.start(setting, level, label or None), "started")

    @work(exclusive=True, group="act")
    async def action_raise_taint(self) -> None:
        one, setting = self.rows.current, setting_of(self)
        if one is None:
            return
        offered = [level for level in ALL_LEVELS if one.taint < level <= setting.clearance]
        chosen = await self.app.push_screen_wait(PickLevel("Raise the session to", offered))
        if chosen is None:
            return
        words = raise_words(one.label or one.id, one.taint, level_content(chosen[0], setting))
        if await self.app.push_screen_wait(Question("Raise session", words, "Raise")):
            await self._change(questions.escalate(setting, one.id, chosen[0]), "raised", one.id)

    @work(exclusive=True, group="act")
    async def action_reset(self) -> None:
        one, setting = self.rows.current, setting_of(self)
        if one is None:
            return
        words = reset_words(one.label or one.id)
        if await self.app.push_screen_wait(Question("Reset session", words, "Reset")):
            await self._change(questions.reset(setting, one.id), "reset", one.id)

    async def _change(self, job: Job[Acting], done: str, touched: str | None = None) -> None:
        """Does it; where it touched the acting session, acts as what has become of it."""
        app = host(self)
        ours = touched is not None and touched == app.acting_id
        answer = await app.gateway.write(job)
        if isinstance(answer, Failed):
            self.notify(answer.message, title=f"not {done}", severity="error", markup=False)
        elif isinstance(answer, Done):
            self.notify(f"{done} at {answer.value.taint.name}", markup=False, timeout=3)
            if ours:
                await app.become(answer.value)
        await self._load()


def raise_words(name: str, taint: Level, level: Content) -> Content:
    """What raising a session means."""
    first = Content("Raise ") + quoted(name) + Content(f" from {taint.name} to ") + level + Content("?")
    then = "Its very next call reads and writes there, in every process. It cannot be taken back; only a reset ends it."
    return Content("\n\n").join([first, Content(then)])


def reset_words(name: str) -> Content:
    """What resetting a session means."""
    first = Content("End ") + quoted(name) + Content(" and start it afresh at PUBLIC?")
    then = "Its id stops working at once. The fresh session has a new id and the same label; memories stay as they are."
    return Content("\n\n").join([first, Content(then)])
