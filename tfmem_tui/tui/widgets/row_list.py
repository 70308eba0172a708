"""A list that draws its own lines: one row per line under a header that stays, with a cursor row.

Subclasses say how many rows there are and how one is drawn. Where rows come from is not this module's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tfmem_tui.core.level import Level
from tfmem_tui.tui import actions, safe_text
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.host import Allowing, setting_of
from tfmem_tui.tui.safe_text import Span
from tfmem_tui.tui.signs import LEVEL_CLASSES, Signs, level_class
from tfmem_tui.tui.widgets.marking import Marking

Cells = list[Segment]


class RowList(Marking, Allowing, ScrollView, can_focus=True):
    """Rows, a header, a cursor. Sizes are in cells."""

    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.LISTS,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.LISTS)
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row--header",
        "row--column",
        "row--cursor",
        "row--blurred",
        "row--quiet",
        "row--old",
        "row--escape",
        "row--match",
        "row--marked",
        "row--good",
        "row--bad",
        *LEVEL_CLASSES,
    }

    cursor: reactive[int] = reactive(0, repaint=False)
    row_count: reactive[int] = reactive(0, repaint=False)

    inspects: ClassVar[bool] = False  # whether its rows lead to the inspector
    marks: ClassVar[bool] = False  # whether its rows can be marked
    exports: ClassVar[bool] = False  # whether its rows can be written to a file

    class Moved(Message):
        """The cursor stands on another row, or the row under it has changed."""

        def __init__(self, rows: RowList, index: int) -> None:
            super().__init__()
            self.rows = rows
            self.index = index

        @property
        def control(self) -> RowList:
            """The list, for ``@on`` selectors."""
            return self.rows

    class Chosen(Moved):
        """Enter or a double click on a row."""

    class Marked(Moved):
        """A mark was set or taken away."""

    class WriteOut(Moved):
        """The rows are to be written to a file; ``path`` where it is known already."""

        def __init__(self, rows: RowList, path: Path | None = None) -> None:
            super().__init__(rows, rows.cursor)
            self.path = path

    def __init__(self, *, id: str | None = None, header: bool = True) -> None:
        super().__init__(id=id)
        self.has_header = header
        self.note: Sequence[str] = ()  # shown where there are no rows
        self.old = False  # the rows are those of an earlier question
        self._base: Style | None = None
        self.marked, self.range_from = {}, None

    # What subclasses say.

    def draw_row(self, index: int, width: int) -> Cells | None:
        """The cells of a row, or ``None`` where it is not there yet."""
        raise NotImplementedError

    def draw_header(self, width: int) -> Cells:
        """The cells of the header."""
        return []

    def marks_changed(self) -> None:
        self.refresh()
        self.post_message(self.Marked(self, self.cursor))

    # Drawing.

    @property
    def signs(self) -> Signs:
        """The signs to draw with."""
        return setting_of(self).signs

    def style_of(self, name: str) -> Style:
        """A component class's style without its background, which is the row's."""
        return self.get_component_rich_style(name, partial=True)

    def text(self, text: str, cells: int, style: Style | None = None, spans: Sequence[Span] = ()) -> Cells:
        """Stored text in exactly ``cells`` cells."""
        styles = {
            "": style or Style.null(),
            safe_text.ESCAPE: self.style_of("row--escape"),
            safe_text.MATCH: self.style_of("row--match"),
        }
        drawn = [Segment(run.shown, styles[run.kind]) for run in safe_text.runs(text, cells, spans)]
        short = cells - sum(segment.cell_length for segment in drawn)
        return [*drawn, Segment(" " * short)] if short > 0 else drawn

    def level(self, level: Level, cells: int) -> Cells:
        """A level's sign and word in its colour."""
        return self.text(self.signs.level(level), cells, self.style_of(level_class(level)))

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._base = None

    @property
    def base_style(self) -> Style:
        """The list's own style, worked out once and not for each line."""
        if self._base is None:
            self._base = self.rich_style
        return self._base

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        base = self.base_style
        if self.has_header and y == 0:
            style = self.get_component_rich_style("row--header")
            return self._strip(self.draw_header(width), width, style)
        index = round(self.scroll_y) + y - self.has_header
        if self.row_count == 0:
            return self._note_line(y, width)
        if index >= self.row_count:
            return Strip.blank(width, base)
        cells = self.draw_row(index, width)
        if cells is None:
            cells = [Segment(f"  {self.signs.cut}", self.style_of("row--quiet"))]
        here = index == self.cursor
        if here:
            name = "row--cursor" if self.has_focus else "row--blurred"
            base = base + self.get_component_rich_style(name)
        sign = self.signs.cursor if here else " "
        strip = self._strip([Segment(sign), self._mark(index), *cells], width, base)
        return strip.apply_style(self.style_of("row--old")) if self.old and not here else strip

    def _mark(self, index: int) -> Segment:
        if index == self.range_from:
            return Segment(self.signs.anchor, self.style_of("row--marked"))
        value = self.value_at(index) if self.marked else None
        marked = value is not None and self.name_of(value) in self.marked
        return Segment(self.signs.mark, self.style_of("row--marked")) if marked else Segment(" ")

    def _note_line(self, y: int, width: int) -> Strip:
        top = max(self.has_header, (self.size.height - len(self.note)) // 3)
        at = y - top
        if not 0 <= at < len(self.note):
            return Strip.blank(width, self.base_style)
        style = self.style_of("row--quiet") if at else Style(bold=True)
        words = self.note[at]
        pad = max(0, (width - len(words)) // 2)
        return self._strip([Segment(" " * pad), *self.text(words, width - pad, style)], width, self.base_style)

    @staticmethod
    def _strip(cells: Cells, width: int, base: Style) -> Strip:
        return Strip(Segment.apply_style(cells, base)).adjust_cell_length(width, base)

    # Size and place.

    def fit(self) -> None:
        """Makes the scrollable height that of the rows."""
        self.virtual_size = Size(self.scrollable_content_region.width, self.row_count + self.has_header)
        self.refresh()

    def watch_row_count(self) -> None:
        self.fit()

    def on_resize(self) -> None:
        """A new size keeps the cursor in sight."""
        self.fit()
        self.see_cursor()

    @property
    def visible_rows(self) -> int:
        """How many rows fit."""
        return max(1, self.size.height - self.has_header)

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, self.row_count - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        self.see_cursor()
        self.refresh()
        self.post_message(self.Moved(self, new))

    def watch_has_focus(self, value: bool) -> None:
        super().watch_has_focus(value)
        self.refresh()

    def see_cursor(self) -> None:
        """Scrolls no further than is needed to show the cursor."""
        top = round(self.scroll_y)
        if self.cursor < top:
            self.put_top(self.cursor)
        elif self.cursor >= top + self.visible_rows:
            self.put_top(self.cursor - self.visible_rows + 1)

    def put_top(self, index: int) -> None:
        """Scrolls so that row ``index`` is the first in sight."""
        self.scroll_to(y=max(0, index), animate=False, force=True, immediate=True)

    # What a person does.

    def allows(self, predicate: str) -> bool:
        """``has_row``: there is a row under the cursor; the others: and this list's rows can be inspected, marked …"""
        able = {"has_row": True, "may_inspect": self.inspects, "may_mark": self.marks, "may_export": self.exports}
        return self.row_count > 0 and able[predicate] if predicate in able else super().allows(predicate)

    def action_move(self, by: int) -> None:
        self.cursor += by

    def action_first(self) -> None:
        self.cursor = 0

    def action_last(self) -> None:
        self.cursor = self.row_count - 1

    def action_page(self, by: int) -> None:
        self.cursor += by * max(1, self.visible_rows - 1)

    def action_choose(self) -> None:
        if self.row_count:
            self.post_message(self.Chosen(self, self.cursor))

    def action_write(self) -> None:
        self.post_message(self.WriteOut(self))

    def write_to(self, path: str) -> None:
        """Writes to a file that was named on the command line."""
        self.post_message(self.WriteOut(self, Path(path).expanduser()))

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a double click chooses."""
        index = round(self.scroll_y) + event.y - self.has_header
        if event.y < self.has_header or index >= self.row_count:
            return
        self.cursor = index
        if event.chain == 2:
            self.action_choose()
