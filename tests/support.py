"""What many tests share: a clock that is set by hand, ids in sequence, a store on both."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

from tfmem_tui.core.level import Level
from tfmem_tui.core.memory import MemoryRepository
from tfmem_tui.core.store import Store

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class HandClock:
    """A clock that moves only when told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def tick(self, seconds: float = 1.0) -> None:
        self.now += timedelta(seconds=seconds)


class CountingEntropy:
    """Ids and salts in sequence, one sequence per level, as a replayed history needs them."""

    def __init__(self) -> None:
        self._ids: Counter[Level] = Counter()
        self._salts: Counter[Level] = Counter()

    def id(self, level: Level) -> str:
        self._ids[level] += 1
        return f"{level.name.lower()}-{self._ids[level]:04d}"

    def salt(self, level: Level) -> bytes:
        self._salts[level] += 1
        return int(level).to_bytes(1, "big") + self._salts[level].to_bytes(15, "big")


def fresh_store(clock: HandClock | None = None) -> Store:
    """An empty store in memory whose every act can be replayed exactly."""
    return Store.in_memory(clock=clock or HandClock(), entropy=CountingEntropy(), user="tester")


def session_at(store: Store, level: Level, label: str | None = None) -> MemoryRepository:
    """Memories as a new agent session at ``level``."""
    return store.memories(store.operator().start(level, label=label))


def viewer_at(store: Store, level: Level) -> MemoryRepository:
    """Memories as an operator looking at ``level``."""
    return store.memories(store.operator().viewer(level))
