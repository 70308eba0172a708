"""A list of any length over a source of pages: holds the pages in sight and a few more, and nothing else."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from typing import Any, Generic, TypeVar

from textual.message import Message
from textual.timer import Timer

from tfmem_tui.tui.answers import Answer, Done, Failed, Stale
from tfmem_tui.tui.host import setting_of
from tfmem_tui.tui.sources import PAGE, Opened, Source
from tfmem_tui.tui.widgets.row_list import RowList

T = TypeVar("T")
MOST_PAGES = 24
MOST_MARKED = 10_000  # by one range
COUNT_AFTER_SECONDS = 0.3
SPINNER_AFTER_SECONDS = 0.15
FRAME_SECONDS = 0.08


class PagedList(RowList, Generic[T]):
    """Shows a source. A new one takes over when its first page is there; until then the old rows stay, dimmed."""

    class Answered(Message):
        """A source was opened, counted or failed; ``milliseconds`` is what the first page took."""

        def __init__(self, rows: PagedList[Any], failed: Failed | None = None) -> None:
            super().__init__()
            self.rows = rows
            self.failed = failed

        @property
        def control(self) -> PagedList[Any]:
            """The list, for ``@on`` selectors."""
            return self.rows

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.exact = False
        self.milliseconds = 0.0
        self._source: Source[T] | None = None
        self._pages: OrderedDict[int, tuple[T, ...]] = OrderedDict()
        self._fetching = False
        self._asked = 0
        self._left: T | None = None
        self._since = 0.0
        self._spinning: Timer | None = None

    def row(self, index: int) -> T | None:
        """A row, if its page is here."""
        page = self._pages.get(index // PAGE)
        at = index % PAGE
        return page[at] if page is not None and at < len(page) else None

    def value_at(self, index: int) -> T | None:
        return self.row(index)

    @property
    def length(self) -> str:
        """The number of rows as it is shown, with a plus where there are more."""
        whole = self.exact and (self._source is None or self._source.complete)
        return f"{self.row_count:,}{'' if whole else '+'}"

    @property
    def current(self) -> T | None:
        """The row under the cursor."""
        return self.row(self.cursor) if self.row_count else None

    @property
    def spinner(self) -> str:
        """A frame of the spinner while an answer takes longer than a moment, else nothing."""
        waited = time.monotonic() - self._since
        if not self.old or waited < SPINNER_AFTER_SECONDS:
            return ""
        frames = self.signs.spinner
        if not setting_of(self).timings:
            return frames[0]
        return frames[int(waited / FRAME_SECONDS) % len(frames)]

    def forget(self) -> None:
        """Drops every row; the one under the cursor is remembered for ``show`` with ``keep``, and not drawn."""
        self._left = self.current or self._left
        self._asked += 1
        self._source = None
        self._pages.clear()
        self.marked, self.range_from = {}, None
        self.note = ()
        self.set_reactive(RowList.row_count, 0)
        self.fit()

    def show(self, source: Source[T], *, keep: bool = False) -> None:
        """Shows another source; with ``keep`` the cursor stays on its row, which stays on its line."""
        self._asked += 1
        self._since = time.monotonic()
        if not keep:
            self.old = True
            if self._spinning is None:
                self._spinning = self.set_interval(FRAME_SECONDS, self._spin)
        stood = (self.current or self._left) if keep else None
        self._left = None
        self.run_worker(self._open(self._asked, source, stood, self.cursor), exit_on_error=True)

    def _spin(self) -> None:
        if not self.old and self._spinning is not None:
            self._spinning.stop()
            self._spinning = None
        if self.spinner:
            self.refresh()
            self.post_message(self.Answered(self))

    async def _open(self, asked: int, source: Source[T], stood: T | None, near: int) -> None:
        answer = await source.open(stood, near)
        if asked != self._asked or isinstance(answer, Stale):
            return
        self.old = False
        if isinstance(answer, Failed):
            self.refresh()
            self.post_message(self.Answered(self, answer))
            return
        self.milliseconds = answer.milliseconds
        self._take_over(source, answer.value, stood is not None)
        self.post_message(self.Answered(self))
        if not answer.value.exact:
            await self._count(asked, source)

    def _take_over(self, source: Source[T], opened: Opened[T], keep: bool) -> None:
        at_top = round(self.scroll_y) == 0  # there, what is new comes into sight above the row that is stood on
        line = self.cursor - round(self.scroll_y)
        self._source = source
        self._pages = OrderedDict({opened.number: opened.rows})
        longer = not opened.exact and keep and self.row_count > opened.length
        length = self.row_count if longer else opened.length
        self.exact = opened.exact
        self.set_reactive(RowList.row_count, length)
        self.fit()
        self.set_reactive(RowList.cursor, self.validate_cursor(opened.at))
        self.put_top(self.cursor - line if keep and not at_top else 0)
        self.see_cursor()
        self.refresh()
        self.post_message(self.Moved(self, self.cursor))
        self.fetch_missing()

    async def _count(self, asked: int, source: Source[T]) -> None:
        await asyncio.sleep(COUNT_AFTER_SECONDS)  # who types on asks something else before it is known
        if asked != self._asked:
            return
        answer: Answer[int] = await source.length()
        if asked == self._asked and isinstance(answer, Done):
            self.exact = True
            self.row_count = answer.value
            self.cursor = self.validate_cursor(self.cursor)
            self.post_message(self.Answered(self))

    def action_mark_range(self) -> None:
        if self.range_from is None:
            self.range_from = self.cursor
            self.refresh()
        elif self._source is not None:
            first, last = sorted((self.range_from, self.cursor))
            last = min(last, first + MOST_MARKED - 1)
            self.run_worker(self._mark_range(self._source, first, last), group="marks", exclusive=True)

    async def _mark_range(self, source: Source[T], first: int, last: int) -> None:
        """Marks rows whose pages may not be here yet; those are read for it and not kept."""
        found: list[T] = []
        for number in range(first // PAGE, last // PAGE + 1):
            rows = self._pages.get(number)
            if rows is None:
                answer = await source.page(number)
                if source is not self._source or not isinstance(answer, Done):
                    return
                rows = answer.value
            begin = number * PAGE
            found += rows[max(0, first - begin) : last + 1 - begin]
        self.mark_all(found)

    # Pages in sight.

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.fetch_missing()

    def fetch_missing(self) -> None:
        """Asks for the first page in sight that is not here; one at a time, so that none piles up."""
        if self._fetching or self._source is None or not self.row_count:
            return
        top = round(self.scroll_y)
        last = min(self.row_count - 1, top + self.visible_rows)
        for number in range(top // PAGE, last // PAGE + 1):
            if number in self._pages:
                self._pages.move_to_end(number)
            else:
                self._fetching = True
                self.run_worker(self._fetch(self._source, number), exit_on_error=True)
                return

    async def _fetch(self, source: Source[T], number: int) -> None:
        answer = await source.page(number)
        self._fetching = False
        if source is not self._source:
            self.fetch_missing()
            return
        if isinstance(answer, Done):
            self._pages[number] = answer.value
            while len(self._pages) > MOST_PAGES:
                self._pages.popitem(last=False)
            self.refresh()
            if self.cursor // PAGE == number:
                self.post_message(self.Moved(self, self.cursor))
            self.fetch_missing()
        elif isinstance(answer, Failed):
            self.post_message(self.Answered(self, answer))
