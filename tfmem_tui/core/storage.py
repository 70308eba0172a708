"""How bytes are kept: the ``StorageProvider`` protocol and its two SQLite implementations, file and memory.

Transactions, pragmas and the translation of SQLite's errors live here; tables and rules do not.
"""

from __future__ import annotations

import json
import os
import random
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol, cast

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool, StaticPool

from tfmem_tui.core.errors import (
    StorageError,
    StoreBusy,
    StoreInterrupted,
    StoreReadOnly,
    StoreUnavailable,
)
from tfmem_tui.core.surroundings import has_log, writable

Values = Sequence[Any]
BUSY_TIMEOUT_SECONDS = 5.0
WRITING = "BEGIN IMMEDIATE"
LONGEST_NAP = 0.006  # seconds between two tries of a writer that has just begun to wait
PRAGMAS = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA synchronous = FULL",  # G9: an acknowledged save survives power loss
    "PRAGMA secure_delete = ON",  # a purged text leaves no trace in free pages
    "PRAGMA temp_store = MEMORY",  # no stored text in temporary files
    "PRAGMA cache_size = -8192",
)
WHY = {
    sqlite3.SQLITE_FULL: "the disk is full; nothing of this act was kept",
    sqlite3.SQLITE_IOERR: "the disk could not be read or written",
    sqlite3.SQLITE_CORRUPT: "the database file is damaged; a backup, or `tfmem doctor`, may help",
    sqlite3.SQLITE_NOTADB: "the file is not a SQLite database",
    sqlite3.SQLITE_CANTOPEN: "the database file cannot be opened",
    sqlite3.SQLITE_PERM: "permission denied",
}


class Transaction:
    """One transaction: plain statements on the driver's connection, and SQLAlchemy's over the same one.

    The hot statements go to the driver directly: SQLAlchemy's result object costs more than most of them take.
    """

    __slots__ = ("_raw", "sqlalchemy")

    def __init__(self, connection: Connection) -> None:
        self.sqlalchemy = connection
        self._raw = cast("sqlite3.Connection", connection.connection.dbapi_connection)

    def rows(self, sql: str, values: Values = ()) -> sqlite3.Cursor:
        """The rows of a query, fetched as they are asked for."""
        return self._raw.execute(sql, values)

    def row(self, sql: str, values: Values = ()) -> tuple[Any, ...] | None:
        """The first row of a query, or ``None``."""
        return cast("tuple[Any, ...] | None", self._raw.execute(sql, values).fetchone())

    def value(self, sql: str, values: Values = ()) -> Any:
        """The first column of the first row, or ``None``."""
        row = self._raw.execute(sql, values).fetchone()
        return None if row is None else row[0]

    def run(self, sql: str, values: Values = ()) -> None:
        """A statement that changes something."""
        self._raw.execute(sql, values)

    def run_many(self, sql: str, values: Iterable[Values]) -> None:
        """The same statement for many values."""
        self._raw.executemany(sql, values)

    def begin(self, how: str) -> None:
        """Begins, and for a write waits for its turn up to ``BUSY_TIMEOUT_SECONDS``.

        SQLite's own waiting asks the more rarely the longer it lasts, so that among many writers one may come last
        for seconds. Here one that waits longer asks more often.
        """
        if how != WRITING:
            self._raw.execute(how)
            return
        self._raw.execute("PRAGMA busy_timeout = 0")
        try:
            begun = time.monotonic()
            while True:
                try:
                    self._raw.execute(how)
                    return
                except sqlite3.OperationalError as error:
                    waited = time.monotonic() - begun
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or waited > BUSY_TIMEOUT_SECONDS:
                        raise
                    time.sleep(random.uniform(0.5, 1.0) * LONGEST_NAP / (1.0 + waited * 20))
        finally:
            self._raw.execute(f"PRAGMA busy_timeout = {int(BUSY_TIMEOUT_SECONDS * 1_000)}")

    def commit(self) -> None:
        """Keeps all that was done; nothing where the transaction was rolled back already."""
        if self._raw.in_transaction:
            self._raw.execute("COMMIT")

    def roll_back(self) -> None:
        """Takes back all that was done, unless SQLite has done so itself."""
        if self._raw.in_transaction:
            self._raw.execute("ROLLBACK")

    def copy_to(self, target: sqlite3.Connection) -> None:
        """Copies the whole database, a piece at a time; starts over where another connection writes meanwhile."""
        self._raw.backup(target, pages=4096, sleep=0.01)

    def interrupt(self) -> None:
        """Ends the statement that runs in this transaction now; for other threads."""
        self._raw.interrupt()


class StorageProvider(Protocol):
    """What the core asks of a place to keep memories, sessions and audit alike."""

    path: Path | None
    read_only: bool

    def read(self) -> AbstractContextManager[Transaction]:
        """A transaction that sees one state and writes nothing."""

    def write(self) -> AbstractContextManager[Transaction]:
        """A transaction that holds the write lock from its start, and commits at the end or not at all (G9)."""

    def unguarded(self) -> AbstractContextManager[Transaction]:
        """A connection outside any transaction, for what SQLite does only there."""

    def interrupt(self) -> None:
        """Ends the reads that are running now with ``StoreInterrupted``."""

    def copy_to(self, target: sqlite3.Connection) -> None:
        """Copies one consistent state of the whole database."""

    def close(self) -> None:
        """Gives up all connections."""


