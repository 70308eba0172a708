"""The two lists of the audit: deleted records, and events."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style

from tfmem_tui.core.records import AuditEvent, MemoryVersion, Outcome, VersionRef
from tfmem_tui.tui.host import setting_of
from tfmem_tui.tui.times import ago
from tfmem_tui.tui.widgets.paged_list import PagedList
from tfmem_tui.tui.widgets.row_list import Cells

LEVEL, AGE, WHO, ACTION, OUTCOME = 15, 10, 18, 18, 9


class TombstoneList(PagedList[MemoryVersion]):
    """Deleted versions, the latest delete first."""

    inspects = marks = exports = True

    def name_of(self, value: MemoryVersion) -> VersionRef:
        return value.ref

    def _shares(self, width: int) -> tuple[int, int, int]:
        who = WHO if width >= 90 else 0
        free = max(20, width - 2 - LEVEL - AGE - who)
        return free * 38 // 100, free - free * 38 // 100, who

    def draw_header(self, width: int) -> Cells:
        """Titles."""
        key, content, who = self._shares(width)
        titles = f"  {'LEVEL':<{LEVEL}}{'KEY':<{key}}{'CONTENT':<{content}}"
        return [Segment(titles + (f"{'DELETED BY':<{who}}" if who else "") + f"{'DELETED':<{AGE}}")]

    def draw_row(self, index: int, width: int) -> Cells | None:
        """A deleted version."""
        one = self.row(index)
        if one is None:
            return None
        key, content, who = self._shares(width)
        quiet, gap = self.style_of("row--quiet"), Segment(" ")
        by = [*self.text(one.ended_by or "", who - 1, quiet), gap] if who else []
        ended = ago(one.ended_at, setting_of(self).now()) if one.ended_at is not None else ""
        return [
            *self.level(one.level, LEVEL),
            *self.text(one.key, key - 1, Style(bold=True)),
            gap,
            *self.text(one.content[:400], content - 1),
            gap,
            *by,
            *self.text(ended, AGE, quiet),
        ]


class EventList(PagedList[AuditEvent]):
    """Audit events, newest first."""

    inspects = marks = exports = True

    def name_of(self, value: AuditEvent) -> tuple[int, int]:
        return int(value.level), value.seq

    def _key(self, width: int) -> tuple[int, int]:
        who = WHO if width >= 90 else 0
        return max(8, width - 2 - AGE - LEVEL - ACTION - OUTCOME - who), who

    def draw_header(self, width: int) -> Cells:
        """Titles."""
        key, who = self._key(width)
        titles = f"  {'AGE':<{AGE}}{'LEVEL':<{LEVEL}}{'ACTION':<{ACTION}}{'OUTCOME':<{OUTCOME}}{'KEY':<{key}}"
        return [Segment(titles + (f"{'SESSION':<{who}}" if who else ""))]

    def draw_row(self, index: int, width: int) -> Cells | None:
        """An event."""
        one = self.row(index)
        if one is None:
            return None
        key, who = self._key(width)
        quiet = self.style_of("row--quiet")
        outcome = {Outcome.ALLOWED: quiet, Outcome.MISSED: quiet, Outcome.FORCED: self.style_of("row--match")}
        by = self.text(one.session, who, quiet) if who else []
        return [
            *self.text(ago(one.at, setting_of(self).now()), AGE, quiet),
            *self.level(one.level, LEVEL),
            *self.text(one.action, ACTION),
            *self.text(str(one.outcome), OUTCOME, outcome.get(one.outcome, self.style_of("row--bad"))),
            *self.text(one.key or "", key - 1, Style(bold=True)),
            Segment(" "),
            *by,
        ]
