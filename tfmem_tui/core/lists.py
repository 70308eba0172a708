"""Lists of effective memories in an order: pages from any place, counts, positions; one arm per level, merged (G7)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tfmem_tui.core.effective import (
    AT_PLACES,
    SUMMARY_COLUMNS,
    VERSION_COLUMNS,
    Scope,
    by_place,
    filter_sql,
    to_summary,
    to_version,
)
from tfmem_tui.core.records import NO_FILTERS, Cursor, Filters, MemorySummary, MemoryVersion, Order, Page
from tfmem_tui.core.storage import Transaction

SORTED_CONTENT_CHARACTERS = 64
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

    def arms(
        self, columns: str, extra: str = "", extra_values: Sequence[object] = (), *, shadowed: bool = False
    ) -> tuple[str, list[object]]:
        """One SELECT per level, joined by UNION ALL, and the values of all; with ``shadowed`` those rows too.

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
            f"AND {'1' if shadowed else self.scope.unshadowed('d', level)}{where}{extra}"
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
        return _sorted_then_gated(tx, listed, columns, extra, extra_values, skip, limit)
    union, values = listed.arms(columns, extra, extra_values)
    if not union:
        return []
    sql = f"{union} ORDER BY {listed.order_by()} LIMIT ? OFFSET ?"
    return [row[0] for row in tx.rows(sql, (*values, limit, skip))]


def _sorted_then_gated(
    tx: Transaction,
    listed: Listed,
    columns: str,
    extra: str,
    extra_values: Sequence[object],
    skip: int,
    limit: int,
) -> list[int]:
    """For an order that no index has: rows are sorted first, and only as many as the page needs asked for a shadow."""
    union, values = listed.arms(columns, extra, extra_values, shadowed=True)
    wanted, asked = skip + limit, 2 * (skip + limit) + 64
    while union:
        rows = tx.rows(f"{union} ORDER BY {listed.order_by()} LIMIT ?", (*values, asked))
        places = [row[0] for row in rows]
        visible = by_place(tx, listed.scope, places, "1")
        kept = [place for place in places if place in visible]
        if len(kept) >= wanted or len(places) < asked:
            return kept[skip:wanted]
        asked *= 4
    return []


def count(tx: Transaction, listed: Listed, *, up_to: Cursor | None = None) -> int:
    """How many rows the list has; with ``up_to``, how many come before that place."""
    extra, extra_values = listed.flipped().beyond(up_to) if up_to is not None else ("", [])
    union, values = listed.arms("1", extra, extra_values)
    if not union:
        return 0
    return int(tx.value(f"SELECT count(*) FROM ({union})", tuple(values)))


def places_of(tx: Transaction, rows: Sequence[MemorySummary]) -> list[int]:
    """The places of effective memories, in their order."""
    sql = "SELECT place FROM memory WHERE level = ? AND key = ? AND ended_at IS NULL"
    found = (tx.value(sql, (int(row.level), row.key)) for row in rows)
    return [place for place in found if place is not None]


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
