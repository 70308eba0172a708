"""Making the file smaller: full-text indexes merged into one piece each, free pages given back."""

from __future__ import annotations

from dataclasses import dataclass

from tfmem_tui.core import search_index
from tfmem_tui.core.level import ALL_LEVELS
from tfmem_tui.core.storage import StorageProvider


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of the file before and after, the write-ahead log not counted."""

    before: int
    after: int


def winnable(storage: StorageProvider) -> int:
    """Bytes in free pages: what a compaction gives back for certain. Merging the indexes may win more."""
    with storage.unguarded() as tx:
        return int(tx.value("PRAGMA freelist_count")) * int(tx.value("PRAGMA page_size"))


def compact(storage: StorageProvider) -> Sizes:
    """Merges each level's index and rewrites the file without free pages; writers wait meanwhile.

    Raises ``StoreBusy`` where another connection holds the store; nothing is lost then.
    """
    before = _size(storage)
    with storage.write() as tx:
        for level in ALL_LEVELS:
            search_index.optimize(tx, level)
    with storage.unguarded() as tx:
        tx.run("VACUUM")
        tx.row("PRAGMA wal_checkpoint(TRUNCATE)")
    return Sizes(before, _size(storage))


def _size(storage: StorageProvider) -> int:
    with storage.unguarded() as tx:
        return int(tx.value("PRAGMA page_count")) * int(tx.value("PRAGMA page_size"))
