"""The effective memories of a taint as SQL: shadowing first, filters after (G3), one arm per level, merged (G7).

Each arm reads one level through that level's own part of an index and drops what a higher live version, itself at
or below the taint, shadows. Nothing above the taint is named in any statement.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tfmem_tui.core.context import from_micros, optional_time, to_micros
from tfmem_tui.core.level import Level, can_flow_to, readable
from tfmem_tui.core.records import (
    NO_FILTERS,
    PREVIEW_CHARACTERS,
    Cursor,
    Filters,
    MemorySummary,
    MemoryVersion,
    Order,
    Page,
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
SORTED_CONTENT_CHARACTERS = 64
# Rows at given places, a JSON array: driven by the places, whatever index the planner would like better.
AT_PLACES = "json_each(?) AS j CROSS JOIN memory AS m ON m.place = j.value"

# (column, descending); a row's key is unique among effective memories, so every order is total.
NEWEST_FIRST = (("saved_at", True), ("key", False))
ORDERS: dict[Order, tuple[tuple[str, bool], ...]] = {
    Order.SAVED: NEWEST_FIRST,
    Order.KEY: (("key", True),),
    Order.LEVEL: (("level", True), *NEWEST_FIRST),
    Order.CONTENT: (("value", True), *NEWEST_FIRST),
    Order.TAGS: (("value", True), *NEWEST_FIRST),
}
VALUES = {
    Order.SAVED: "m.saved_at",
    Order.KEY: "m.key",
    Order.LEVEL: "m.level",
    Order.CONTENT: f"substr(m.content, 1, {SORTED_CONTENT_CHARACTERS})",
    Order.TAGS: "m.tags",
}


def to_version(row: Sequence[Any], now: int) -> MemoryVersion:
    """A version from ``VERSION_COLUMNS``. One past its expiry reads as ended then, swept up already or not."""
    (ident, key, level, content, tags, created, saved, by, expires, ended, ended_by, reason) = row
    if ended is None and isinstance(expires, int) and expires <= now:
        ended, ended_by, reason = expires, None, "expired"
    return MemoryVersion(
        id=ident,
        key=key,
        level=Level(level),
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
        level=Level(level),
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
    for tag in tags:
        parts.append(
            "EXISTS (SELECT 1 FROM memory_tag AS f WHERE f.level = m.level AND f.tag = ? "
            "AND f.saved_at = m.saved_at AND f.key = m.key)"
        )
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


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of effective memories: what it is ordered by and what it is filtered on."""

    scope: Scope
    order: Order = Order.SAVED
    descending: bool = True
    filters: Filters = NO_FILTERS

    def flipped(self) -> Listed:
        """The same list from its end."""
        return Listed(self.scope, self.order, not self.descending, self.filters)

    def _terms(self) -> list[tuple[str, bool]]:
        return [(column, desc == self.descending) for column, desc in ORDERS[self.order]]

    def order_by(self) -> str:
        """The ORDER BY over an arm's or the union's columns."""
        return ", ".join(f"{column} DESC" if desc else f"{column} ASC" for column, desc in self._terms())

    def beyond(self, cursor: Cursor) -> tuple[str, list[object]]:
        """The condition, on the alias ``d``, that a row comes after ``cursor``."""
        held = {"saved_at": cursor.saved_at, "key": cursor.key, "level": cursor.value, "value": cursor.value}
        names = {"saved_at": "d.saved_at", "key": "d.key", "level": "m.level", "value": VALUES[self.order]}
        terms = self._terms()
        first, first_desc = terms[0]
        cases, values = [], [held[first]]
        for at, (column, desc) in enumerate(terms):
            equal = [f"{names[earlier]} = ?" for earlier, _ in terms[:at]]
            cases.append(" AND ".join([*equal, f"{names[column]} {'<' if desc else '>'} ?"]))
            values += [held[earlier] for earlier, _ in terms[: at + 1]]
        # the bare bound on the first column lets the index start at the cursor
        bound = f"{names[first]} {'<=' if first_desc else '>='} ?"
        return f" AND {bound} AND ({' OR '.join(f'({case})' for case in cases)})", list(values)

    def arms(self, columns: str, extra: str = "", extra_values: Sequence[object] = ()) -> tuple[str, list[object]]:
        """One SELECT per level, joined by UNION ALL, and the values of all.

        ``columns`` and ``extra`` speak of ``d``, the row that drives the order (the version itself, or its tag's
        row where that is already in the asked order), and of ``m``, the version.
        """
        tags = self.filters.tags
        source = "memory AS m WHERE"
        driving: tuple[str, ...] = ()
        if tags and self.order is Order.SAVED:
            source = "memory_tag AS d CROSS JOIN memory AS m ON m.place = d.place WHERE d.tag = ? AND"
            driving, tags = tags[:1], tags[1:]
        alias = "d" if driving else "m"
        where, where_values = filter_sql(self.filters, tags)
        wanted = self.filters.levels
        levels = [level for level in self.scope.levels if wanted is None or level in wanted]
        arms = [
            f"SELECT {columns} FROM {source} d.level = {int(level)} AND {self.scope.live('m')} "
            f"AND {self.scope.unshadowed('d', level)}{where}{extra}"
            for level in levels
        ]
        union = " UNION ALL ".join(arms)
        return re.sub(r"\bd\.", f"{alias}.", union), [*driving, *where_values, *extra_values] * len(levels)


