"""Playing a scenario file step by step on an empty store: what each step does, what came of it, pass or fail."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.style import Style
from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from tfmem_tui.tui import actions, safe_text
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.answers import Done, Failed
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.plays import Play
from tfmem_tui.tui.screens.dialog import Dialog
from tfmem_tui.tui.widgets.detail import DetailPane, level_content
from tfmem_tui.tui.widgets.row_list import Cells, RowList

if TYPE_CHECKING:
    from tfmem_tui.simulate.runner import Played
    from tfmem_tui.simulate.scenario import Step

NUMBER, WHO, LEVEL = 5, 16, 15


class StepList(RowList):
    """The steps: those that were played with their verdict, then those to come."""

    def __init__(self, steps: Sequence[Step]) -> None:
        super().__init__(id="steps", header=False)
        self.steps = steps
        self.played: list[Played] = []

    def draw_row(self, index: int, width: int) -> Cells | None:
        """A step."""
        step, quiet = self.steps[index], self.style_of("row--quiet")
        played = self.played[index] if index < len(self.played) else None
        sign, style = " ", quiet
        if played is not None:
            sign = self.signs.yes if played.passed else self.signs.no
            style = self.style_of("row--good" if played.passed else "row--bad")
        taint = played.taint if played is not None else None
        return [
            *self.text(f"{sign} {index + 1:>2}", NUMBER, style),
            *self.text(step.session or step.escalate or step.reset or "", WHO, quiet),
            *(self.level(taint, LEVEL) if taint is not None else self.text("", LEVEL)),
            *self.text(_what(step), max(8, width - 2 - NUMBER - WHO - LEVEL), Style(bold=played is not None)),
        ]


class PlayScenario(Dialog[None]):
    """The steps above, what came of the one under the cursor below."""

    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.PLAY,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.PLAY)

    def __init__(self, play: Play) -> None:
        super().__init__()
        self.title_text = Content("Scenario ") + safe_text.line(play.scenario.name, 60)
        self._play = play

    def inside(self) -> ComposeResult:
        yield Static(id="verdict", markup=False)
        yield StepList(self._play.scenario.steps)
        yield DetailPane()

    @property
    def rows(self) -> StepList:
        """The steps."""
        return self.query_one(StepList)

    def on_mount(self) -> None:
        self.rows.row_count = len(self.rows.steps)
        self.rows.focus()
        self._show()

    async def on_unmount(self) -> None:
        """The store it was played on is given up."""
        await host(self).gateway.give_up(self._play.store)

    def allows(self, predicate: str) -> bool:
        if predicate == "has_steps":
            return len(self.rows.played) < len(self.rows.steps)
        return super().allows(predicate)

    @work(exclusive=True, group="play")
    async def action_next(self) -> None:
        await self._go_on(1)

    @work(exclusive=True, group="play")
    async def action_rest(self) -> None:
        await self._go_on(len(self.rows.steps) - len(self.rows.played))

    async def _go_on(self, count: int) -> None:
        answer = await host(self).gateway.write(lambda _: self._play.go_on(count))
        if isinstance(answer, Done):
            self.rows.played += answer.value
            self.rows.cursor = max(0, len(self.rows.played) - 1)
            self._show()
        elif isinstance(answer, Failed):
            host(self).fail(answer)

    @on(RowList.Moved)
    def _show(self) -> None:
        rows, setting = self.rows, setting_of(self)
        self.rows.refresh()
        self.query_one("#verdict", Static).update(verdict(rows.played, len(rows.steps)))
        pane = self.query_one(DetailPane)
        if rows.cursor < len(rows.played):
            pane.show(step_content(rows.played[rows.cursor], setting))
        else:
            pane.say("Not played yet.")
        self.query_one("KeyBar").refresh()


def verdict(played: Sequence[Played], steps: int) -> Content:
    """How many steps were played and how many of them were not as expected."""
    failed = sum(not one.passed for one in played)
    words = Content.styled(f"{len(played)} of {steps} played", "$quiet")
    if failed:
        return words + Content.styled(f"   {failed} failed", "bold $error")
    done = "all as expected" if len(played) == steps else "as expected so far"
    return words + (Content.styled(f"   {done}", "$success") if played else Content(""))


def step_content(played: Played, setting: Setting) -> Content:
    """A step as it was played: what it asked, what the hook took out, what it got, what was expected and not so."""
    step = played.step
    lines: list[Content] = []
    if step.note:
        lines.append(safe_text.line(step.note, 400).stylize("$quiet"))
    level = level_content(played.taint, setting) if played.taint is not None else Content("")
    lines.append(Content(f"{played.number}  ") + safe_text.line(_what(step), 600) + Content("  ") + level)
    if played.stripped:
        names = safe_text.line(", ".join(played.stripped), 200)
        lines.append(Content.styled("hook took out  ", "$warning") + names)
    lines += [safe_text.line(failure, 600).stylize("$error") for failure in played.failures]
    lines.append(safe_text.block(json.dumps(dict(played.answer), ensure_ascii=False, indent=2)))
    return Content("\n").join(lines)


def _what(step: Step) -> str:
    return f"{step.call} {json.dumps(step.args, ensure_ascii=False)}" if step.call else str(step.kind)
