"""The audit: one sequence and one hash chain per level. Events are appended inside the act's own transaction (G9).

A hash covers every field of its event and the hash before it. Detail and content enter as salted hashes, so that
their text can be destroyed later without breaking the chain.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tfmem_tui.core.acting import Session, acting
from tfmem_tui.core.activity import over_time
from tfmem_tui.core.chain import COLUMNS, detail_hash, genesis, link, walk_rows
from tfmem_tui.core.context import StoreContext, from_micros, stored, to_micros
from tfmem_tui.core.level import Level, readable
from tfmem_tui.core.records import Activity, AuditEvent, ChainHead, ChainReport, Outcome
from tfmem_tui.core.storage import Transaction
from tfmem_tui.core.verifying import further, verify_level


@dataclass(frozen=True, slots=True)
class Draft:
    """What an act says of itself, before it has a place in a chain."""

    action: str
    session: str
    user: str
    key: str | None = None
    outcome: Outcome = Outcome.ALLOWED
    detail: Mapping[str, object] = field(default_factory=dict)
    content_hash: bytes | None = None
    at: int | None = None  # an imported event brings its own time
    source: str | None = None


def append(tx: Transaction, context: StoreContext, level: Level, *drafts: Draft) -> None:
    """Adds events to the chain of ``level``; other chains are not touched (G7)."""
    seq, prev = _tip(tx, level)
    now = context.now()
    rows: list[tuple[object, ...]] = []
    for draft in drafts:
        seq += 1
        detail = salt = hashed = None
        if draft.detail:
            detail = json.dumps(draft.detail, separators=(",", ":"))
            salt = context.entropy.salt(level)
            hashed = detail_hash(salt, detail)
        at = now if draft.at is None else draft.at
        head = (int(level), seq, at, draft.session, draft.user, draft.action, draft.key, str(draft.outcome))
        tail = (hashed, draft.content_hash, draft.source)
        this = link((*head, *tail), prev)
        rows.append((*head, detail, salt, *tail, prev, this))
        prev = this
    if rows:
        marks = ",".join("?" * len(rows[0]))
        tx.run_many(f"INSERT INTO audit_event ({COLUMNS}) VALUES ({marks})", rows)


def _tip(tx: Transaction, level: Level) -> tuple[int, bytes]:
    row = tx.row("SELECT seq, hash FROM audit_event WHERE level = ? ORDER BY seq DESC LIMIT 1", (int(level),))
    return (row[0], row[1]) if row else (0, genesis(level))


def _event(row: Sequence[Any]) -> AuditEvent:
    (level, seq, at, session, user, action, key, outcome, detail, _salt, _dh, content, _src, prev, this) = row
    return AuditEvent(
        level=stored(Level, level),
        seq=seq,
        at=from_micros(at),
        session=session,
        user=user,
        action=action,
        key=key,
        outcome=stored(Outcome, outcome),
        detail=json.loads(detail) if detail else {},
        content_hash=content.hex() if content else None,
        prev_hash=prev.hex(),
        hash=this.hex(),
    )


@dataclass(frozen=True, slots=True)
class EventFilters:
    """Conditions on audit events; all must hold."""

    session: str | None = None
    action: str | None = None
    outcome: Outcome | None = None
    key: str | None = None
    since: datetime | None = None
    before: datetime | None = None
    level: Level | None = None

    def where(self) -> tuple[str, tuple[object, ...]]:
        """The conditions as SQL and its values."""
        conditions: list[tuple[str, object | None]] = [
            ("session = ?", self.session),
            ("action = ?", self.action),
            ("outcome = ?", None if self.outcome is None else str(self.outcome)),
            ("key = ?", self.key),
            ("at >= ?", None if self.since is None else to_micros(self.since)),
            ("at < ?", None if self.before is None else to_micros(self.before)),
            ("level = ?", None if self.level is None else int(self.level)),
        ]
        used = [(sql, value) for sql, value in conditions if value is not None]
        return "".join(f" AND {sql}" for sql, _ in used), tuple(value for _, value in used)


NO_FILTERS = EventFilters()


class AuditTrail:
    """The audit as one session may see it: events, chains and heads end at its taint (G2)."""

    def __init__(self, context: StoreContext, session: Session) -> None:
        self._context = context
        self._session = session

    def events(self, filters: EventFilters = NO_FILTERS, *, limit: int = 100, skip: int = 0) -> tuple[AuditEvent, ...]:
        """Events, newest first; events of one moment by level and sequence, last first."""
        where, values = filters.where()
        with self._context.storage.read() as tx:
            levels = readable(acting(tx, self._session).taint)
            arm = f"SELECT {COLUMNS} FROM audit_event WHERE level = {{}}{where}"
            union = " UNION ALL ".join(arm.format(int(level)) for level in levels)
            rows = tx.rows(
                f"{union} ORDER BY at DESC, seq DESC, level DESC LIMIT ? OFFSET ?",
                (*values * len(levels), limit, skip),
            )
            return tuple(_event(row) for row in rows)

    def count(self, filters: EventFilters = NO_FILTERS) -> int:
        """How many events ``events`` would give in all."""
        where, values = filters.where()
        with self._context.storage.read() as tx:
            levels = readable(acting(tx, self._session).taint)
            inside = ",".join(str(int(level)) for level in levels)
            return int(tx.value(f"SELECT count(*) FROM audit_event WHERE level IN ({inside}){where}", values))

    def activity(self, filters: EventFilters = NO_FILTERS, *, spans: int = 60) -> Activity | None:
        """The same events counted over time, in ``spans`` spans, and by action; ``None`` where there are none."""
        where, values = filters.where()
        with self._context.storage.read() as tx:
            return over_time(tx, readable(acting(tx, self._session).taint), where, values, spans)

    def heads(self) -> tuple[ChainHead, ...]:
        """The last event of each chain up to the taint; sequence 0 where a chain is empty."""
        with self._context.storage.read() as tx:
            levels = readable(acting(tx, self._session).taint)
            tips = [(level, *_tip(tx, level)) for level in levels]
        return tuple(ChainHead(level, seq, head.hex()) for level, seq, head in tips)

    def verify(
        self, since: Iterable[ChainHead] = (), *, progress: Callable[[int], None] | None = None
    ) -> tuple[ChainReport, ...]:
        """Walks each chain up to the taint and says which event is the first that does not hold.

        That may be one that was changed, removed, put in or moved, one that vouches for a text which no version has
        any more, and, of heads kept elsewhere (``since``), one that the chain no longer has: its tail was cut off or
        written anew. Heads of levels above the taint tell nothing. ``progress`` is told now and then how many events
        were walked; what it raises ends the walk.
        """
        heads = list(since)
        with self._context.storage.read() as tx:
            reports: list[ChainReport] = []
            for level in readable(acting(tx, self._session).taint):
                before = sum(one.events for one in reports)
                kept = [head for head in heads if head.level is level]
                reports.append(verify_level(tx, level, kept, further(before, progress)))
            return tuple(reports)


def walk(tx: Transaction, level: Level) -> Iterator[AuditEvent]:
    """The events of one level, first to last."""
    return map(_event, walk_rows(tx, level))