def page(
    tx: Transaction,
    listed: Listed,
    *,
    after: Cursor | None = None,
    before: Cursor | None = None,
    skip: int = 0,
    limit: int = 100,
    from_end: bool = False,
) -> Page:
    """Consecutive rows after (or before, or at the end of) a place in the list; ``skip`` leaves out the next ones."""
    backwards = before is not None or from_end
    walked = listed.flipped() if backwards else listed
    anchor = before if before is not None else after
    rows = list(_walk(tx, walked, anchor, skip, limit + 1))
    more = len(rows) > limit
    rows = rows[:limit]
    if backwards:
        rows.reverse()
    at_far_end, at_near_end = not more, anchor is None and skip == 0
    return Page(
        rows=tuple(to_summary(row[2:]) for row in rows),
        cursors=tuple(Cursor(row[1], row[9], row[3]) for row in rows),
        at_start=at_far_end if backwards else at_near_end,
        at_end=at_near_end if backwards else at_far_end,
    )


def _walk(tx: Transaction, listed: Listed, anchor: Cursor | None, skip: int, limit: int) -> Iterator[tuple[Any, ...]]:
    places = places_after(tx, listed, anchor, skip, limit)
    if not places:
        return
    found = {
        row[0]: row
        for row in tx.rows(
            f"SELECT m.place, {VALUES[listed.order]}, {SUMMARY_COLUMNS} FROM {AT_PLACES}",
            (json.dumps(places),),
        )
    }
    yield from (tuple(found[place]) for place in places)


def places_after(tx: Transaction, listed: Listed, anchor: Cursor | None, skip: int, limit: int) -> list[int]:
    """The places of rows that follow ``anchor`` in the list."""
    extra, extra_values = listed.beyond(anchor) if anchor is not None else ("", [])
    columns = "d.place AS place, d.saved_at AS saved_at, d.key AS key, d.level AS level"
    if listed.order in (Order.CONTENT, Order.TAGS):
        columns += f", {VALUES[listed.order]} AS value"
    union, values = listed.arms(columns, extra, extra_values)
    if not union:
        return []
    sql = f"{union} ORDER BY {listed.order_by()} LIMIT ? OFFSET ?"
    return [row[0] for row in tx.rows(sql, (*values, limit, skip))]


def count(tx: Transaction, listed: Listed, *, up_to: Cursor | None = None) -> int:
    """How many rows the list has; with ``up_to``, how many come before that place."""
    extra, extra_values = listed.flipped().beyond(up_to) if up_to is not None else ("", [])
    union, values = listed.arms("1", extra, extra_values)
    if not union:
        return 0
    return int(tx.value(f"SELECT count(*) FROM ({union})", tuple(values)))


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


def sorted_places(tx: Transaction, places: Sequence[int], order: Order, descending: bool) -> list[int]:
    """``places``, already gated, in the given order."""
    terms = [(column, desc == descending) for column, desc in ORDERS[order]]
    order_by = ", ".join(f"{column} DESC" if desc else f"{column} ASC" for column, desc in terms)
    rows = tx.rows(
        f"SELECT m.place, m.saved_at AS saved_at, m.key AS key, m.level AS level, {VALUES[order]} AS value "
        f"FROM {AT_PLACES} ORDER BY {order_by}",
        (json.dumps(list(places)),),
    )
    return [row[0] for row in rows]


def all_effective(tx: Transaction, scope: Scope) -> Iterator[MemoryVersion]:
    """Every effective memory, oldest first."""
    union, values = Listed(scope, descending=False).arms("d.place AS place, d.saved_at AS saved_at, d.key AS key")
    sql = f"SELECT {VERSION_COLUMNS} FROM ({union} ORDER BY saved_at ASC, key DESC) AS o JOIN memory AS m USING (place)"
    yield from (to_version(row, scope.now) for row in tx.rows(f"{sql} ORDER BY o.saved_at ASC, o.key DESC", values))
