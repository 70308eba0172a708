"""The ladder of a key as rows: a rung for every level, highest first, and under it the versions that it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style

from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.core.records import Ladder, MemoryVersion, Status
from tfmem_tui.tui.host import setting_of
from tfmem_tui.tui.times import ago
from tfmem_tui.tui.widgets.row_list import Cells, RowList

LEVEL, STATUS, SAVED = 15, 11, 10
HIDDEN = "not visible at this taint"


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A rung or, with ``nested``, a version under one. Without a status: a level above the taint."""

    level: Level
    status: Status | None
    version: MemoryVersion | None = None
    number: int = 0  # of the version at its level, the oldest being 1
    nested: bool = False

    @property
    def words(self) -> str:
        """How it stands, in a word or a few."""
        return HIDDEN if self.status is None else str(self.status)


def ladder_rows(ladder: Ladder, versions: Sequence[MemoryVersion]) -> tuple[LadderRow, ...]:
    """The rows of a ladder. Levels above the taint look alike, whatever is there (G2)."""
    rows: list[LadderRow] = [LadderRow(level, None) for level in reversed(ALL_LEVELS) if level > ladder.taint]
    for rung in ladder.rungs:
        rows.append(LadderRow(rung.level, rung.status, rung.version, rung.versions))
        held = [one for one in versions if one.level is rung.level]
        for place, one in enumerate(held):
            if rung.version is None or one.id != rung.version.id:
                status = Status(one.end_reason) if one.end_reason else Status.EFFECTIVE
                rows.append(LadderRow(rung.level, status, one, rung.versions - place, nested=True))
    return tuple(rows)


class LadderList(RowList):
    """Rungs and versions. One version at a time is marked, to be compared with another."""

    marks = True

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.rows: tuple[LadderRow, ...] = ()

    @property
    def current(self) -> LadderRow | None:
        """The row under the cursor."""
        return self.rows[self.cursor] if self.rows else None

    def value_at(self, index: int) -> MemoryVersion | None:
        return self.rows[index].version if 0 <= index < len(self.rows) else None

    def name_of(self, value: MemoryVersion) -> str:
        return value.id

    def action_mark(self) -> None:
        value = self.value_at(self.cursor)
        if value is not None and value.id not in self.marked:
            self.unmark()
        super().action_mark()

    def action_mark_range(self) -> None:
        """One version is marked, not several."""
        self.action_mark()

    def show(self, rows: tuple[LadderRow, ...]) -> None:
        """Shows other rows; the cursor stays on its version where that is still there, else goes to the winner."""
        stood = self.current
        self.rows = rows
        self.set_reactive(RowList.row_count, len(rows))
        self.fit()
        here = stood.version.id if stood is not None and stood.version is not None else None
        winner = next((at for at, row in enumerate(rows) if row.status is Status.EFFECTIVE), 0)
        same = (at for at, row in enumerate(rows) if row.version is not None and row.version.id == here)
        self.set_reactive(RowList.cursor, next(same, winner))
        self.see_cursor()
        self.refresh()
        self.post_message(self.Moved(self, self.cursor))

    def draw_header(self, width: int) -> Cells:
        """Titles."""
        content = max(8, width - 2 - LEVEL - STATUS - 4 - SAVED)
        return [Segment(f"  {'LEVEL':<{LEVEL}}{'STATE':<{STATUS}}{'V':<4}{'CONTENT':<{content}}{'SAVED':<{SAVED}}")]

    def draw_row(self, index: int, width: int) -> Cells | None:
        """A rung or a version."""
        row, quiet = self.rows[index], self.style_of("row--quiet")
        first = self.text(f"  {self.signs.branch}", LEVEL, quiet) if row.nested else self.level(row.level, LEVEL)
        if row.status is None or row.version is None:
            return [*first, *self.text(row.words, width - LEVEL - 2, quiet)]
        style = {
            Status.EFFECTIVE: self.style_of("row--good") + Style(bold=True),
            Status.DELETED: self.style_of("row--bad"),
        }
        content = max(8, width - 2 - LEVEL - STATUS - 4 - SAVED)
        lively = None if row.status in (Status.EFFECTIVE, Status.SHADOWED) else quiet
        return [
            *first,
            *self.text(row.words, STATUS, style.get(row.status, quiet)),
            *self.text(str(row.number), 4, quiet),
            *self.text(row.version.content[:400], content - 1, lively),
            Segment(" "),
            *self.text(ago(row.version.saved_at, setting_of(self).now()), SAVED, quiet),
        ]
