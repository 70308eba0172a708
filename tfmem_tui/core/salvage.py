"""Damaged pages: which they are, and a file made anew from what was said where only what is derived is damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tfmem_tui.core import migrate
from tfmem_tui.core.errors import StoreUnavailable
from tfmem_tui.core.storage import SqliteFile, Transaction, make_file, translated

SAID = ("memory", "audit_event", "agent_session", "store_meta")  # all else can be made from these
DERIVED_ONLY, FILE = "pages", "file"
MOST_LINES = 20


def damaged_pages(tx: Transaction) -> list[tuple[str, str]]:
    """What SQLite finds wrong with the pages; ``DERIVED_ONLY`` where all that was said can still be read."""
    lines = _lines(tx, f"PRAGMA integrity_check({MOST_LINES})")
    if not lines:
        return []
    kind = DERIVED_ONLY if all(_readable(tx, table) for table in SAID) else FILE
    damaged = [name for name in _tables(tx) if _lines(tx, f'PRAGMA integrity_check("{name}")')]
    where = f" (in {', '.join(damaged)})" if damaged else ""
    return [(kind, f"{line}{where}") for line in lines]


def _lines(tx: Transaction, pragma: str) -> list[str]:
    found: list[str] = []
    try:
        found.extend(str(line) for (line,) in tx.rows(pragma) if line != "ok")
    except sqlite3.DatabaseError:
        found.append("the check itself met a damaged page")
    return found


def _tables(tx: Transaction) -> list[str]:
    return [str(name) for (name,) in tx.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")]


def _readable(tx: Transaction, table: str) -> bool:
    """Whether every row of the table is read, without any index over it."""
    try:
        for _ in tx.rows(f"SELECT * FROM {table} NOT INDEXED"):
            pass
    except sqlite3.DatabaseError:
        return False
    return True


def make_anew(path: Path, finish: Callable[[SqliteFile], None]) -> None:
    """Makes the store at ``path`` anew from what was said, in one transaction of SQLite's own.

    ``finish`` fills what is derived in the new file and looks it over; what it raises leaves the store as it was.
    Raises ``StoreBusy`` where another connection holds the store, ``StoreUnavailable`` where what was said is damaged.
    """
    beside = migrate.free_name(path.with_name(f".{path.name}.anew"))
    make_file(beside, must_be_new=True)
    fresh = SqliteFile(beside)
    try:
        migrate.prepare(fresh)
        with translated(), closing(sqlite3.connect(path, isolation_level=None)) as old:
            old.execute("PRAGMA locking_mode = EXCLUSIVE")
            old.execute("BEGIN IMMEDIATE")  # fails where another connection is open
            old.execute("COMMIT")  # the lock stays until this connection is closed
            with fresh.write() as tx:
                for table in SAID:
                    _copy(old, tx, table)
            finish(fresh)
            fresh.copy_to(old)
    finally:
        fresh.close()
        for file in (beside, *(beside.with_name(f"{beside.name}{end}") for end in ("-wal", "-shm"))):
            file.unlink(missing_ok=True)


def _copy(old: sqlite3.Connection, tx: Transaction, table: str) -> None:
    tx.run(f"DELETE FROM {table}")
    rows = old.execute(f"SELECT * FROM {table} NOT INDEXED")
    names = ", ".join(f'"{one[0]}"' for one in rows.description)
    marks = ", ".join("?" for _ in rows.description)
    try:
        tx.run_many(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)
    except sqlite3.IntegrityError:
        raise StoreUnavailable(f"the rows of {table} are damaged; a backup is what can help") from None
