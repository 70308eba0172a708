"""Files that were damaged: a good store, its pages by kind, and ways to spoil them."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

PAGE_BYTES = 4096
HEADER_BYTES = 100  # of the database, before the first page's own


def good_store(path: Path, memories: int = 260) -> Path:
    """A store with enough in it that every table has pages of every kind; all of it in the file, no log beside it."""
    with Store.open(path) as store:
        for level in (Level.PUBLIC, Level.INTERNAL):
            session = store.memories(store.operator().start(level))
            for number in range(memories if level is Level.INTERNAL else 12):
                session.save(f"key{number}", f"falcon word{number} " * 16, ["bird", f"tag{number % 7}"])
            for number in range(6):
                session.delete(f"key{number}")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


def pages(path: Path) -> dict[tuple[str, str], list[int]]:
    """The numbers of the pages by (table or index, kind), from 1, as SQLite's ``dbstat`` knows them."""
    found: dict[tuple[str, str], list[int]] = {}
    with closing(sqlite3.connect(path)) as connection:
        for name, number, kind in connection.execute("SELECT name, pageno, pagetype FROM dbstat"):
            found.setdefault((name, kind), []).append(number)
    return found


def spoil(path: Path, page: int, seed: int, bits: int = 40, *, head: bool = True) -> None:
    """Flips bits at random in one page; with ``head`` also the byte that says what kind of page it is."""
    rng = random.Random(seed)
    start = (page - 1) * PAGE_BYTES + (HEADER_BYTES if page == 1 else 0)
    length = PAGE_BYTES - (HEADER_BYTES if page == 1 else 0)
    with path.open("r+b") as file:
        file.seek(start)
        content = bytearray(file.read(length))
        for _ in range(bits):
            content[rng.randrange(length)] ^= 1 << rng.randrange(8)
        if head:
            content[0] ^= 0xFF
        file.seek(start)
        file.write(content)


def copy_of(source: Path, target: Path) -> Path:
    """The same file at another place, without any log."""
    shutil.copyfile(source, target)
    return target
