"""Audit: deleted records first, then the event log and pictures of it; whether the chain of every level holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import ContentSwitcher, Static

from tfmem_tui.core.records import AuditEvent, ChainReport
from tfmem_tui.tui import actions, questions
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.filters import Chip
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.progress import carried_through
from tfmem_tui.tui.questions import Pictured
from tfmem_tui.tui.screens.audit_acts import AuditActs
from tfmem_tui.tui.screens.view import FailureMet, Inspect, Pane
from tfmem_tui.tui.sources import SkipSource
from tfmem_tui.tui.widgets import pictures
from tfmem_tui.tui.widgets.audit_lists import EventList, TombstoneList
from tfmem_tui.tui.widgets.audit_text import chain_line, event_content
from tfmem_tui.tui.widgets.detail import DetailPane
from tfmem_tui.tui.widgets.paged_list import PagedList
from tfmem_tui.tui.widgets.row_list import RowList

NOTHING = {
    "deleted": ("Nothing deleted", "", "A deleted memory stays here with its full text."),
    "events": ("No events",),
}
NO_MATCH = ("No match", "", "The filters leave nothing; x drops the last one.")
LISTS = ("deleted", "events", "pictures")
SPANS = 60


@dataclass(frozen=True, slots=True)
class AuditState:
    """Which list is in sight, under which chips each stands, and what the last check of the chains found."""

    listed: str = "deleted"
    chips: Mapping[str, tuple[Chip, ...]] = field(default_factory=dict)
    chains: tuple[ChainReport, ...] | None = None


class AuditView(AuditActs):
    """Two lists and their pictures, which share one pane; the record under the cursor in full beside them."""

    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.AUDIT,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.AUDIT)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state = AuditState()
        self._pictured: Pictured | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="audit-line"):
            yield Static(id="audit-lists", markup=False)
            yield Static(id="audit-chips", markup=False)
            yield Static(id="chains", markup=False)
        with Horizontal(classes="panes"):
            with ContentSwitcher(initial="deleted", classes="pane -front", id="audit-pane"):
                yield TombstoneList(id="deleted")
                yield EventList(id="events")
                yield DetailPane(id="pictures")
            with Vertical(classes="pane side", id="record-pane"):
                yield DetailPane(id="record-detail")

    @property
    def rows(self) -> PagedList[Any] | None:
        """The list in sight, if it is one."""
        return None if self.state.listed == "pictures" else self.query_one(f"#{self.state.listed}", PagedList)

    @property
    def record(self) -> DetailPane:
        """The pane beside the lists."""
        return self.query_one("#record-detail", DetailPane)

    def panes(self) -> list[Pane]:
        front = self.query_one(f"#{self.state.listed}")
        return [Pane(self.query_one("#audit-pane"), front), Pane(self.query_one("#record-pane"), self.record)]

    def path(self) -> Content:
        return Content(f"Audit {setting_of(self).signs.cursor} {self.state.listed}")

    def selected_key(self) -> str | None:
        row = self.rows.current if self.rows is not None else None
        return None if row is None else row.key

    def layer_back(self) -> bool:
        if self.has_class("-zoomed"):
            self.zoom()
        elif not self.query_one("#audit-pane").display:
            self.show_pane(self.panes()[0])
        elif self.rows is not None and self.rows.unmark():
            pass
        elif self.chips:
            self.action_drop_filter()
        else:
            return False
        return True

    def forget(self) -> None:
        for rows in self.query(PagedList):
            rows.forget()
        self.state = replace(self.state, chains=None)
        self._pictured = None
        for pane in self.query(DetailPane):
            pane.say()
        self._say_line()

    def reload(self, *, keep: bool) -> None:
        acting, gateway, rows = host(self).acting, host(self).gateway, self.rows
        if acting is None:
            return
        if rows is None:
            self.run_worker(self._picture(), group="pictures", exclusive=True)
        elif self.state.listed == "deleted":
            key = next((chip.value for chip in self.chips if chip.kind == "key"), "")
            job, count = partial(questions.tombstones, acting, key), questions.tombstone_count(acting, key)
            rows.show(SkipSource(gateway, job, count), keep=keep)
        else:
            filters = self.event_filters()
            events, number = partial(questions.events, acting, filters), questions.event_count(acting, filters)
            rows.show(SkipSource(gateway, events, number), keep=keep)
        self._say_line()
        self.tell_where()

    async def _picture(self) -> None:
        acting = host(self).acting
        if acting is None:
            return
        self._pictured = await self.ask(questions.pictured(acting, SPANS))
        if host(self).acting is acting:
            self._draw_pictures()

    def _draw_pictures(self) -> None:
        acting, found = host(self).acting, self._pictured
        if acting is None or found is None:
            return
        pane, setting = self.query_one("#pictures", DetailPane), setting_of(self)
        pane.show(pictures.pictures(found, acting, setting, pane.size.width - 2), top=False)
        self.record.show(pictures.actions(found, setting, max(40, self.record.size.width - 2)), top=False)

    def on_resize(self) -> None:
        """Bars are as long as there is room."""
        if self.state.listed == "pictures":
            self._draw_pictures()

    @on(PagedList.Answered)
    def _answered(self, event: PagedList.Answered) -> None:
        if event.failed is not None:
            self.post_message(FailureMet(event.failed))
        if event.rows is self.rows:
            event.rows.note = NO_MATCH if self.chips else NOTHING[self.state.listed]
            event.rows.refresh()
            self._say_line()

    @on(RowList.Marked)
    def _marked(self) -> None:
        self._say_line()
        self.tell_where()

    def _say_line(self) -> None:
        rows, setting = self.rows, setting_of(self)
        names = [
            Content.styled(f" {name} ", "bold $key-text reverse" if name == self.state.listed else "$quiet")
            for name in LISTS
        ]
        count = f"   {rows.spinner}{rows.row_count:,}" if rows is not None and rows.row_count else ""
        marked = f"   {len(rows.marked):,} marked" if rows is not None and rows.marked else ""
        self.query_one("#audit-lists", Static).update(Content(" ").join(names) + Content(count + marked))
        self.query_one("#chains", Static).update(chain_line(self.state.chains, setting))
        self.say_chips("#audit-chips")

    @on(PagedList.Moved)
    def _moved(self, event: PagedList.Moved) -> None:
        if event.rows is not self.rows:
            return
        row = self.rows.current if self.rows is not None else None
        if row is None:
            self.record.say()
        elif isinstance(row, AuditEvent):
            self.record.show(event_content(row, setting_of(self)))
        else:
            self.record.show_version(row, "deleted")
        self.tell_where()  # what the keys may do depends on the row

    @on(PagedList.Chosen)
    def _chosen(self) -> None:
        key = self.selected_key()
        if key is not None:
            self.post_message(Inspect(key))

    def action_other_list(self) -> None:
        """Deleted records, events, pictures, in turn."""
        place = (LISTS.index(self.state.listed) + 1) % len(LISTS)
        self.state = replace(self.state, listed=LISTS[place])
        self.query_one("#audit-pane", ContentSwitcher).current = self.state.listed
        self.record.say()
        self.show_pane(self.panes()[0])
        self.reload(keep=True)

    @work(exclusive=True, group="chains")
    async def action_check(self) -> None:
        acting = host(self).acting
        if acting is None:
            return
        self.query_one("#chains", Static).update(Content.styled("checking the chains", "$quiet"))
        job = questions.verify(acting)
        chains = await carried_through(self, "Check the chains", job)
        if host(self).acting is acting:
            self.state = replace(self.state, chains=chains)
            self._say_line()
