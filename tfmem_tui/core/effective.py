"""The effective memories of a taint as SQL: shadowing first, filters after (G3), one arm per level, merged (G7).

Each arm reads one level through that level's own part of an index and drops what a higher live version, itself at
or below the taint, shadows. Nothing above the taint is named in any statement.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tfmem_tui.core.context import from_micros, optional_time, stored, to_micros
from tfmem_tui.core.level import Level, can_flow_to, readable
from tfmem_tui.core.records import (
    NO_FILTERS,
    PREVIEW_CHARACTERS,
    Filters,
    MemorySummary,
    MemoryVersion,
)
from tfmem_tui.core.storage import Transaction

VERSION_COLUMNS = (
    "m.id, m.key, m.level, m.content, m.tags, m.created_at, m.saved_at, m.saved_by, m.expires_at, m.ended_at, "
    "m.ended_by, m.end_reason"
)
SUMMARY_COLUMNS = (
    f"m.id, m.key, m.level, substr(m.content, 1, {PREVIEW_CHARACTERS}), length(m.content), m.tags, "
    "m.created_at, m.saved_at, m.saved_by"
)
# Rows at given places, a JSON array: driven by the places, whatever index the planner would like better.
AT_PLACES = "json_each(?) AS j CROSS JOIN memory AS m ON m.place = j.value"


def to_version(row: Sequence[Any], now: int) -> MemoryVersion:
    """A version from ``VERSION_COLUMNS``. One past its expiry reads as ended then, swept up already or not."""
    (ident, key, level, content, tags, created, saved, by, expires, ended, ended_by, reason) = row
    if ended is None and isinstance(expires, int) and expires <= now:
        ended, ended_by, reason = expires, None, "expired"
    return MemoryVersion(
        id=ident,
        key=key,
        level=stored(Level, level),
        content=content,
        tags=tuple(json.loads(tags)),
        created_at=from_micros(created),
        saved_at=from_micros(saved),
        saved_by=by,
        expires_at=optional_time(expires),
        ended_at=optional_time(ended),
        ended_by=ended_by,
        end_reason=reason,
    )


def to_summary(row: Sequence[Any]) -> MemorySummary:
    """A table row from ``SUMMARY_COLUMNS``."""
    ident, key, level, preview, size, tags, created, saved, by = row
    return MemorySummary(
        id=ident,
        key=key,
        level=stored(Level, level),
        preview=preview,
        size=size,
        tags=tuple(json.loads(tags)),
        created_at=from_micros(created),
        saved_at=from_micros(saved),
        saved_by=by,
    )


def level_list(levels: Sequence[Level]) -> str:
    """Levels as the inside of an SQL ``IN``."""
    return ", ".join(str(int(level)) for level in levels)


@dataclass(frozen=True, slots=True)
class Scope:
    """What a session at ``taint`` may see at the moment ``now`` (µs)."""

    taint: Level
    now: int
    expiry: bool  # whether a visible version is past its expiry and not yet ended

    @classmethod
    def at(cls, tx: Transaction, taint: Level, now: int) -> Scope:
        """The scope, having looked whether expiry matters at all: mostly it does not, and costs nothing then."""
        sql = (
            f"SELECT 1 FROM memory WHERE level IN ({level_list(readable(taint))}) AND ended_at IS NULL "
            "AND expires_at IS NOT NULL AND expires_at <= ? LIMIT 1"
        )
        return cls(taint, now, tx.row(sql, (now,)) is not None)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The readable levels, lowest first."""
        return readable(self.taint)

    def live(self, alias: str) -> str:
        """The condition that a version has not ended, by an act or by time."""
        unexpired = f" AND ({alias}.expires_at IS NULL OR {alias}.expires_at > {self.now})" if self.expiry else ""
        return f"{alias}.ended_at IS NULL{unexpired}"

    def unshadowed(self, alias: str, level: Level) -> str:
        """The condition that no visible higher live version has the key (G3)."""
        higher = [other for other in self.levels if other > level and can_flow_to(level, other)]
        if not higher:
            return "1"
        return (
            f"NOT EXISTS (SELECT 1 FROM memory AS h WHERE h.level IN ({level_list(higher)}) "
            f"AND h.key = {alias}.key AND {self.live('h')})"
        )

    def visible(self, alias: str) -> str:
        """The condition that a version of any level is effective in this scope, for rows found by their place."""
        arms = (f"({alias}.level = {int(x)} AND {self.unshadowed(alias, x)})" for x in self.levels)
        return f"{self.live(alias)} AND ({' OR '.join(arms)})"


def filter_sql(filters: Filters, tags: tuple[str, ...]) -> tuple[str, list[object]]:
    """``filters``, and those of its tags that are named, as SQL on the alias ``m``, and its values."""
    parts: list[str] = []
    values: list[object] = []
    has = "EXISTS (SELECT 1 FROM memory_tag AS f WHERE f.level = m.level AND f.tag = ? AND f.saved_at = m.saved_at "
    has += "AND f.key = m.key)"
    for tag, wanted in [*((tag, has) for tag in tags), *((tag, f"NOT {has}") for tag in filters.without_tags)]:
        parts.append(wanted)
        values.append(tag)
    if filters.since is not None:
        parts.append("m.saved_at >= ?")
        values.append(to_micros(filters.since))
    if filters.before is not None:
        parts.append("m.saved_at < ?")
        values.append(to_micros(filters.before))
    if filters.session is not None:
        parts.append("m.saved_by = ?")
        values.append(filters.session)
    return "".join(f" AND {part}" for part in parts), values


def effective_version(tx: Transaction, scope: Scope, key: str) -> MemoryVersion | None:
    """What a session at the taint gets for ``key``: the highest visible live version."""
    row = tx.row(
        f"SELECT {VERSION_COLUMNS} FROM memory AS m WHERE m.level IN ({level_list(scope.levels)}) "
        f"AND m.key = ? AND {scope.live('m')} ORDER BY m.level DESC LIMIT 1",
        (key,),
    )
    return None if row is None else to_version(row, scope.now)


def by_place(
    tx: Transaction, scope: Scope, places: Sequence[int], columns: str, filters: Filters = NO_FILTERS
) -> dict[int, tuple[Any, ...]]:
    """The rows at ``places`` that are effective in the scope, by place; every other place is left out (G2, G3)."""
    where, values = filter_sql(filters, filters.tags)
    if filters.levels is not None:
        where += f" AND m.level IN ({level_list(sorted(filters.levels))})"
    rows = tx.rows(
        f"SELECT m.place, {columns} FROM {AT_PLACES} WHERE {scope.visible('m')}{where}",
        (json.dumps(list(places)), *values),
    )
    return {row[0]: tuple(row)[1:] for row in rows}


def count_expired(tx: Transaction, scope: Scope) -> int:
    """How many visible versions are past their expiry and not yet swept up."""
    sql = (
        f"SELECT count(*) FROM memory WHERE level IN ({level_list(scope.levels)}) AND ended_at IS NULL "
        "AND expires_at IS NOT NULL AND expires_at <= ?"
    )
    return int(tx.value(sql, (scope.now,)))
