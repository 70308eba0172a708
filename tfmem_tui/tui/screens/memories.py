"""Memories: search as you type, order, filter, mark several; the memory under the cursor beside the table; all acts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Input, Static

from tfmem_tui.tui import actions, questions, safe_text
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.answers import Failed
from tfmem_tui.tui.filters import MEMORY_KINDS, Chip, memory_filters
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.screens.memories_state import (
    EMPTY,
    EMPTY_READ_ONLY,
    NO_MATCH,
    MemoriesState,
    ordered,
    searched,
    settled,
)
from tfmem_tui.tui.screens.memory_acts import MemoryActs
from tfmem_tui.tui.screens.pick_filter import Offer, level_offers, session_offers, tag_offers, time_offers
from tfmem_tui.tui.screens.view import FailureMet, Inspect, Pane
from tfmem_tui.tui.sources import MemoryQuestion, memory_source
from tfmem_tui.tui.widgets.detail import DetailPane, standing
from tfmem_tui.tui.widgets.memory_table import COLUMNS, MemoryTable
from tfmem_tui.tui.widgets.paged_list import PagedList
from tfmem_tui.tui.widgets.row_list import RowList

DEBOUNCE_SECONDS = 0.02
DETAIL_SECONDS, DETAIL_WHILE_TYPING = 0.04, 0.15


class MemoriesView(MemoryActs):
    """The table and the pane beside it."""

    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.MEMORIES,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.MEMORIES)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state = MemoriesState()
        self._typing: Timer | None = None
        self._moving: Timer | None = None
        self._shown: tuple[str, str] | None = None  # key and version of the memory in the pane
        self._deletable = False
        self._counted_at = ""  # the state of the store in which the total was counted

    def compose(self) -> ComposeResult:
        with Horizontal(id="find-line"):
            yield Static("/", id="find-sign", markup=False)
            yield Input(placeholder="find in key, content and tags", id="find", compact=True)
            yield Static(id="chips", markup=False)
            yield Static(id="count", markup=False)
        with Horizontal(classes="panes"):
            with Vertical(classes="pane -front", id="memories-pane"):
                yield MemoryTable(id="memories-table")
            with Vertical(classes="pane side", id="memory-pane"):
                yield DetailPane(id="memory-detail")

    @property
    def detail(self) -> DetailPane:
        """The pane beside it."""
        return self.query_one(DetailPane)

    def panes(self) -> list[Pane]:
        return [
            Pane(self.query_one("#memories-pane"), self.table),
            Pane(self.query_one("#memory-pane"), self.detail),
        ]

    def take_focus(self) -> None:
        self.show_pane(self.panes()[0])

    # What is asked for.

    def ask_for(self, question: MemoryQuestion, *, keep: bool = False) -> None:
        """Changes what the table shows."""
        self.state = replace(self.state, question=question)
        self.reload(keep=keep)

    def reload(self, *, keep: bool) -> None:
        acting, table, question = host(self).acting, self.table, self.state.question
        if acting is None:
            return
        question = replace(question, filters=memory_filters(self.chips, setting_of(self).now()))
        self.state = replace(self.state, question=question)
        table.order, table.descending, table.column = question.order, question.descending, self.state.column
        table.show(memory_source(host(self).gateway, acting, question), keep=keep)
        self.say_chips("#chips")
        self.tell_where()
        self.run_worker(self._count(), group="memories-total", exclusive=True)

    async def _count(self) -> None:
        acting = host(self).acting
        token = host(self).token
        if acting is None or not self.state.narrowed or (self.state.total is not None and self._counted_at == token):
            return
        total = await self.ask(questions.total(acting))
        if host(self).acting is acting:
            self.state, self._counted_at = replace(self.state, total=total), token
            self._say_count()

    def forget(self) -> None:
        self.table.forget()
        self.detail.say()
        self._shown, self._deletable = None, False
        self.state = replace(self.state, total=None)
        self.query_one("#count", Static).update("")

    def selected_key(self) -> str | None:
        row = self.table.current
        return None if row is None else row.memory.key

    @property
    def waiting(self) -> bool:
        return self._typing is not None or self._moving is not None

    def path(self) -> Content:
        words = self.state.question.words.strip()
        parts = [Content("Memories")]
        if words:
            parts.append(safe_text.line(f'"{words}"', 24))
        parts += [safe_text.line(chip.value, 16) for chip in self.chips]
        return Content(f" {setting_of(self).signs.cursor} ").join(parts)

    def layer_back(self) -> bool:
        if self.has_class("-zoomed"):
            self.zoom()
        elif self.query_one("#memory-pane").has_class("-front") and not self.query_one("#memories-pane").display:
            self.take_focus()
        elif self.table.unmark():
            pass
        elif self.state.question.words:
            self.query_one("#find", Input).value = ""
        elif self.chips:
            self.action_drop_filter()
        else:
            return False
        return True

    # Searching.

    def action_find(self) -> None:
        self.screen.set_focus(self.query_one("#find", Input))  # now, not in turn: the next key is a letter already

    def find_words(self, words: str) -> None:
        """Searches for what was typed on the command line."""
        self.query_one("#find", Input).value = words

    @on(Input.Changed, "#find")
    def _typed(self, event: Input.Changed) -> None:
        if self._typing is not None:
            self._typing.stop()
        self._typing = self.set_timer(DEBOUNCE_SECONDS, lambda: self._search(settled(event.value)))

    @on(Input.Submitted, "#find")
    def _searched(self, event: Input.Submitted) -> None:
        self._search(event.value)
        self.take_focus()

    def _search(self, words: str) -> None:
        if self._typing is not None:
            self._typing.stop()
        self._typing = None
        if words != self.state.question.words:
            self.ask_for(searched(self.state.question, words))

    # Ordering.

    def action_column(self, by: int) -> None:
        orders = [order for order, _ in COLUMNS]
        place = (orders.index(self.state.column) + by) % len(orders)
        self.state = replace(self.state, column=orders[place])
        self.table.column = self.state.column
        self.table.refresh()

    def action_sort(self) -> None:
        self.ask_for(ordered(self.state.question, self.state.column))

    # Filtering.

    @property
    def kinds(self) -> Sequence[str]:
        return MEMORY_KINDS

    async def offers(self) -> list[Offer]:
        acting = host(self).acting
        tags = await self.ask(questions.tags(acting)) if acting is not None else None
        return [*tag_offers(tags or ()), *level_offers(self), *time_offers(), *await session_offers(self)]

    def refilter(self, chips: tuple[Chip, ...]) -> None:
        self.chips = chips
        self.reload(keep=True)

    def allows(self, predicate: str) -> bool:
        if predicate == "not_typing":
            return not isinstance(self.screen.focused, Input)
        if predicate in ("may_delete", "may_edit", "may_end"):
            able = self.table.row_count > 0
            if predicate != "may_edit":
                able = self._deletable or (predicate == "may_end" and bool(self.table.marked))
            return able and super().allows("may_write")
        return super().allows(predicate)

    # What came of it.

    @on(PagedList.Answered)
    def _answered(self, event: PagedList.Answered) -> None:
        if event.failed is not None:
            self.say_failed(event.failed)
            self.post_message(FailureMet(event.failed))
            return
        empty = EMPTY if super().allows("may_write") else EMPTY_READ_ONLY
        self.table.note = NO_MATCH if self.state.narrowed else empty
        self.table.refresh()
        self._say_count()

    def say_failed(self, failed: Failed) -> None:
        """Says in place of rows why there are none."""
        self.table.note = (str(failed.why).capitalize(), "", *failed.message.split("; "))
        self.table.refresh()

    def _say_count(self) -> None:
        table = self.table
        of = f" of {self.state.total:,}" if self.state.narrowed and self.state.total is not None else ""
        took = f"   {table.milliseconds:.0f} ms" if setting_of(self).timings else ""
        marked = f"{len(table.marked):,} marked   " if table.marked else ""
        words = Content(f"{table.spinner} {marked}{table.length}{of}{took}")
        self.query_one("#count", Static).update(words, layout=False)

    @on(RowList.Marked)
    def _marked(self) -> None:
        self._say_count()
        self.tell_where()

    @on(PagedList.Moved)
    def _moved(self) -> None:
        if self._moving is not None:
            self._moving.stop()
        typing = isinstance(self.screen.focused, Input)
        self._moving = self.set_timer(DETAIL_WHILE_TYPING if typing else DETAIL_SECONDS, self._show_detail)

    @work(exclusive=True, group="memory-detail")
    async def _show_detail(self) -> None:
        self._moving = None
        acting, row = host(self).acting, self.table.current
        if acting is None or row is None:
            self.detail.say()
            self._shown, self._deletable = None, False
            self.tell_where()
            return
        found = await self.ask(questions.detail(acting, row.memory.key, self.state.question.words))
        if found is None or host(self).acting is not acting:
            return
        self._deletable = found.ladder.deletable
        if found.version is None:
            self.detail.say("This memory is no longer there.")
        else:
            shown = (found.key, found.version.id)
            self.detail.show_version(found.version, standing(found.ladder), found.spans, top=shown != self._shown)
            self._shown = shown
        self.tell_where()

    @on(PagedList.Chosen)
    def _chosen(self) -> None:
        key = self.selected_key()
        if key is not None:
            self.post_message(Inspect(key))
