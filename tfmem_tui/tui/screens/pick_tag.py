"""Choosing a tag to filter by, from those that the session may see, with their counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input

from tfmem_tui.core.records import TagCount
from tfmem_tui.tui import actions
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.screens.dialog import Dialog
from tfmem_tui.tui.widgets.row_list import Cells, RowList


class TagList(RowList):
    """Tags and how many memories carry each."""

    def __init__(self) -> None:
        super().__init__(id="tags", header=False)
        self.tags: Sequence[TagCount] = ()
        self.note = ("No such tag",)

    def draw_row(self, index: int, width: int) -> Cells | None:
        """A tag and its count."""
        one = self.tags[index]
        return [*self.text(one.tag, max(8, width - 12)), *self.text(f"{one.count:>8,}", 9, self.style_of("row--quiet"))]


class PickTag(Dialog[str | None]):
    """Type to narrow the list, ``enter`` to take the tag under the cursor."""

    title_text = "Filter by tag"
    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.CHOICE,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.CHOICE)

    def __init__(self, tags: Sequence[TagCount]) -> None:
        super().__init__()
        self._tags = tags

    def inside(self) -> ComposeResult:
        yield Input(placeholder="tag", id="tag", compact=True)
        yield TagList()

    def on_mount(self) -> None:
        self._show("")
        self.query_one(Input).focus()

    def _show(self, typed: str) -> None:
        rows = self.query_one(TagList)
        rows.tags = [one for one in self._tags if typed.casefold() in one.tag.casefold()]
        rows.row_count = len(rows.tags)
        rows.cursor = 0
        rows.refresh()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._show(event.value)

    def allows(self, predicate: str) -> bool:
        return self.query_one(TagList).row_count > 0 if predicate == "has_row" else super().allows(predicate)

    @on(Input.Submitted)
    @on(RowList.Chosen)
    def action_take(self) -> None:
        rows = self.query_one(TagList)
        self.dismiss(rows.tags[rows.cursor].tag if rows.tags else None)

    def key_down(self) -> None:
        """From the field the arrow goes into the list."""
        self.query_one(TagList).action_move(1)
        self.query_one(TagList).focus()
