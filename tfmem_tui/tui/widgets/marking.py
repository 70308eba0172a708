"""Marks on the rows of a list: one by one, or from one row to another. A mark belongs to what a row stands for."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any


class Marking:
    """Mixed into a list of rows, which says what its rows stand for and draws the marks."""

    cursor: Any  # reactive in the list
    marked: dict[Hashable, Any]  # rows by what names them
    range_from: int | None  # where a range of marks begins

    def value_at(self, index: int) -> Any:
        """What a row stands for, or ``None`` where it is not here."""
        return None

    def name_of(self, value: Any) -> Hashable:
        """What names a row, over every change of the list."""
        name: Hashable = value
        return name

    def marks_changed(self) -> None:
        """Has the marks drawn anew and told of."""
        raise NotImplementedError

    def action_move(self, by: int) -> None:
        """Moves the cursor."""
        raise NotImplementedError

    def action_mark(self) -> None:
        value = self.value_at(self.cursor)
        if value is None:
            return
        name = self.name_of(value)
        if self.marked.pop(name, None) is None:
            self.marked[name] = value
        self.range_from = None
        self.action_move(1)
        self.marks_changed()

    def action_mark_range(self) -> None:
        if self.range_from is None:
            self.range_from = self.cursor
            self.marks_changed()
        else:
            first, last = sorted((self.range_from, self.cursor))
            self.mark_all(self.value_at(index) for index in range(first, last + 1))

    def mark_all(self, values: Iterable[Any]) -> None:
        """Marks these rows; the range is done."""
        self.marked |= {self.name_of(value): value for value in values if value is not None}
        self.range_from = None
        self.marks_changed()

    def unmark(self) -> bool:
        """Takes every mark and the beginning of a range away; whether there was any."""
        had = bool(self.marked) or self.range_from is not None
        self.marked, self.range_from = {}, None
        if had:
            self.marks_changed()
        return had
