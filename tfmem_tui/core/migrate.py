"""Brings a store to this program's schema when it is opened, or refuses it untouched."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from tfmem_tui.core import search_index
from tfmem_tui.core.errors import StoreReadOnly, StoreTooNew, StoreUnavailable
from tfmem_tui.core.level import ALL_LEVELS
from tfmem_tui.core.migrations import HEAD, REVISIONS
from tfmem_tui.core.storage import SqliteFile, StorageProvider, Transaction, make_file, translated


def prepare(storage: StorageProvider) -> None:
    """Makes the tables of an empty store, or moves an older one forward after a backup.

    Raises ``StoreTooNew`` for a store of a newer program and ``StoreUnavailable`` for a database that is no
    store; both are left untouched.
    """
    with storage.read() as tx:
        revision = revision_of(tx)
        made_with = search_index.made_with(tx) if revision == HEAD else None
    if revision == HEAD:
        if made_with != search_index.MADE_WITH and not storage.read_only:
            make_index_anew(storage)
        return
    if storage.read_only:
        raise StoreReadOnly("the store needs a schema change and was opened read-only; open it for writing once")
    if isinstance(storage, SqliteFile):
        storage.use_wal()
    with storage.write() as tx:
        revision = revision_of(tx)
        if revision == HEAD:  # another process was faster
            return
        if revision is not None and storage.path is not None:  # no one else writes while the copy is made
            back_up(storage, free_name(storage.path.with_name(f"{storage.path.name}.before-{HEAD}")))
        upgrade(tx)


def make_index_anew(storage: StorageProvider) -> None:
    """Refills the full-text rows that another version of the analyser made."""
    with storage.write() as tx:
        if search_index.made_with(tx) != search_index.MADE_WITH:  # another process may have been faster
            for level in ALL_LEVELS:
                search_index.rebuild(tx, level)
            search_index.mark_made(tx)


def revision_of(tx: Transaction) -> str | None:
    """The schema revision of a store, ``None`` for an empty database. Raises as ``prepare`` does."""
    tables = {name for (name,) in tx.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if not tables:
        return None
    if "alembic_version" not in tables or "memory" not in tables:
        raise StoreUnavailable("this is a SQLite database, but no tfmem store")
    revision = tx.value("SELECT version_num FROM alembic_version")
    if revision not in REVISIONS:
        raise StoreTooNew("the store was written by a newer tfmem; it was left untouched. Update tfmem to open it")
    return str(revision)


def upgrade(tx: Transaction) -> None:
    """Runs the missing migrations on ``tx``, inside its transaction."""
    from alembic import command  # costs 70 ms, and is needed only when a store is made or moved
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = tx.sqlalchemy
    tx.sqlalchemy.begin()  # Alembic sees that a transaction goes on, and leaves the commit to the store's own
    command.upgrade(config, "head")
    if search_index.made_with(tx) is None:
        search_index.mark_made(tx)


def back_up(storage: StorageProvider, target: Path) -> None:
    """One consistent copy of the store at ``target`` (0600), made while others read and write.

    It appears there when all of it is written, or not at all. Raises ``StoreUnavailable`` where something is there
    already, a symbolic link included.
    """
    if target.exists() or target.is_symlink():
        raise StoreUnavailable(f"{target} exists already")
    beside = free_name(target.with_name(f".{target.name}.part"))
    make_file(beside, must_be_new=True)
    try:
        with translated():
            copy = sqlite3.connect(beside)
            try:
                storage.copy_to(copy)
            finally:
                copy.close()
        put_in_place(beside, target)
    except FileExistsError:
        raise StoreUnavailable(f"{target} exists already") from None
    finally:
        beside.unlink(missing_ok=True)


def put_in_place(made: Path, target: Path) -> None:
    """Gives a finished file its name, for good and only where nothing has that name; ``made`` may stay."""
    with made.open("rb") as file:
        os.fsync(file.fileno())
    try:
        os.link(made, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        made.rename(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def free_name(wanted: Path) -> Path:
    """``wanted``, or the first of ``wanted-2``, ``wanted-3`` … that is not there yet."""
    name, number = wanted, 1
    while name.exists() or name.is_symlink():
        number += 1
        name = wanted.with_name(f"{wanted.name}-{number}")
    return name
