"""Simulator: any of the five tools as the acting session, on a snapshot; the call, what the hook did, the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from rich.style import Style
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static

from tfmem_tui.tui import actions, questions, safe_text
from tfmem_tui.tui.acting import Acting, Setting
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.screens.view import Pane, View
from tfmem_tui.tui.widgets.detail import DetailPane, level_content
from tfmem_tui.tui.widgets.row_list import Cells, RowList
from tfmem_tui.tui.widgets.tool_form import FormError, ToolForm

if TYPE_CHECKING:
    from tfmem_tui.agent.tools import ToolAnswer
    from tfmem_tui.core.store import Store


INVITATION = (
    "Choose a tool, fill in its arguments and press enter.",
    "",
    "The call runs as the acting session on a copy of the store.",
    "Add a level to it, as a model might, and see what the hook makes of that.",
)


class ToolList(RowList):
    """The tools by name."""

    def __init__(self) -> None:
        super().__init__(id="tools", header=False)
        self.schemas: Sequence[Mapping[str, Any]] = ()

    def draw_row(self, index: int, width: int) -> Cells | None:
        """A tool."""
        return self.text(str(self.schemas[index]["name"]), max(8, width - 2), Style(bold=index == self.cursor))


@dataclass(frozen=True, slots=True)
class Copy:
    """A snapshot, whom it is played as, and how many calls were made on it."""

    store: Store = field(repr=False)
    acting: Acting
    of: Acting
    calls: int = 0


@dataclass(frozen=True, slots=True)
class SimulatorState:
    """The tool that is chosen, and the snapshot it runs on."""

    tool: int = 0
    copy: Copy | None = None


class SimulatorView(View):
    """Tools and form on one side, what came of the call on the other."""

    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.SIMULATOR,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.SIMULATOR)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state = SimulatorState()
        self._made: str | None = None  # the tool whose form is shown

    def compose(self) -> ComposeResult:
        yield Static(id="snapshot", markup=False)
        with Horizontal(classes="panes"):
            with Vertical(classes="pane -front", id="call-pane"):
                yield ToolList()
                yield ToolForm(id="form")
            with Vertical(classes="pane side", id="answer-pane"):
                yield DetailPane(id="answer")

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
        words = f"  {calls} call{'' if calls == 1 else 's'} made on it; the live store is not touched"
        self.query_one("#snapshot", Static).update(
            Content.assemble((" SNAPSHOT ", "bold $on-level on $accent"), (words, "$quiet"))
        )

    # Calling.

    def allows(self, predicate: str) -> bool:
        if predicate == "has_tool":
            return bool(self.tools.schemas) and host(self).acting is not None
        return super().allows(predicate)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self.action_call()

    def action_fresh(self) -> None:
        self.forget()
        self.query_one(DetailPane).say("The next call runs on a fresh copy of the store.")

    @work(exclusive=True, group="call")
    async def action_call(self) -> None:
        acting, pane = host(self).acting, self.query_one(DetailPane)
        if acting is None or not self.tools.schemas:
            return
        name = str(self.tools.schemas[self.state.tool]["name"])
        try:
            given = self.query_one(ToolForm).arguments()
        except FormError as error:
            pane.show(Content.styled(str(error), "$error"))
            return
        copy = await self._copy(acting)
        if copy is None:
            return
        answer = await self.ask(
            lambda _: questions.tool(copy.acting, name, given)(copy.store), host(self).gateway.write
        )
        if answer is None or host(self).acting != acting:
            return
        self.state = replace(self.state, copy=replace(copy, calls=copy.calls + 1))
        self._say_copy()
        pane.show(outcome(name, given, answer, setting_of(self)))
        if not self.screen.has_class("-wide"):
            self.show_pane(self.panes()[1])

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


def outcome(name: str, given: Mapping[str, object], answer: ToolAnswer, setting: Setting) -> Content:
    """A call and what became of it, as several lines."""
    heading = "bold $accent"
    hook: list[Content] = []
    if answer.stripped:
        names = Content(", ").join(safe_text.line(one, 40) for one in answer.stripped)
        hook.append(Content.styled("stripped  ", "$warning") + names)
    else:
        hook.append(Content.styled("passed on as it came", "$quiet"))
    if answer.level is not None:
        hook.append(Content.styled("forced    ", "$warning") + level_content(answer.level, setting))
    return Content("\n").join(
        [
            Content.styled("CALL", heading) + Content(f"  {name}"),
            _json(given),
            Content(""),
            Content.styled("HOOK", heading) + Content.styled("  PRE_TOOL_CALL", "$quiet"),
            *hook,
            Content(""),
            Content.styled("ANSWER", heading) + Content.styled("  error" if answer.failed else "", "$error"),
            _json(answer.payload),
        ]
    )


def _json(value: object) -> Content:
    return safe_text.block(json.dumps(value, ensure_ascii=False, indent=2))
