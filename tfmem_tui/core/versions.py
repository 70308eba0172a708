"""Writing versions: one begins, one ends, each with its tags and full-text row, at one level and no other (G7, G9)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from tfmem_tui.core import search_index
from tfmem_tui.core.chain import content_hash
from tfmem_tui.core.context import StoreContext
from tfmem_tui.core.level import Level
from tfmem_tui.core.schema import first_place
from tfmem_tui.core.storage import Transaction

SWEPT_AT_ONCE = 64
INSERT = (
    "INSERT INTO memory (place, id, key, level, content, tags, created_at, saved_at, saved_by, expires_at, "
    "ended_at, ended_by, end_reason, salt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT_TAG = "INSERT OR IGNORE INTO memory_tag (level, tag, saved_at, key, place, position) VALUES (?, ?, ?, ?, ?, ?)"
LIVE_ROW = "SELECT place, key, level, content, tags, saved_at, created_at, expires_at FROM memory"


@dataclass(frozen=True, slots=True)
class LiveRow:
    """A version that has not been ended (it may be past its expiry). Times in microseconds."""

    place: int
    key: str
    level: int
    content: str
    tags: str
    saved_at: int
    created_at: int
    expires_at: int | None


@dataclass(frozen=True, slots=True)
class NewVersion:
    """What a version is made of. Times in microseconds; ``tags`` is a JSON array."""

    key: str
    level: Level
    content: str
    tags: str
    created_at: int
    saved_at: int
    saved_by: str
    expires_at: int | None = None
    ended_at: int | None = None
    ended_by: str | None = None
    end_reason: str | None = None
    ident: str | None = None  # of a version that another store had; a new one gets a new id

    def columns(self) -> tuple[object, ...]:
        """The columns of ``INSERT`` between the id and the salt."""
        return (
            self.key,
            int(self.level),
            self.content,
            self.tags,
            self.created_at,
            self.saved_at,
            self.saved_by,
            self.expires_at,
            self.ended_at,
            self.ended_by,
            self.end_reason,
        )


def live_row(tx: Transaction, level: Level, key: str) -> LiveRow | None:
    """The live row of ``key`` at ``level``, by the unique live index."""
    row = tx.row(f"{LIVE_ROW} WHERE level = ? AND key = ? AND ended_at IS NULL", (int(level), key))
    return None if row is None else LiveRow(*row)


def begin(tx: Transaction, context: StoreContext, version: NewVersion) -> tuple[str, bytes]:
    """Stores a version and, if it is live, its tags and full-text row. Returns its id and content hash."""
    return begin_many(tx, context, version.level, [version])[0]


def begin_many(
    tx: Transaction, context: StoreContext, level: Level, new: Sequence[NewVersion]
) -> list[tuple[str, bytes]]:
    """``begin`` for several versions of one level at once; no two of them may be live under one key."""
    rows, tags, texts, answers = [], [], [], []
    for place, version in enumerate(new, _next_place(tx, level)):
        ident, salt = version.ident or context.entropy.id(level), context.entropy.salt(level)
        rows.append((place, ident, *version.columns(), salt))
        answers.append((ident, content_hash(salt, version.key, version.content, version.tags)))
        if version.ended_at is None:
            labels = json.loads(version.tags)
            tags += [(int(level), tag, version.saved_at, version.key, place, at) for at, tag in enumerate(labels)]
            texts.append((place, version.key, version.content, labels))
    tx.run_many(INSERT, rows)
    if tags:
        tx.run_many(INSERT_TAG, tags)
    search_index.add(tx, level, texts)
    return answers


def end(tx: Transaction, row: LiveRow, at: int, by: str | None, reason: str) -> None:
    """Ends a live version: it stays, its tags and full-text row go."""
    tx.run(
        "UPDATE memory SET ended_at = ?, ended_by = ?, end_reason = ? WHERE place = ?",
        (at, by, reason, row.place),
    )
    tags = json.loads(row.tags)
    if tags:
        tx.run_many(
            "DELETE FROM memory_tag WHERE level = ? AND tag = ? AND saved_at = ? AND key = ?",
            [(row.level, tag, row.saved_at, row.key) for tag in tags],
        )
    search_index.remove(tx, Level(row.level), row.place, row.key, row.content, tags)


def sweep(tx: Transaction, level: Level, now: int) -> None:
    """Ends versions of ``level`` that are past their expiry, a few at each write; reads do not depend on it."""
    rows = tx.rows(
        f"{LIVE_ROW} WHERE level = ? AND ended_at IS NULL AND expires_at IS NOT NULL AND expires_at <= ? "
        "ORDER BY expires_at LIMIT ?",
        (int(level), now, SWEPT_AT_ONCE),
    ).fetchall()
    for row in rows:
        _expire(tx, LiveRow(*row))


def _expire(tx: Transaction, row: LiveRow) -> None:
    assert row.expires_at is not None
    end(tx, row, row.expires_at, None, "expired")


def make_room(tx: Transaction, level: Level, key: str, now: int, by: str) -> int | None:
    """Ends the live version that a save replaces. Returns the key's first ``created_at`` at this level, if any."""
    row = live_row(tx, level, key)
    if row is None:
        return first_created(tx, level, key)
    if row.expires_at is not None and row.expires_at <= now:
        _expire(tx, row)
    else:
        end(tx, row, now, by, "replaced")
    return row.created_at


def first_created(tx: Transaction, level: Level, key: str) -> int | None:
    """``created_at`` of the ended versions of a key at a level: all carry that of the first, also over a delete."""
    created = tx.value(
        "SELECT created_at FROM memory WHERE level = ? AND key = ? AND ended_at IS NOT NULL LIMIT 1",
        (int(level), key),
    )
    return None if created is None else int(created)


def _next_place(tx: Transaction, level: Level) -> int:
    first = first_place(level)
    last = tx.value(
        "SELECT max(place) FROM memory WHERE place >= ? AND place < ?", (first, first_place(Level(1)) + first)
    )
    return (first if last is None else int(last)) + 1
