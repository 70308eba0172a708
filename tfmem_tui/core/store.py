"""``Store``: one agent's whole memory (G8), opened, bound to sessions, closed. The way into the core."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from tfmem_tui.core import migrate
from tfmem_tui.core.acting import AgentSession, Session, Viewer
from tfmem_tui.core.audit import AuditTrail
from tfmem_tui.core.context import Clock, Entropy, StoreContext, SystemEntropy, system_clock
from tfmem_tui.core.errors import StoreReadOnly, StoreUnavailable
from tfmem_tui.core.level import Level
from tfmem_tui.core.memory import MemoryRepository
from tfmem_tui.core.session import Operator, read_session
from tfmem_tui.core.storage import SqliteFile, SqliteMemory, StorageProvider, make_file
from tfmem_tui.core.surroundings import foreign_log, network_file_system, writable

SNAPSHOT_IN_MEMORY_BYTES = 64 * 1024 * 1024


class Store:
    """One agent's memories, sessions and audit. Safe to use from several threads and processes."""

    def __init__(
        self,
        context: StoreContext,
        *,
        throw_away: tempfile.TemporaryDirectory[str] | None = None,
        warnings: Sequence[str] = (),
    ) -> None:
        self._context = context
        self._throw_away = throw_away
        self.warnings = tuple(warnings)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        agent: str = "main",
        read_only: bool = False,
        create: bool = True,
        clock: Clock | None = None,
        entropy: Entropy | None = None,
        user: str | None = None,
    ) -> Self:
        """Opens the store at ``path``, makes it where there is none, and moves an older schema forward.

        Where the file or its folder cannot be written the store is read-only; ``warnings`` says so, and names a
        network file system. Raises ``StoreUnavailable`` where it is missing (and not to be made), no database, no
        store, or lies beside the log of another state; ``StoreTooNew`` for a newer schema; all leave the file
        untouched.
        """
        warnings: list[str] = []
        try:
            if not path.exists():
                if read_only or not create:
                    raise StoreUnavailable(f"there is no store at {path}")
                make_file(path)
            elif not path.is_file():
                raise StoreUnavailable(f"{path} is {'a folder' if path.is_dir() else 'no regular file'}, not a store")
            foreign = foreign_log(path)
        except OSError as error:
            raise StoreUnavailable(f"{path}: {error.strerror}") from None
        if foreign:
            raise StoreUnavailable(
                f"{path}-wal belongs to another state of the store than {path.name}, as after a restore that left it "
                "there; nothing was changed. Move it and the -shm file away, then open again"
            )
        if not read_only and not writable(path):
            read_only = True
            warnings.append("the store cannot be written here: it was opened read-only")
        if kind := network_file_system(path):
            warnings.append(
                f"the store lies on a network file system ({kind}), where SQLite's locks may fail: use it from one "
                "machine only, or move it to a local disk"
            )
        storage = SqliteFile(path, read_only=read_only)
        return cls._prepared(storage, agent, clock, entropy, user, warnings)

    @classmethod
    def in_memory(
        cls,
        *,
        agent: str = "main",
        clock: Clock | None = None,
        entropy: Entropy | None = None,
        user: str | None = None,
    ) -> Self:
        """A new empty store that lives until it is closed."""
        return cls._prepared(SqliteMemory(), agent, clock, entropy, user)

    @classmethod
    def _prepared(
        cls,
        storage: StorageProvider,
        agent: str,
        clock: Clock | None,
        entropy: Entropy | None,
        user: str | None,
        warnings: Sequence[str] = (),
    ) -> Self:
        try:
            migrate.prepare(storage)
        except StoreReadOnly as error:
            storage.close()
            raise StoreUnavailable(error.message) from None
        except BaseException:
            storage.close()
            raise
        context = StoreContext(agent, storage, clock or system_clock, entropy or SystemEntropy(), user)
        return cls(context, warnings=warnings)

    @property
    def agent(self) -> str:
        """The agent whose memory this is."""
        return self._context.agent

    @property
    def path(self) -> Path | None:
        """The file, or ``None`` for a store in memory."""
        return self._context.storage.path

    @property
    def read_only(self) -> bool:
        """Whether the store was opened for reading only."""
        return self._context.storage.read_only

    def session(self, session_id: str) -> AgentSession:
        """The session with this id. Raises ``SessionEnded`` if it has ended or never was."""
        with self._context.storage.read() as tx:
            return read_session(tx, session_id)

    def memories(self, session: Session) -> MemoryRepository:
        """The memories as ``session`` may see and change them."""
        return MemoryRepository(self._context, session)

    def audit(self, session: Session) -> AuditTrail:
        """The audit as ``session`` may see it."""
        return AuditTrail(self._context, session)

    def operator(self, *, clearance: Level = Level.RESTRICTED) -> Operator:
        """The operator's trusted acts, up to ``clearance`` (G10)."""
        return Operator(self._context, clearance)

    def snapshot(self) -> Store:
        """An independent throw-away copy of this moment, with the same sessions, for trying things out."""
        path = self.path
        if path is None or path.stat().st_size <= SNAPSHOT_IN_MEMORY_BYTES:
            copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            try:
                self._context.storage.copy_to(copy)
                storage: StorageProvider = SqliteMemory(copy)
            finally:
                copy.close()
            return Store(self._context_over(storage))
        folder = tempfile.TemporaryDirectory(prefix="tfmem-snapshot-")
        target = Path(folder.name) / "snapshot.db"
        migrate.back_up(self._context.storage, target)
        return Store(self._context_over(SqliteFile(target)), throw_away=folder)

    def _context_over(self, storage: StorageProvider) -> StoreContext:
        ours = self._context
        return StoreContext(ours.agent, storage, ours.clock, ours.entropy, ours.given_user)

    def interrupt(self) -> None:
        """Ends the reads that run on this object now with ``StoreInterrupted``; writes go on."""
        self._context.storage.interrupt()

    def close(self) -> None:
        """Gives up all connections, and the copy behind a snapshot."""
        self._context.storage.close()
        if self._throw_away is not None:
            self._throw_away.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


__all__ = ["AgentSession", "Store", "Viewer"]
