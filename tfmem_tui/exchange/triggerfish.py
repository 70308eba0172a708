"""Reads a Triggerfish database, live or resting: opens it strictly read-only and streams its records.

What a row means is in ``triggerfish_records``. The only file outside ``core/`` that speaks to SQLite.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tfmem_tui.core.errors import InvalidInput, StoreUnavailable
from tfmem_tui.core.importing import ImportedEvent, ImportedMemory
from tfmem_tui.exchange.triggerfish_records import (
    LINEAGE_PREFIX,
    MEMORY_PREFIX,
    Fields,
    Origin,
    SkippedRecord,
    read_lineage,
    read_memory,
    shown_row,
    time_of_save,
)
from tfmem_tui.text import one_line

OWNER = "main-session"  # the agent of the person whose Triggerfish it is
BUSY_SECONDS = 5.0
# Content of 1 MiB takes at most 6 MiB as JSON; a longer value is never loaded.
LONGEST_VALUE = 16 * 1024 * 1024
WAL_FORMAT = 2
ROWS = "SELECT key, CASE WHEN length(value) <= ? THEN value END, length(value) FROM kv WHERE key >= ? AND key < ?"
RANGES = tuple((prefix, prefix[:-1] + ";") for prefix in (MEMORY_PREFIX, LINEAGE_PREFIX))  # ";" follows ":"


class SourceUnavailable(StoreUnavailable):
    """The file to read is missing, no database, not Triggerfish's, damaged, or was changed under a resting read."""


@dataclass(frozen=True, slots=True)
class OtherRow:
    """A lineage row about something else than memory (a web request, a file): not ours to import."""

    row: str


Record = tuple[str, ImportedMemory | ImportedEvent]


def count_rows(path: Path) -> int:
    """How many rows ``read_triggerfish`` will go through, from the index alone. Raises ``SourceUnavailable``."""
    with _opened(path) as connection:
        counts = (
            connection.execute("SELECT count(*) FROM kv WHERE key >= ? AND key < ?", bounds).fetchone()[0]
            for bounds in RANGES
        )
        return int(sum(counts))


def read_triggerfish(path: Path) -> Generator[Record | SkippedRecord | OtherRow, None, None]:
    """Yields one item for each row: first the memories with their agents, then the lineage rows as events.

    One read transaction, so one consistent moment of a live database; memory use does not grow with the number
    of memories (a session's id is kept once, to know whose its events are). Raises ``SourceUnavailable``.
    """
    with _opened(path) as connection:
        whose = _Whose()
        for row_key, value in _rows(connection, *RANGES[0]):
            yield _memory(connection, whose, row_key, value)
        for row_key, value in _rows(connection, *RANGES[1]):
            yield _event(whose, row_key, value)


@dataclass(slots=True)
class _Whose:
    """Finds the agent of a lineage row.

    The memory tools write the agent as ``accessed_by``, so that agent it is, and also any other ``accessed_by``
    that owns memories in this file. Else the row goes to the one agent whose memories its session saved, and where
    there is none or more than one, to the owner's agent.
    """

    agents: set[str] = field(default_factory=set)
    sessions: dict[str, str | None] = field(default_factory=dict)  # None: of several agents

    def learn(self, agent: str, session: str) -> None:
        self.agents.add(agent)
        if self.sessions.setdefault(session, agent) != agent:
            self.sessions[session] = None

    def of(self, origin: Origin) -> str:
        if origin.agent is not None:
            return origin.agent
        if origin.accessed_by in self.agents:
            return origin.accessed_by
        return self.sessions.get(origin.event.session) or OWNER


def _memory(connection: sqlite3.Connection, whose: _Whose, row_key: str, value: object) -> Record | SkippedRecord:
    try:
        row = read_memory(row_key, _loaded(value))
    except InvalidInput as error:
        return SkippedRecord(shown_row(row_key), error.message, _claimed_agent(value))
    memory = row.memory
    whose.learn(row.agent, memory.saved_by)
    if memory.deleted_at is not None and row.lineage_id is not None:
        found = connection.execute("SELECT value FROM kv WHERE key = ?", (LINEAGE_PREFIX + row.lineage_id,)).fetchone()
        if found is not None:
            memory = replace(memory, saved_at=time_of_save(memory, found[0]))
    return row.agent, memory


def _event(whose: _Whose, row_key: str, value: object) -> Record | SkippedRecord | OtherRow:
    try:
        origin = read_lineage(row_key, _loaded(value))
    except InvalidInput as error:
        return SkippedRecord(shown_row(row_key), error.message)
    if origin is None:
        return OtherRow(shown_row(row_key))
    return whose.of(origin), origin.event


