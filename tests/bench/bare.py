"""What tfmem is measured against: bare ``sqlite3`` with one FTS5 index, the same rows and the same durability.

No levels, no gate, no versions. A save writes the row, its tags, its full-text row and a log row in one transaction
with ``synchronous=FULL``; a search is ``ORDER BY bm25()``.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from tfmem_tui.core.importing import ImportedMemory

SCHEMA = """
CREATE TABLE memory (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, content TEXT NOT NULL, tags TEXT NOT NULL,
                     saved_at INTEGER NOT NULL);
CREATE INDEX memory_saved ON memory (saved_at);
CREATE TABLE memory_tag (tag TEXT, saved_at INTEGER, key TEXT, id INTEGER, PRIMARY KEY (tag, saved_at, key))
WITHOUT ROWID;
CREATE TABLE log (seq INTEGER PRIMARY KEY, at INTEGER, action TEXT, key TEXT, detail TEXT);
CREATE VIRTUAL TABLE fts USING fts5(key, content, tags, content='', tokenize='porter unicode61 remove_diacritics 2');
"""


class Bare:
    """The yardstick."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = FULL")
        self.db.execute("PRAGMA cache_size = -16384")
        self.db.executescript(SCHEMA)

    def fill(self, rows: Iterable[ImportedMemory]) -> None:
        self.db.execute("BEGIN")
        for row in rows:
            self._insert(row.key, row.content, row.tags, int(row.saved_at.timestamp() * 1e6))
        self.db.execute("COMMIT")

    def _insert(self, key: str, content: str, tags: tuple[str, ...], at: int) -> None:
        cursor = self.db.execute(
            "INSERT INTO memory (key, content, tags, saved_at) VALUES (?, ?, ?, ?)",
            (key, content, json.dumps(tags), at),
        )
        self.db.executemany(
            "INSERT OR IGNORE INTO memory_tag VALUES (?, ?, ?, ?)", [(tag, at, key, cursor.lastrowid) for tag in tags]
        )
        self.db.execute(
            "INSERT INTO fts (rowid, key, content, tags) VALUES (?, ?, ?, ?)",
            (cursor.lastrowid, key, content, " ".join(tags)),
        )

    def save(self, key: str, content: str, tags: tuple[str, ...], at: int) -> None:
        self.db.execute("BEGIN IMMEDIATE")
        self._insert(key, content, tags, at)
        self.db.execute("INSERT INTO log (at, action, key, detail) VALUES (?, 'save', ?, '')", (at, key))
        self.db.execute("COMMIT")

    def get(self, key: str) -> list[tuple[object, ...]]:
        return self.db.execute("SELECT key, content, tags, saved_at FROM memory WHERE key = ?", (key,)).fetchall()

    def search(self, words: str, limit: int) -> list[tuple[object, ...]]:
        expression = " OR ".join(f'"{word}"' if word[-1] != "*" else f'"{word[:-1]}" *' for word in words.split())
        return self.db.execute(
            "SELECT m.key, m.content, m.tags FROM fts JOIN memory m ON m.id = fts.rowid WHERE fts MATCH ? "
            "ORDER BY bm25(fts) LIMIT ?",
            (expression, limit),
        ).fetchall()

    def by_tag(self, tag: str, limit: int) -> list[tuple[object, ...]]:
        return self.db.execute(
            "SELECT m.key, m.content, m.tags FROM memory_tag t JOIN memory m ON m.id = t.id WHERE t.tag = ? "
            "ORDER BY t.saved_at DESC LIMIT ?",
            (tag, limit),
        ).fetchall()

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        return self.db.execute(sql).fetchall()
