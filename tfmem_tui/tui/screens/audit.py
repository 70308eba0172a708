"""Audit: deleted records first, then the event log, and whether the chain of every visible level holds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import ContentSwitcher, Static

from tfmem_tui.core.records import AuditEvent, ChainReport
from tfmem_tui.tui import actions, questions, safe_text
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.screens.view import FailureMet, Inspect, Pane, View
from tfmem_tui.tui.sources import SkipSource
from tfmem_tui.tui.times import exact
from tfmem_tui.tui.widgets.audit_lists import EventList, TombstoneList
from tfmem_tui.tui.widgets.detail import DetailPane, level_content
from tfmem_tui.tui.widgets.paged_list import PagedList

NOTHING = {
    "deleted": ("Nothing deleted", "", "A deleted memory stays here with its full text."),
    "events": ("No events",),
}


@dataclass(frozen=True, slots=True)
class AuditState:
    """Which list is in sight, and what the last check of the chains found."""

    listed: str = "deleted"
    chains: tuple[ChainReport, ...] | None = None


class AuditView(View):
    """Two lists that share one pane, and the record under the cursor in full."""

    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.AUDIT,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.AUDIT)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state = AuditState()

    def compose(self) -> ComposeResult:
        with Horizontal(id="audit-line"):
            yield Static(id="audit-lists", markup=False)
            yield Static(id="chains", markup=False)
        with Horizontal(classes="panes"):
            with ContentSwitcher(initial="deleted", classes="pane -front", id="audit-pane"):
                yield TombstoneList(id="deleted")
                yield EventList(id="events")
            with Vertical(classes="pane side", id="record-pane"):
                yield DetailPane(id="record-detail")

    @property
    def rows(self) -> PagedList[Any]:
        """The list in sight."""
        return self.query_one(f"#{self.state.listed}", PagedList)

    def panes(self) -> list[Pane]:
        return [
            Pane(self.query_one("#audit-pane"), self.rows),
            Pane(self.query_one("#record-pane"), self.query_one(DetailPane)),
        ]

    def path(self) -> Content:
        return Content(f"Audit {setting_of(self).signs.cursor} {self.state.listed}")

    def selected_key(self) -> str | None:
        row = self.rows.current
        return None if row is None else row.key

    def layer_back(self) -> bool:
        if self.has_class("-zoomed"):
            self.zoom()
            return True
        if not self.query_one("#audit-pane").display:
            self.show_pane(self.panes()[0])
            return True
        return False

    def forget(self) -> None:
        for rows in self.query(PagedList):
            rows.forget()
        self.state = replace(self.state, chains=None)
        self.query_one(DetailPane).say()
        self._say_line()

    def reload(self, *, keep: bool) -> None:
        acting, gateway = host(self).acting, host(self).gateway
        if acting is None:
            return
        source: SkipSource[Any] = (
            SkipSource(gateway, partial(questions.tombstones, acting), questions.tombstone_count(acting))
            if self.state.listed == "deleted"
            else SkipSource(gateway, partial(questions.events, acting), questions.event_count(acting))
        )
        self.rows.show(source, keep=keep)
        self.tell_where()

    @on(PagedList.Answered)
    def _answered(self, event: PagedList.Answered) -> None:
        event.rows.note = NOTHING[self.state.listed]
        event.rows.refresh()
        if event.failed is not None:
            self.post_message(FailureMet(event.failed))
        self._say_line()

    def _say_line(self) -> None:
        rows, signs = self.rows, setting_of(self).signs
        names = [
            Content.styled(f" {name} ", "bold $key-text reverse" if name == self.state.listed else "$quiet")
            for name in ("deleted", "events")
        ]
        count = f"   {rows.row_count:,}" if rows.row_count else ""
        self.query_one("#audit-lists", Static).update(names[0] + Content(" ") + names[1] + Content(count))
        self.query_one("#chains", Static).update(chain_line(self.state.chains, setting_of(self)) or Content(signs.dot))

    @on(PagedList.Moved)
    def _moved(self) -> None:
        row, pane = self.rows.current, self.query_one(DetailPane)
        if row is None:
            pane.say()
        elif isinstance(row, AuditEvent):
            pane.show(event_content(row, setting_of(self)))
        else:
            pane.show_version(row, "deleted")
        self.tell_where()  # what the keys may do depends on the row

    @on(PagedList.Chosen)
    def _chosen(self) -> None:
        key = self.selected_key()
        if key is not None:
            self.post_message(Inspect(key))

    def action_other_list(self) -> None:
        """Deleted records or events."""
        self.state = replace(self.state, listed="events" if self.state.listed == "deleted" else "deleted")
        self.query_one("#audit-pane", ContentSwitcher).current = self.state.listed
        self.show_pane(self.panes()[0])
        self.reload(keep=True)

    @work(exclusive=True, group="chains")
    async def action_check(self) -> None:
        acting = host(self).acting
        if acting is None:
            return
        self.query_one("#chains", Static).update(Content.styled("checking the chains", "$quiet"))
        chains = await self.ask(questions.verify(acting))
        if host(self).acting is acting:
            self.state = replace(self.state, chains=chains)
            self._say_line()


def chain_line(chains: Sequence[ChainReport] | None, setting: Setting) -> Content:
    """The state of each chain in one line; the first flaw is named by its event."""
    if chains is None:
        return Content.styled("chains not checked", "$quiet")
    parts: list[Content] = []
    for one in chains:
        level = level_content(one.level, setting)
        if one.ok:
            parts.append(level + Content.styled(f" {setting.signs.yes} {one.events:,}", "$success"))
        else:
            parts.append(level + Content.styled(f" {setting.signs.no} event {one.broken_at}: {one.reason}", "$error"))
    return Content("   ").join(parts)


def event_content(event: AuditEvent, setting: Setting) -> Content:
    """An event in full."""
    rows: list[tuple[str, Content]] = [
        ("level", level_content(event.level, setting)),
        ("event", Content(f"{event.seq:,} of this level's chain")),
        ("at", Content(exact(event.at))),
        ("outcome", Content(str(event.outcome))),
        ("session", safe_text.line(event.session, 64)),
        ("user", safe_text.line(event.user, 64)),
    ]
    if event.key is not None:
        rows.append(("key", safe_text.line(event.key, 260)))
    lines = [safe_text.line(event.action, 64).stylize("bold")]
    lines += [Content.styled(f"{name:<9}", "$quiet") + value for name, value in rows]
    if event.detail:
        lines += [Content(""), safe_text.block(json.dumps(dict(event.detail), ensure_ascii=False, indent=2))]
    hashes = [("content", event.content_hash), ("before", event.prev_hash), ("hash", event.hash)]
    lines += [Content("")] + [Content.styled(f"{name:<9}{value[:32]}", "$quiet") for name, value in hashes if value]
    return Content("\n").join(lines)