def translate(error: BaseException) -> StorageError:
    """The error of ours for one of SQLite's. Its text holds no statement and no value."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(origin, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(f"another writer held the store for more than {BUSY_TIMEOUT_SECONDS:g} s; try again")
    if primary == sqlite3.SQLITE_INTERRUPT:
        return StoreInterrupted("the read was interrupted")
    if primary == sqlite3.SQLITE_READONLY:
        return StoreReadOnly("the store is read-only")
    if primary in (
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_CORRUPT,
    ):
        return StoreUnavailable(WHY[primary])
    name = getattr(origin, "sqlite_errorname", None) or type(origin).__name__
    return StorageError(f"{WHY.get(primary or 0, 'the store could not do this')} ({name})")


@contextmanager
def translated() -> Iterator[None]:
    """Turns SQLite's errors, whose text may quote stored values, into the core's own."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as error:
        raise translate(error) from None
    except (json.JSONDecodeError, UnicodeDecodeError, OverflowError):  # a row that no tfmem wrote
        raise StoreUnavailable(WHY[sqlite3.SQLITE_CORRUPT]) from None


class _SqliteStorage:
    """Transactions over an SQLAlchemy engine whose connections begin and commit only when told to."""

    path: Path | None = None
    read_only = False

    def __init__(self, pool: type[QueuePool] | type[StaticPool]) -> None:
        self._reading: set[Transaction] = set()
        self._reading_lock = threading.Lock()
        # last in, first out: one thread after another goes on with the same connection and its warm cache
        lifo = {"pool_use_lifo": True} if issubclass(pool, QueuePool) else {}
        self._engine = create_engine(
            "sqlite+pysqlite://", creator=self._connect, poolclass=pool, hide_parameters=True, **lifo
        )

    def _connect(self) -> sqlite3.Connection:
        raise NotImplementedError

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Transaction]:
        with translated(), self._engine.connect() as connection:
            transaction = Transaction(connection)
            transaction.begin(begin)
            try:
                yield transaction
            except BaseException:
                transaction.roll_back()
                raise
            transaction.commit()

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        with self._transaction("BEGIN") as transaction:
            with self._reading_lock:
                self._reading.add(transaction)
            try:
                yield transaction
            finally:
                with self._reading_lock:
                    self._reading.discard(transaction)

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        if self.read_only:
            raise StoreReadOnly("the store was opened read-only")
        with self._transaction(WRITING) as transaction:
            yield transaction

    @contextmanager
    def unguarded(self) -> Iterator[Transaction]:
        with translated(), self._engine.connect() as connection:
            yield Transaction(connection)

    def interrupt(self) -> None:
        with self._reading_lock:
            for transaction in self._reading:
                transaction.interrupt()

    def copy_to(self, target: sqlite3.Connection) -> None:
        with translated(), self._engine.connect() as connection:
            Transaction(connection).copy_to(target)

    def close(self) -> None:
        self._engine.dispose()


class SqliteFile(_SqliteStorage):
    """One SQLite file, in WAL mode, shared with other processes."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        # where no log can be kept beside the file and none is there, nobody is writing: SQLite may read without one
        self._how = "mode=rw" if not read_only else "mode=ro" if writable(path) or has_log(path) else "immutable=1"
        super().__init__(QueuePool)

    def _connect(self) -> sqlite3.Connection:
        assert self.path is not None
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?{self._how}",
            uri=True,
            timeout=BUSY_TIMEOUT_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )
        try:
            for pragma in PRAGMAS:
                connection.execute(pragma)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def use_wal(self) -> None:
        """Puts the file into WAL mode, which lasts; a no-op where it is already."""
        with self.unguarded() as tx:
            tx.run("PRAGMA journal_mode = WAL")


class SqliteMemory(_SqliteStorage):
    """A database in memory: one connection, one transaction at a time."""

    def __init__(self, source: sqlite3.Connection | None = None) -> None:
        self._turn = threading.RLock()
        self._database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        if source is not None:
            source.backup(self._database)
        for pragma in PRAGMAS:
            self._database.execute(pragma)
        super().__init__(StaticPool)

    def _connect(self) -> sqlite3.Connection:
        return self._database

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[Transaction]:
        with self._turn, super()._transaction(begin) as transaction:
            yield transaction

    def copy_to(self, target: sqlite3.Connection) -> None:
        with self._turn:
            super().copy_to(target)


def make_file(path: Path, *, must_be_new: bool = False) -> None:
    """Makes an empty file (0600) in folders (0700) of our own, following no symbolic link at its name.

    Raises ``StoreUnavailable`` where it cannot, and with ``must_be_new`` where another made one meanwhile.
    """
    try:
        make_folder(path.parent)
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)
        os.close(os.open(path, flags, 0o600))
    except FileExistsError:
        if path.is_symlink() and not path.exists():
            raise StoreUnavailable(
                f"{path} is a symbolic link to nothing, and no link is followed to make a file"
            ) from None
        if must_be_new:
            raise StoreUnavailable(f"{path} exists already") from None
    except OSError as error:
        raise StoreUnavailable(f"cannot create {path}: {error.strerror}") from None


def make_folder(folder: Path) -> None:
    """Makes a folder and those above it that are missing, each for its owner alone (0700, or stricter by umask)."""
    for one in reversed([folder, *folder.parents]):
        if not one.exists():
            one.mkdir(mode=0o700, exist_ok=True)
