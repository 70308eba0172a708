"""Simulator: any of the five tools as the acting session, on a snapshot; the call, what the hook did, the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from tfmem_tui.tui import actions, plays, questions
from tfmem_tui.tui.acting import Acting
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.screens.compare import Compare
from tfmem_tui.tui.screens.dialog import Question
from tfmem_tui.tui.screens.outcomes import OutcomePane, outcome
from tfmem_tui.tui.screens.scenario_acts import ScenarioActs
from tfmem_tui.tui.screens.simulator_state import Copy, SimulatorState, ToolList
from tfmem_tui.tui.screens.view import Pane
from tfmem_tui.tui.widgets.detail import DetailPane
from tfmem_tui.tui.widgets.row_list import RowList
from tfmem_tui.tui.widgets.tool_form import FormError, ToolForm

if TYPE_CHECKING:
    from tfmem_tui.agent.tools import ToolAnswer
    from tfmem_tui.simulate.recording import Recorder

INVITATION = (
    "Choose a tool, fill in its arguments and press enter.",
    "",
    "The call runs as the acting session on a copy of the store.",
    "Add a level to it, as a model might, and see what the hook makes of that.",
)


class SimulatorView(ScenarioActs):
    """Tools and form on one side, what came of the call on the other."""

    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.SIMULATOR,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.SIMULATOR)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state = SimulatorState()
        self._made: str | None = None  # the tool whose form is shown
        self._recorder: Recorder | None = None
        self._last: tuple[str, dict[str, Any], ToolAnswer] | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="snapshot", markup=False)
        with Horizontal(classes="panes"):
            with Vertical(classes="pane -front", id="call-pane"):
                yield ToolList()
                yield ToolForm(id="form")
            with Vertical(classes="pane side", id="answer-pane"):
                yield OutcomePane(id="answer")

    @property
    def tools(self) -> ToolList:
        """The tools."""
        return self.query_one(ToolList)

    def panes(self) -> list[Pane]:
        return [
            Pane(self.query_one("#call-pane"), self.tools),
            Pane(self.query_one("#answer-pane"), self.query_one(DetailPane)),
        ]

    def path(self) -> Content:
        name = str(self.tools.schemas[self.state.tool]["name"]) if self.tools.schemas else ""
        return Content(f"Simulator {setting_of(self).signs.cursor} {name}")

    def layer_back(self) -> bool:
        if self.has_class("-zoomed"):
            self.zoom()
            return True
        if not self.query_one("#call-pane").display:
            self.show_pane(self.panes()[0])
            return True
        return False

    def next_pane(self) -> None:
        """``tab`` goes through tools, fields and answer."""
        if self.query_one(DetailPane).has_focus:
            self.show_pane(self.panes()[0])
            return
        stops = [self.tools, *self.query_one(ToolForm).query("Input, TextArea")]
        at = next((i for i, one in enumerate(stops) if one.has_focus), -1)
        if at + 1 < len(stops):
            stops[at + 1].focus()
        else:
            self.show_pane(self.panes()[1])

    def forget(self) -> None:
        copy = self.state.copy
        self.state = replace(self.state, copy=None)
        self._last = None
        self.query_one(DetailPane).say(*INVITATION)
        self._say_copy()
        if copy is not None:
            self.run_worker(host(self).gateway.give_up(copy.store))

    def reload(self, *, keep: bool) -> None:
        if not self.tools.schemas:
            self.run_worker(self._load(), group="tools", exclusive=True)
        self._say_copy()
        self.tell_where()

    async def _load(self) -> None:
        found = await self.ask(questions.schemas())
        if found:
            self.tools.schemas = found
            self.tools.row_count = len(found)
            await self._show_form()

    @on(RowList.Moved)
    async def _moved(self, event: RowList.Moved) -> None:
        self.state = replace(self.state, tool=event.index)
        await self._show_form()

    async def _show_form(self) -> None:
        if not self.tools.schemas:
            return
        schema = self.tools.schemas[self.state.tool]
        if schema["name"] != self._made:
            self._made = str(schema["name"])
            await self.query_one(ToolForm).show(schema, host(self).known_key())
            self.tell_where()

    def _say_copy(self) -> None:
        copy = self.state.copy
        calls = 0 if copy is None else copy.calls
        sign, style = (" SNAPSHOT ", "bold $on-level on $accent")
        words = f"  {calls} call{'' if calls == 1 else 's'} made on it; the live store is not touched"
        if self.state.live:
            sign, style, words = " LIVE STORE ", "bold $on-level on $error", "  calls change what the agent remembers"
        self.query_one("#snapshot", Static).update(Content.assemble((sign, style), (words, "$quiet")))

    # Calling.

    def allows(self, predicate: str) -> bool:
        if predicate == "has_tool":
            return bool(self.tools.schemas) and host(self).acting is not None
        if predicate == "has_recorded":
            acting = host(self).acting
            return acting is not None and bool(self.recorded(acting.taint))
        return super().allows(predicate)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_call()

    def action_fresh(self) -> None:
        self.forget()
        self._recorder = None
        self.tell_where()
        self.query_one(DetailPane).say("The next call runs on a fresh copy of the store.")

    @work(exclusive=True, group="call")
    async def action_call(self) -> None:
        acting, pane = host(self).acting, self.query_one(OutcomePane)
        if acting is None:
            return
        asked = self._asked()
        if asked is None:
            return
        name, given = asked
        made = await (self._live(acting, name, given) if self.state.live else self._simulated(acting, name, given))
        if made is None or host(self).acting != acting:
            return
        answer, event = made
        self.recorder.call(acting.taint, name, given, answer.payload)
        self._say_copy()
        self.tell_where()
        self._last = (name, given, answer)
        pane.show_parts(outcome(name, given, answer, event, setting_of(self)))
        self._show_answer()

    def _asked(self) -> tuple[str, dict[str, Any]] | None:
        """The tool that is chosen and what the form says; a mistake in the form is said."""
        if not self.tools.schemas:
            return None
        try:
            given = self.query_one(ToolForm).arguments()
        except FormError as error:
            self.query_one(DetailPane).show(Content.styled(str(error), "$error"))
            return None
        return str(self.tools.schemas[self.state.tool]["name"]), given

    async def _live(self, acting: Acting, name: str, given: Mapping[str, object]) -> plays.Made | None:
        return await self.ask(plays.call(acting, name, given), host(self).gateway.write)

    async def _simulated(self, acting: Acting, name: str, given: Mapping[str, object]) -> plays.Made | None:
        copy = await self._copy(acting)
        if copy is None:
            return None
        made = await self.ask(lambda _: plays.call(copy.acting, name, given)(copy.store), host(self).gateway.write)
        if made is not None and host(self).acting == acting:
            self.state = replace(self.state, copy=replace(copy, calls=copy.calls + 1))
        return made

    def _show_answer(self) -> None:
        if not self.screen.has_class("-wide"):
            self.show_pane(self.panes()[1])

    @work(exclusive=True, group="call")
    async def action_compare(self) -> None:
        """The same call at every level up to the taint, each on a copy of its own."""
        acting, asked = host(self).acting, self._asked()
        if acting is None or asked is None:
            return
        job = plays.compare(setting_of(self), acting.taint, *asked)
        compared = await self.ask(job, host(self).gateway.write)
        if compared is not None and host(self).acting == acting:
            await self.app.push_screen(Compare(asked[0], compared))

    @work(group="dialog")
    async def action_live(self) -> None:
        """From the copy to the live store and back; the way there is asked about."""
        if not self.state.live:
            words = Content("Calls will change what the agent remembers, and its audit will say so.")
            if not await self.app.push_screen_wait(Question("Live store", words, "Go live")):
                return
        self.state = replace(self.state, live=not self.state.live)
        self._say_copy()
        self.tell_where()

    async def _copy(self, acting: Acting) -> Copy | None:
        """The snapshot of the acting session, taken on the first call."""
        held = self.state.copy
        if held is not None and held.of == acting:
            return held
        store = await self.ask(questions.snapshot(), host(self).gateway.write)
        if store is None:
            return None
        host(self).gateway.adopt(store)
        player = acting
        if not acting.writes:  # a viewer writes nothing, even on a copy: a session of that level plays for it
            player = await self.ask(lambda _: questions.act_at(setting_of(self), acting.taint)(store)) or acting
        copy = Copy(store, player, acting)
        self.state = replace(self.state, copy=copy)
        return copy
