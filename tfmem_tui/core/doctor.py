"""Checking a store, and rebuilding what is derived: the full-text rows and the tag rows, from the live versions.

The operator's act (G10): findings name tables and levels within the clearance, never stored text.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tfmem_tui.core import search_index
from tfmem_tui.core.audit import Draft, append
from tfmem_tui.core.context import StoreContext
from tfmem_tui.core.level import Level, readable
from tfmem_tui.core.salvage import DERIVED_ONLY, damaged_pages
from tfmem_tui.core.storage import Transaction
from tfmem_tui.core.verifying import check_contents, verify_chain

REPAIRABLE = ("full-text rows", "tag rows", "analyser", DERIVED_ONLY)
PASSING = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT)  # no sign of damage


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be: where, at which level (``None``: the file), and what."""

    what: str
    level: Level | None
    text: str

    @property
    def repairable(self) -> bool:
        """Whether ``repair`` can mend it: what is derived can be rebuilt, what was said cannot."""
        return self.what in REPAIRABLE


def examine(tx: Transaction, clearance: Level) -> Iterator[Finding]:
    """Everything found wrong: the file, full-text and tag rows against the live versions, chains, versions' texts.

    What a damaged page keeps one check from seeing is a finding too, and the other checks go on.
    """
    yield from (Finding(what, None, text) for what, text in damaged_pages(tx))
    yield from _seen("analyser", None, _analyser(tx))
    for level in readable(clearance):
        yield from _seen("full-text rows", level, _full_text(tx, level))
        yield from _seen("tag rows", level, _tags(tx, level))
        yield from _seen("audit chain", level, _chain(tx, level))
        yield from _seen("versions", level, _contents(tx, level))


def examine_file(path: Path) -> Iterator[Finding]:
    """What is wrong with a file that cannot be opened as a store; nothing is written in finding out."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            for (line,) in connection.execute("PRAGMA integrity_check(20)"):
                if line != "ok":
                    yield Finding("file", None, str(line))
    except sqlite3.Error:
        yield Finding("file", None, "SQLite cannot read it as a database; a backup is what can help")


def _seen(what: str, level: Level | None, found: Iterator[Finding]) -> Iterator[Finding]:
    try:
        yield from found
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in PASSING:
            raise
        yield Finding(what, level, "they cannot be read whole: the file is damaged where they stand")
    except (ValueError, TypeError, AttributeError, OverflowError):
        yield Finding(what, level, "what is stored there is not what any tfmem has written")


def _analyser(tx: Transaction) -> Iterator[Finding]:
    if search_index.made_with(tx) != search_index.MADE_WITH:
        yield Finding("analyser", None, "the full-text rows were made by another version of the analyser")


def _chain(tx: Transaction, level: Level) -> Iterator[Finding]:
    report = verify_chain(tx, level)
    if not report.ok:
        yield Finding("audit chain", level, f"event {report.broken_at}: {report.reason}")


def _contents(tx: Transaction, level: Level) -> Iterator[Finding]:
    for seq, text in check_contents(tx, level):
        yield Finding("versions", level, text if seq is None else f"event {seq}: {text}")


def _full_text(tx: Transaction, level: Level) -> Iterator[Finding]:
    wrong = search_index.difference(tx, level)
    if wrong:
        yield Finding("full-text rows", level, f"{wrong} entries differ from what the live versions say")


def _tags(tx: Transaction, level: Level) -> Iterator[Finding]:
    live = tx.rows(
        "SELECT tag.value, m.saved_at, m.key, m.place FROM memory AS m, json_each(m.tags) AS tag "
        "WHERE m.level = ? AND m.ended_at IS NULL",
        (int(level),),
    )
    expected = set(live)
    held = set(tx.rows("SELECT tag, saved_at, key, place FROM memory_tag WHERE level = ?", (int(level),)))
    if expected != held:
        yield Finding("tag rows", level, f"{len(expected ^ held)} rows differ from what the live versions say")


def rebuild(tx: Transaction, context: StoreContext, clearance: Level, session_id: str) -> None:
    """Refills the full-text and tag rows of every level within the clearance, with an event at each."""
    for level in readable(clearance):
        count = search_index.rebuild(tx, level)
        tx.run("DELETE FROM memory_tag WHERE level = ?", (int(level),))
        rows = tx.rows(
            "SELECT place, key, saved_at, tags FROM memory WHERE level = ? AND ended_at IS NULL", (int(level),)
        ).fetchall()
        tx.run_many(
            "INSERT OR IGNORE INTO memory_tag (level, tag, saved_at, key, place, position) VALUES (?, ?, ?, ?, ?, ?)",
            [
                (int(level), tag, saved_at, key, place, position)
                for place, key, saved_at, tags in rows
                for position, tag in enumerate(json.loads(tags))
            ],
        )
        append(tx, context, level, Draft("repair", session_id, context.user, detail={"memories": count}))
    if clearance is max(Level):
        search_index.mark_made(tx)
