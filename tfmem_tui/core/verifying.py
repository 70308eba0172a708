"""Whether a chain holds, and whether the texts that its events vouch for are still there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tfmem_tui.core.chain import content_hash, detail_hash, genesis, vouches_for_itself, walk_rows
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import ChainHead, ChainReport
from tfmem_tui.core.storage import Transaction

BETWEEN_REPORTS = 1_000  # events
REWRITTEN = "it is not the event whose head was kept: the chain was written anew"


def further(before: int, progress: Callable[[int], None] | None) -> Callable[[int], None] | None:
    """Progress within one chain as progress over all of them."""
    return None if progress is None else lambda done: progress(before + done)


def verify_chain(
    tx: Transaction,
    level: Level,
    heads: Sequence[ChainHead] = (),
    progress: Callable[[int], None] | None = None,
) -> ChainReport:
    """Walks the chain of one level from its genesis, past the heads that were kept of it."""
    kept = {head.seq: head.hash for head in heads}
    prev, count = genesis(level), 0
    for row in walk_rows(tx, level):
        reason = _flaw(row, count + 1, prev)
        if reason:
            return ChainReport(level, count, False, row[1], reason)
        prev = row[-1]
        count += 1
        if count in kept and kept[count] != prev.hex():
            return ChainReport(level, count, False, count, REWRITTEN)
        if progress is not None and count % BETWEEN_REPORTS == 0:
            progress(count)
    beyond = min((seq for seq in kept if seq > count), default=None)
    if beyond is not None:
        return ChainReport(level, count, False, count + 1, f"the chain ends before event {beyond}, whose head was kept")
    return ChainReport(level, count, True)


def verify_level(
    tx: Transaction,
    level: Level,
    heads: Sequence[ChainHead] = (),
    progress: Callable[[int], None] | None = None,
) -> ChainReport:
    """The chain of one level, and the texts that its events vouch for."""
    report = verify_chain(tx, level, heads, progress)
    if not report.ok:
        return report
    for seq, reason in check_contents(tx, level):
        return ChainReport(level, report.events, False, seq, reason)
    return report


def _flaw(row: Sequence[Any], expected: int, prev: bytes) -> str | None:
    detail, salt, hashed, prev_hash = row[8], row[9], row[10], row[13]
    if row[1] != expected:
        return f"event {expected} is missing"
    if prev_hash != prev:
        return "it is not linked to the event before it"
    if not vouches_for_itself(row):
        return "it was changed after it was written"
    if detail is None and salt is None:
        # the retention of search texts takes a detail away with its salt; nothing else does
        return "its detail was removed" if hashed is not None and row[5] != "memory_search" else None
    if not isinstance(detail, str) or not isinstance(salt, bytes) or detail_hash(salt, detail) != hashed:
        return "its detail was changed after it was written"
    return None


def check_contents(tx: Transaction, level: Level) -> Iterator[tuple[int | None, str]]:
    """Says which events vouch for a text that no version of ``level`` has any more.

    A save or restore vouches for one version; an import for the sum of its batch; a purge says what was taken out.
    """
    vouched: dict[bytes, int] = {}
    imported = 0
    for seq, action, proof in tx.rows(
        "SELECT seq, action, content_hash FROM audit_event WHERE level = ? AND content_hash IS NOT NULL ORDER BY seq",
        (int(level),),
    ):
        if action == "import":
            imported += int.from_bytes(proof, "big")
        elif action != "purge":
            vouched[proof] = seq
        elif vouched.pop(proof, None) is None:
            imported -= int.from_bytes(proof, "big")
    for row in tx.rows("SELECT salt, key, content, tags FROM memory WHERE level = ?", (int(level),)):
        proof = content_hash(*row)
        if vouched.pop(proof, None) is None:
            imported -= int.from_bytes(proof, "big")
    for seq in sorted(vouched.values()):
        yield seq, "it vouches for a text that no version has: the text was changed or removed"
    if imported % (1 << 256):
        yield None, "the texts of imported or changed versions do not add up to what the imports recorded"
