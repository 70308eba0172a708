"""Exact counts of effective memories and of their tags, from whichever side of the shadow is the smaller.

Few memories are shadowed as a rule: a level is counted whole, from an index, and what higher levels shadow of it is
found by walking the fewer rows. All of it reads levels at or below the taint alone (G7).
"""

from __future__ import annotations

import json
from collections import Counter

from tfmem_tui.core import effective, lists
from tfmem_tui.core.effective import Scope, level_list
from tfmem_tui.core.level import Level
from tfmem_tui.core.lists import Listed
from tfmem_tui.core.records import Filters
from tfmem_tui.core.storage import Transaction


def by_level(tx: Transaction, scope: Scope) -> dict[Level, int]:
    """How many memories of each readable level are effective."""
    if scope.expiry:  # a few have run out and are not swept up yet: count one by one
        return {
            level: lists.count(tx, Listed(scope, filters=Filters(levels=frozenset({level})))) for level in scope.levels
        }
    live = _live(tx, scope)
    return {level: live[level] - len(_shadowed(tx, scope, level, live)) for level in scope.levels}


def tag_counts(tx: Transaction, scope: Scope, starting_with: str, limit: int) -> list[tuple[str, int]]:
    """Tags with the number of effective memories that carry each, most frequent first, then by name."""
    counts: Counter[str] = Counter()
    starts = " AND d.tag >= ? AND substr(d.tag, 1, ?) = ?" if starting_with else ""
    values = (starting_with, len(starting_with), starting_with) if starting_with else ()
    joined = f" JOIN memory AS m ON m.place = d.place AND {scope.live('m')}" if scope.expiry else ""
    live = _live(tx, scope)
    for level in scope.levels:
        sql = f"SELECT d.tag, count(*) FROM memory_tag AS d{joined} WHERE d.level = {int(level)}{starts} GROUP BY d.tag"
        counts.update(dict(tx.rows(sql, values)))
        for tags in _tags_of(tx, _shadowed(tx, scope, level, live)):
            counts.subtract(tag for tag in tags if tag.startswith(starting_with))
    held = [(tag, count) for tag, count in counts.items() if count > 0]
    return sorted(held, key=lambda row: (-row[1], row[0]))[:limit]


def _live(tx: Transaction, scope: Scope) -> dict[Level, int]:
    sql = "SELECT count(*) FROM memory WHERE level = {} AND ended_at IS NULL"
    return {level: int(tx.value(sql.format(int(level)))) for level in scope.levels}


def _shadowed(tx: Transaction, scope: Scope, level: Level, live: dict[Level, int]) -> list[int]:
    """The places of live versions of ``level`` that a visible higher live version shadows."""
    higher = [other for other in scope.levels if other > level]
    above = sum(live[other] for other in higher)
    if not above or not live[level]:
        return []
    inside = level_list(higher)
    if live[level] <= above:
        sql = (
            f"SELECT m.place FROM memory AS m WHERE m.level = {int(level)} AND {scope.live('m')} AND EXISTS "
            f"(SELECT 1 FROM memory AS h WHERE h.level IN ({inside}) AND h.key = m.key AND {scope.live('h')})"
        )
    else:
        sql = (
            f"SELECT DISTINCT m.place FROM memory AS h CROSS JOIN memory AS m ON m.level = {int(level)} "
            f"AND m.key = h.key AND {scope.live('m')} WHERE h.level IN ({inside}) AND {scope.live('h')}"
        )
    return [row[0] for row in tx.rows(sql)]


def _tags_of(tx: Transaction, places: list[int]) -> list[set[str]]:
    if not places:
        return []
    rows = tx.rows(f"SELECT m.tags FROM {effective.AT_PLACES}", (json.dumps(places),))
    return [set(json.loads(tags)) for (tags,) in rows]
