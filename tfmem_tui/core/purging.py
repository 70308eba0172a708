"""Removing ended versions for good: the one act that takes anything out of history, and it says so (G5, G10).

What stays is an audit event with key, level and a content hash whose salt went with the text, so that the hash of a
short text cannot be guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tfmem_tui.core import search_index
from tfmem_tui.core.audit import Draft, append
from tfmem_tui.core.chain import content_hash
from tfmem_tui.core.context import StoreContext, stored
from tfmem_tui.core.effective import VERSION_COLUMNS, level_list, to_version
from tfmem_tui.core.errors import InvalidInput, NotFound
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import MemoryVersion, VersionRef
from tfmem_tui.core.storage import StorageProvider, Transaction


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What was purged, and whether every trace of it could be wiped from the files (an open reader prevents that)."""

    versions: int
    wiped: bool


def ended_before(tx: Transaction, levels: Sequence[Level], before: int, now: int) -> list[MemoryVersion]:
    """Tombstones and replaced or expired versions at ``levels`` that ended before a moment (µs), oldest first."""
    rows = tx.rows(
        f"SELECT {VERSION_COLUMNS} FROM memory AS m WHERE m.level IN ({level_list(levels)}) "
        "AND m.ended_at IS NOT NULL AND m.ended_at < ? ORDER BY m.ended_at, m.key",
        (before,),
    )
    return [to_version(row, now) for row in rows]


def purge(
    tx: Transaction, context: StoreContext, levels: Sequence[Level], refs: Iterable[VersionRef], session_id: str
) -> set[Level]:
    """Removes versions by name, each with an event at its level. Returns the levels touched.

    Raises ``NotFound`` for one that is not at ``levels`` and ``InvalidInput`` for one that has not ended.
    """
    touched: dict[Level, list[Draft]] = {}
    for ref in refs:
        row = tx.row(
            f"SELECT place, level, salt, key, content, tags, ended_at FROM memory "
            f"WHERE level IN ({level_list(levels)}) AND key = ? AND id = ? AND ended_at IS NOT NULL",
            (ref.key, ref.id),
        )
        if row is None:
            raise _not_purgeable(tx, levels, ref)
        place, level, salt, key, content, tags, _ = row
        tx.run("DELETE FROM memory WHERE place = ?", (place,))
        draft = Draft("purge", session_id, context.user, key, content_hash=content_hash(salt, key, content, tags))
        touched.setdefault(stored(Level, level), []).append(draft)
    for level, drafts in touched.items():
        append(tx, context, level, *drafts)
        search_index.optimize(tx, level)
    return set(touched)


def _not_purgeable(tx: Transaction, levels: Sequence[Level], ref: VersionRef) -> NotFound | InvalidInput:
    live = tx.row(
        f"SELECT 1 FROM memory WHERE level IN ({level_list(levels)}) AND key = ? AND id = ? AND ended_at IS NULL",
        (ref.key, ref.id),
    )
    if live:
        return InvalidInput("this version is live; only a deleted, replaced or expired one can be purged")
    return NotFound("no such version is visible to this session")


SEARCH_TEXTS = "action = 'memory_search' AND detail IS NOT NULL AND at < ?"


def searches_before(tx: Transaction, levels: Sequence[Level], before: int) -> dict[Level, int]:
    """How many audit events of searches older than a moment (µs) still hold what was searched for, by level."""
    sql = f"SELECT count(*) FROM audit_event WHERE level = ? AND {SEARCH_TEXTS}"
    counts = {level: int(tx.value(sql, (int(level), before))) for level in levels}
    return {level: count for level, count in counts.items() if count}


def purge_searches(
    tx: Transaction, context: StoreContext, levels: Sequence[Level], before: int, session_id: str
) -> int:
    """Destroys the texts of old searches and their salts; returns how many. The events and their hashes stay.

    An event at each level touched says how many there were.
    """
    found = searches_before(tx, levels, before)
    for level, count in found.items():
        sql = f"UPDATE audit_event SET detail = NULL, detail_salt = NULL WHERE level = ? AND {SEARCH_TEXTS}"
        tx.run(sql, (int(level), before))
        append(tx, context, level, Draft("purge_searches", session_id, context.user, detail={"searches": count}))
    return sum(found.values())


def wipe(storage: StorageProvider) -> bool:
    """Empties the write-ahead log, where old pages may still stand. False where an open reader prevents it."""
    with storage.unguarded() as tx:
        row = tx.row("PRAGMA wal_checkpoint(TRUNCATE)")
        return row is None or row[0] == 0
