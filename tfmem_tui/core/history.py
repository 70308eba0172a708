"""What was: versions of a key, the ladder over the levels, tombstones. All of it at or below the taint (G2)."""

from __future__ import annotations

from collections.abc import Iterator

from tfmem_tui.core.effective import VERSION_COLUMNS, Scope, level_list, to_version
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import Ladder, MemoryVersion, Rung, Status
from tfmem_tui.core.schema import PLACE_BITS, first_place
from tfmem_tui.core.storage import Transaction


def versions(tx: Transaction, scope: Scope, key: str, limit: int) -> tuple[MemoryVersion, ...]:
    """Every version of ``key`` at the readable levels, ended ones included, newest first, then higher level first."""
    rows = tx.rows(f"{_of_key(scope)} ORDER BY saved_at DESC, level DESC, place DESC LIMIT ?", (key, key, limit))
    return tuple(to_version(row[:-1], scope.now) for row in rows)


def version(tx: Transaction, scope: Scope, key: str, ident: str) -> MemoryVersion | None:
    """One version by key and id, if it is at a readable level."""
    row = tx.row(f"{_of_key(scope, 'AND m.id = ?')} LIMIT 1", (key, ident) * 2)
    return None if row is None else to_version(row[:-1], scope.now)


def _of_key(scope: Scope, extra: str = "") -> str:
    """Live and ended versions of a key, each by its own partial index; the place comes last."""
    inside = level_list(scope.levels)
    of_key = f"m.level IN ({inside}) AND m.key = ? {extra}"
    arm = f"SELECT {VERSION_COLUMNS}, m.place FROM memory AS m WHERE {of_key} AND m.ended_at"
    return f"{arm} IS NULL UNION ALL {arm} IS NOT NULL"


def _rung(tx: Transaction, scope: Scope, level: Level, key: str) -> Rung:
    count = 0
    newest: MemoryVersion | None = None
    for ended in ("IS NULL", "IS NOT NULL"):
        where = f"FROM memory AS m WHERE m.level = {int(level)} AND m.key = ? AND m.ended_at {ended}"
        count += int(tx.value(f"SELECT count(*) {where}", (key,)))
        row = tx.row(f"SELECT {VERSION_COLUMNS} {where} ORDER BY m.saved_at DESC, m.place DESC LIMIT 1", (key,))
        if row is not None and newest is None:
            newest = to_version(row, scope.now)
    if newest is None:
        return Rung(level, Status.EMPTY, None, 0)
    if newest.ended_at is not None:
        return Rung(level, Status(newest.end_reason or "deleted"), newest, count)
    return Rung(level, Status.EFFECTIVE, newest, count)


def ladder(tx: Transaction, scope: Scope, key: str) -> Ladder:
    """The key at each readable level, highest first: which version wins, which it shadows (G3)."""
    rungs: list[Rung] = []
    winner: MemoryVersion | None = None
    below: MemoryVersion | None = None
    for level in reversed(scope.levels):
        rung = _rung(tx, scope, level, key)
        if rung.status is Status.EFFECTIVE and winner is not None:
            below = below or rung.version
            rung = Rung(level, Status.SHADOWED, rung.version, rung.versions)
        elif rung.status is Status.EFFECTIVE:
            winner = rung.version
        rungs.append(rung)
    deletable = bool(rungs) and rungs[0].status is Status.EFFECTIVE
    return Ladder(key, scope.taint, tuple(rungs), winner, below if deletable else None)


def tombstones(tx: Transaction, scope: Scope, key_contains: str, limit: int, skip: int) -> tuple[MemoryVersion, ...]:
    """Deleted versions at the readable levels, the latest delete first."""
    contains = " AND instr(m.key, ?) > 0" if key_contains else ""
    arms = " UNION ALL ".join(
        f"SELECT {VERSION_COLUMNS} FROM memory AS m WHERE m.level = {int(level)} AND m.end_reason = 'deleted'{contains}"
        for level in scope.levels
    )
    values = (key_contains,) * len(scope.levels) if key_contains else ()
    rows = tx.rows(
        f"{arms} ORDER BY ended_at DESC, key, level DESC, saved_at DESC LIMIT ? OFFSET ?",
        (*values, limit, skip),
    )
    return tuple(to_version(row, scope.now) for row in rows)


def count_tombstones(tx: Transaction, scope: Scope, key_contains: str = "") -> int:
    """How many versions at the readable levels, of keys that contain this, were ended by a delete."""
    contains, values = (" AND instr(key, ?) > 0", (key_contains,)) if key_contains else ("", ())
    ended = f"end_reason = 'deleted'{contains}"
    return sum(
        int(tx.value(f"SELECT count(*) FROM memory WHERE level = {int(level)} AND {ended}", values))
        for level in scope.levels
    )


def all_versions(tx: Transaction, scope: Scope) -> Iterator[MemoryVersion]:
    """Every version at the readable levels, ended ones included: level by level, in the order of their storing."""
    for level in scope.levels:
        rows = tx.rows(
            f"SELECT {VERSION_COLUMNS} FROM memory AS m WHERE m.place >= ? AND m.place < ? ORDER BY m.place",
            (first_place(level), first_place(level) + (1 << PLACE_BITS)),
        )
        yield from (to_version(row, scope.now) for row in rows)
