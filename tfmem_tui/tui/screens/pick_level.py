"""Choosing a level, for a session that starts or is raised; levels above the clearance are not among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input, Label

from tfmem_tui.core.level import Level
from tfmem_tui.tui import actions
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.screens.dialog import Dialog
from tfmem_tui.tui.widgets.row_list import Cells, RowList


class LevelList(RowList):
    """Levels, lowest first."""

    def __init__(self, levels: Sequence[Level]) -> None:
        super().__init__(id="levels", header=False)
        self.levels = levels

    def on_mount(self) -> None:
        self.row_count = len(self.levels)

    def draw_row(self, index: int, width: int) -> Cells | None:
        """A level."""
        return self.level(self.levels[index], max(14, width - 2))


class PickLevel(Dialog[tuple[Level, str] | None]):
    """A level and, where asked for, a label."""

    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.CHOICE,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.CHOICE)

    def __init__(self, title: str, levels: Sequence[Level], *, with_label: bool = False) -> None:
        super().__init__()
        self.title_text = title
        self._levels, self._with_label = levels, with_label

    def inside(self) -> ComposeResult:
        yield LevelList(self._levels)
        if self._with_label:
            yield Label("label, if it is to have one", markup=False)
            yield Input(id="label", compact=True)

    def on_mount(self) -> None:
        self.query_one(LevelList).focus()

    def allows(self, predicate: str) -> bool:
        return True if predicate == "has_row" else super().allows(predicate)

    @on(Input.Submitted)
    @on(RowList.Chosen)
    def action_take(self) -> None:
        label = self.query_one("#label", Input).value.strip() if self._with_label else ""
        self.dismiss((self._levels[self.query_one(LevelList).cursor], label))
