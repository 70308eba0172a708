"""How the events of a level are chained: what each hash covers, and the walk from the first to the last."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tfmem_tui.core.level import Level

if TYPE_CHECKING:
    from tfmem_tui.core.storage import Transaction

COLUMNS = (
    "level, seq, at, session, user, action, key, outcome, detail, detail_salt, detail_hash, content_hash, "
    "source, prev_hash, hash"
)


def genesis(level: Level) -> bytes:
    """What the first event of a level's chain is linked to."""
    return hashlib.sha256(f"tfmem audit {level.name}".encode()).digest()


def content_hash(salt: bytes, key: str, content: str, tags: str) -> bytes:
    """The salted hash by which an event vouches for a version's text."""
    return hashlib.sha256(b"\x00".join((salt, key.encode(), content.encode(), tags.encode()))).digest()


def sum_of(hashes: Iterable[bytes]) -> bytes:
    """One hash for many, whatever their order: their sum. By it one event vouches for all versions of a batch."""
    return (sum(int.from_bytes(one, "big") for one in hashes) % (1 << 256)).to_bytes(32, "big")


def detail_hash(salt: bytes, detail: str) -> bytes:
    """The salted hash by which an event vouches for its detail."""
    return hashlib.sha256(salt + detail.encode()).digest()


def link(fields: Sequence[object], prev_hash: bytes) -> bytes:
    """The hash of an event; ``fields`` are its columns from ``level`` to ``source`` without the detail's text."""
    plain = [value.hex() if isinstance(value, bytes) else value for value in fields]
    return hashlib.sha256(json.dumps([*plain, prev_hash.hex()], separators=(",", ":")).encode()).digest()


def vouches_for_itself(row: Sequence[Any]) -> bool:
    """Whether the hash of a stored event (``COLUMNS``) is the one that its fields and its link make."""
    try:
        return bool(link((*row[:8], *row[10:13]), row[13]) == row[14])
    except (TypeError, AttributeError):  # no event at all
        return False


def walk_rows(tx: Transaction, level: Level) -> Iterator[Sequence[Any]]:
    """The events of one level as they are stored, first to last."""
    yield from tx.rows(f"SELECT {COLUMNS} FROM audit_event WHERE level = ? ORDER BY seq", (int(level),))
