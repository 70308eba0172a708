"""The table of memories: level, key, content, tags and age, in columns that share the width."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style

from tfmem_tui.core.records import Order
from tfmem_tui.tui.host import setting_of
from tfmem_tui.tui.sources import MemoryRow
from tfmem_tui.tui.times import ago
from tfmem_tui.tui.widgets.paged_list import PagedList
from tfmem_tui.tui.widgets.row_list import Cells

CURSOR, LEVEL, SAVED, GAP = 2, 14, 9, 1

COLUMNS: tuple[tuple[Order, str], ...] = (
    (Order.LEVEL, "LEVEL"),
    (Order.KEY, "KEY"),
    (Order.CONTENT, "CONTENT"),
    (Order.TAGS, "TAGS"),
    (Order.SAVED, "SAVED"),
)


@dataclass(frozen=True, slots=True)
class Widths:
    """Widths of the columns in cells, without the gaps after them."""

    level: int
    key: int
    content: int
    tags: int
    saved: int

    def of(self, order: Order) -> int:
        """The width of the column that an order stands for."""
        return {
            Order.LEVEL: self.level,
            Order.KEY: self.key,
            Order.CONTENT: self.content,
            Order.TAGS: self.tags,
            Order.SAVED: self.saved,
        }[order]


def widths(width: int) -> Widths:
    """How the columns share ``width`` cells."""
    free = max(24, width - CURSOR - LEVEL - SAVED - 4 * GAP)
    key = min(34, free * 32 // 100)
    tags = min(22, free * 20 // 100)
    return Widths(LEVEL, key, free - key - tags, tags, SAVED)


class MemoryTable(PagedList[MemoryRow]):
    """Memories by row. Which column is chosen, and what it is ordered by, is told by the view."""

    inspects = marks = exports = True
    column: Order = Order.SAVED
    order: Order | None = Order.SAVED
    descending: bool = True

    def name_of(self, value: MemoryRow) -> str:
        return value.memory.key

    def draw_header(self, width: int) -> Cells:
        """Titles; the order in reverse video with an arrow, the chosen column underlined."""
        shares = widths(width)
        cells: Cells = [Segment(" " * CURSOR)]
        for order, title in COLUMNS:
            arrow = self.signs.descending if self.descending else self.signs.ascending
            ordered = order is self.order
            style = Style(underline=order is self.column) + (self.style_of("row--column") if ordered else Style.null())
            words = f" {title} {arrow} " if ordered else title
            cells += [Segment(words, style), Segment(" " * max(0, shares.of(order) + GAP - len(words)))]
        return cells

    def draw_row(self, index: int, width: int) -> Cells | None:
        """One memory."""
        row = self.row(index)
        if row is None:
            return None
        shares, memory, quiet = widths(width), row.memory, self.style_of("row--quiet")
        gap = Segment(" " * GAP)
        return [
            *self.level(memory.level, shares.level),
            gap,
            *self.text(memory.key, shares.key, Style(bold=True), row.spans[0]),
            gap,
            *self.text(memory.preview, shares.content, None, row.spans[1]),
            gap,
            *self.text(row.tags, shares.tags, quiet, row.spans[2]),
            gap,
            *self.text(ago(memory.saved_at, setting_of(self).now()), shares.saved, quiet),
        ]