class _TooLong:
    """Stands for a value that was not loaded."""


def _loaded(value: object) -> object:
    if isinstance(value, _TooLong):
        raise InvalidInput(f"the value is longer than {LONGEST_VALUE} characters")
    return value


def _claimed_agent(value: object) -> str | None:
    try:
        return Fields.parse(value).text("agentId")
    except InvalidInput:
        return None


def _rows(connection: sqlite3.Connection, low: str, high: str) -> Iterator[tuple[str, object]]:
    for key, value, length in connection.execute(ROWS, (LONGEST_VALUE, low, high)):
        too_long = value is None and length is not None
        yield key.decode("utf-8", "replace"), _TooLong() if too_long else value


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection inside one read transaction on a Triggerfish database."""
    name = one_line(str(path))
    real = _existing(path, name)
    uri, resting = _uri(real)
    before = _state(real)
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
            connection.text_factory = bytes  # a text that is not UTF-8 must not end the whole read
            for pragma in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON"):
                connection.execute(f"PRAGMA {pragma}")
            connection.execute("BEGIN")
            _check_is_triggerfish(connection, name)
            yield connection
    except sqlite3.Error as error:
        raise SourceUnavailable(f"{name} {_why(error)}") from None
    if resting and _state(real) != before:
        raise SourceUnavailable(f"{name} was changed while it was read; import it again to be sure of all of it")


def _existing(path: Path, name: str) -> Path:
    try:
        real = path.resolve(strict=True)
        if real.is_dir():
            raise SourceUnavailable(f"{name} is a folder, not a database")
        if real.stat().st_size == 0:
            raise SourceUnavailable(f"{name} is an empty file, not a Triggerfish database")
    except FileNotFoundError:
        raise SourceUnavailable(f"there is no file {name}") from None
    except (OSError, RuntimeError) as error:
        raise SourceUnavailable(f"{name} cannot be opened: {getattr(error, 'strerror', None) or 'bad path'}") from None
    return real


def _uri(real: Path) -> tuple[str, bool]:
    """How to open the file without leaving a trace, and whether it rests.

    With a ``-wal`` beside it a writer is (or was) at work, and SQLite's own locks give one moment of it. A resting
    WAL database has none, and ``mode=ro`` would make ``-wal`` and ``-shm`` (or fail, in a folder that may not be
    written), so it is read as ``immutable``; that it really rested is checked at the end.
    """
    wal, shm = (real.with_name(real.name + ending) for ending in ("-wal", "-shm"))
    at_work = wal.exists() and (wal.stat().st_size > 0 or shm.exists())
    resting = not at_work and _is_wal_format(real)
    return f"{real.as_uri()}?{'immutable=1' if resting else 'mode=ro'}", resting


def _is_wal_format(real: Path) -> bool:
    try:
        with real.open("rb") as file:
            header = file.read(20)
    except OSError as error:
        raise SourceUnavailable(f"{one_line(str(real))} cannot be read: {error.strerror}") from None
    return len(header) == 20 and header[18] == WAL_FORMAT


def _state(real: Path) -> tuple[int, int, int]:
    stat = real.stat()
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


def _check_is_triggerfish(connection: sqlite3.Connection, name: str) -> None:
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'kv'").fetchone()
    columns = {row[1] for row in connection.execute("PRAGMA table_info(kv)")} if found else set()
    if not {b"key", b"value"} <= columns:
        raise SourceUnavailable(f"{name} is a database, but not one of Triggerfish's: it has no table kv(key, value)")


def _why(error: sqlite3.Error) -> str:
    """What is the matter, without SQLite's own words, which may quote stored text."""
    code = getattr(error, "sqlite_errorcode", None)
    reasons = {
        sqlite3.SQLITE_NOTADB: "is not a SQLite database",
        sqlite3.SQLITE_CORRUPT: "is damaged and cannot be read to its end",
        sqlite3.SQLITE_CANTOPEN: "cannot be opened; where its folder may not be written, copy the file and its "
        "-wal to one that may",
        sqlite3.SQLITE_BUSY: f"is locked by another program for more than {BUSY_SECONDS:g} s; try again",
        sqlite3.SQLITE_PERM: "may not be read",
    }
    primary = code & 0xFF if isinstance(code, int) else -1
    return reasons.get(primary, f"cannot be read ({getattr(error, 'sqlite_errorname', 'SQLite error')})")
