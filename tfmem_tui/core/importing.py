"""Taking in records of another store at their own levels, an operator's act (G10). Nothing doubled, nothing lost.

Where a record meets versions that are here already, the newest text stays live and the older one becomes history.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from tfmem_tui.core import versions
from tfmem_tui.core.audit import Draft, append
from tfmem_tui.core.chain import sum_of
from tfmem_tui.core.context import StoreContext, to_micros
from tfmem_tui.core.credentials import FORMS, looks_like
from tfmem_tui.core.errors import ClassificationViolation, InvalidInput
from tfmem_tui.core.level import Level, can_flow_to
from tfmem_tui.core.records import MemoryVersion
from tfmem_tui.core.storage import Transaction
from tfmem_tui.core.validation import check_content, check_key, check_tags


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """A memory as another store had it; ``deleted_at`` is set for one that was soft-deleted there. Times in UTC."""

    key: str
    level: Level
    content: str
    tags: tuple[str, ...]
    created_at: datetime
    saved_at: datetime
    saved_by: str
    expires_at: datetime | None = None
    deleted_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ImportedVersion:
    """A version exactly as another tfmem store had it, ended or live."""

    version: MemoryVersion

    @property
    def level(self) -> Level:
        """Where it belongs."""
        return self.version.level


@dataclass(frozen=True, slots=True)
class ImportedEvent:
    """An act as another store had recorded it; ``source_id`` is its name there. Time in UTC."""

    source_id: str
    level: Level
    at: datetime
    session: str
    user: str
    action: str
    key: str | None = None
    detail: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """What became of records: new ones, of these the soft-deleted, and those that were here already."""

    memories: int = 0
    deleted: int = 0
    unchanged: int = 0
    events: int = 0
    events_unchanged: int = 0

    def __add__(self, other: ImportCounts) -> ImportCounts:
        return ImportCounts(
            self.memories + other.memories,
            self.deleted + other.deleted,
            self.unchanged + other.unchanged,
            self.events + other.events,
            self.events_unchanged + other.events_unchanged,
        )


@dataclass(slots=True)
class _Done:
    """What a batch did at one level: counts, and the content hashes of the versions it began."""

    counts: ImportCounts = field(default_factory=ImportCounts)
    proofs: list[bytes] = field(default_factory=list)
    looks_like: Counter[str] = field(default_factory=Counter)  # how many of the versions hold a credential's form

    def began(self, new: versions.NewVersion, proof: bytes) -> None:
        """A version was begun: its hash, and what its text looks like."""
        self.proofs.append(proof)
        self.looks_like.update(looks_like(new.key, new.content, new.tags))


@dataclass(frozen=True, slots=True)
class _Held:
    """A version of the key that is here already. Times in microseconds."""

    ident: str
    content: str
    tags: str
    saved_at: int
    saved_by: str
    created_at: int
    ended_at: int | None
    ended_by: str | None
    end_reason: str | None


ImportedRecord = ImportedMemory | ImportedVersion | ImportedEvent


class Importer:
    """Adds records batch by batch, each batch with one audit event for each level that it changes (G9, G10)."""

    def __init__(self, context: StoreContext, clearance: Level) -> None:
        self._context = context
        self._clearance = clearance
        self._sessions: dict[Level, str] = {}

    def add(self, records: Iterable[ImportedRecord]) -> ImportCounts:
        """Adds a batch in one transaction; records that are here already change nothing.

        Raises ``InvalidInput`` for a record that breaks a limit and ``ClassificationViolation`` for one above the
        clearance; nothing of the batch is kept then.
        """
        done: dict[Level, _Done] = {}
        with self._context.storage.write() as tx:
            met: list[versions.NewVersion] = []
            for record in records:
                if not can_flow_to(record.level, self._clearance):
                    raise ClassificationViolation(f"a record is above the clearance, {self._clearance.name}")
                if isinstance(record, ImportedEvent):
                    self._event(tx, record, done.setdefault(record.level, _Done()))
                else:
                    met.append(
                        _as_version(record) if isinstance(record, ImportedMemory) else _as_it_was(record.version)
                    )
            self._memories(tx, met, done)
            changed = [level for level, one in sorted(done.items()) if one.counts.memories or one.counts.events]
            fresh = {level: self._sessions.get(level) or self._start(tx, level) for level in changed}
            for level, session_id in fresh.items():
                self._record(tx, level, session_id, done[level])
        self._sessions |= fresh
        return sum((one.counts for one in done.values()), ImportCounts())

    def _memories(self, tx: Transaction, met: list[versions.NewVersion], done: dict[Level, _Done]) -> None:
        """Most keys are new here and come once: they go in together. The others are weighed one by one."""
        often = Counter((new.level, new.key) for new in met)
        for level in sorted({new.level for new in met}):
            ours = [new for new in met if new.level == level]
            known = _known(tx, level, [new.key for new in ours])
            fresh = [new for new in ours if new.key not in known and often[level, new.key] == 1]
            so_far = done.setdefault(level, _Done())
            for new, (_, proof) in zip(fresh, versions.begin_many(tx, self._context, level, fresh), strict=True):
                so_far.began(new, proof)
            deleted = sum(new.end_reason == "deleted" for new in fresh)
            so_far.counts += ImportCounts(memories=len(fresh), deleted=deleted)
            for new in ours:
                if new.key in known or often[level, new.key] > 1:
                    self._memory(tx, new, so_far)

    def _start(self, tx: Transaction, level: Level) -> str:
        """The import's own session at ``level``: over as soon as it is begun, nobody can act as it."""
        now, session_id = self._context.now(), self._context.entropy.id(level)
        tx.run(
            "INSERT INTO agent_session (id, kind, taint, started_at, ended_at) VALUES (?, 'import', ?, ?, ?)",
            (session_id, int(level), now, now),
        )
        return session_id

    def _record(self, tx: Transaction, level: Level, session_id: str, done: _Done) -> None:
        counts = done.counts
        detail: dict[str, object] = {
            "memories": counts.memories,
            "deleted": counts.deleted,
            "events": counts.events,
        }
        if done.looks_like:
            detail["looks_like"] = {name: done.looks_like[name] for name in FORMS if name in done.looks_like}
        proof = sum_of(done.proofs) if done.proofs else None
        draft = Draft("import", session_id, self._context.user, detail=detail, content_hash=proof)
        append(tx, self._context, level, draft)

    def _event(self, tx: Transaction, event: ImportedEvent, done: _Done) -> None:
        known = tx.row("SELECT 1 FROM audit_event WHERE level = ? AND source = ?", (int(event.level), event.source_id))
        if known:
            done.counts += ImportCounts(events_unchanged=1)
            return
        draft = Draft(
            event.action,
            event.session,
            event.user,
            None if event.key is None else check_key(event.key),
            detail=event.detail,
            at=to_micros(event.at),
            source=event.source_id,
        )
        append(tx, self._context, event.level, draft)
        done.counts += ImportCounts(events=1)

    def _memory(self, tx: Transaction, new: versions.NewVersion, done: _Done) -> None:
        held = _held(tx, new)
        if any(_same(one, new) for one in held):
            done.counts += ImportCounts(unchanged=1)
            return
        new = replace(new, created_at=min([new.created_at, *(one.created_at for one in held)]))
        done.counts += ImportCounts(memories=1, deleted=int(new.end_reason == "deleted"))
        row = versions.live_row(tx, new.level, new.key)
        if row is not None and new.ended_at is not None and _is_its_end(row, new):
            versions.end(tx, row, new.ended_at, None, "deleted")
            return
        if new.ended_at is None:
            new = _among(held, new)
        if row is not None and row.saved_at <= new.saved_at and new.end_reason in (None, "deleted"):
            versions.end(tx, row, new.saved_at, new.saved_by, "replaced")
        done.began(new, versions.begin(tx, self._context, new)[1])


def _is_its_end(row: versions.LiveRow, new: versions.NewVersion) -> bool:
    """Whether the deleted record is the very version that is live here: then its end is what is new."""
    deleted = new.end_reason == "deleted" and new.ended_at is not None and row.saved_at <= new.ended_at
    return deleted and (row.content, row.tags) == (new.content, new.tags)


def _among(held: list[_Held], new: versions.NewVersion) -> versions.NewVersion:
    """The record as history where a later act on the key is here already; else as it is, to be live.

    A later save replaced it; where there is none but a later delete, it was deleted by that.
    """
    later = [one for one in held if one.saved_at > new.saved_at]
    if later:
        next_one = min(later, key=lambda one: one.saved_at)
        return replace(new, ended_at=next_one.saved_at, ended_by=next_one.saved_by, end_reason="replaced")
    deletes = [one for one in held if one.end_reason == "deleted" and (one.ended_at or 0) > new.saved_at]
    if deletes:
        last = max(deletes, key=lambda one: one.ended_at or 0)
        return replace(new, ended_at=last.ended_at, ended_by=last.ended_by, end_reason="deleted")
    return new


def _as_version(memory: ImportedMemory) -> versions.NewVersion:
    for moment in (memory.created_at, memory.saved_at, memory.expires_at, memory.deleted_at):
        if moment is not None and moment.tzinfo is None:
            raise InvalidInput("a time has no time zone")
    deleted = None if memory.deleted_at is None else to_micros(memory.deleted_at)
    return versions.NewVersion(
        key=check_key(memory.key),
        level=memory.level,
        content=check_content(memory.content),
        tags=json.dumps(list(check_tags(memory.tags)), ensure_ascii=False, separators=(",", ":")),
        created_at=to_micros(memory.created_at),
        saved_at=to_micros(memory.saved_at),
        saved_by=memory.saved_by,
        expires_at=None if memory.expires_at is None else to_micros(memory.expires_at),
        ended_at=deleted,
        end_reason=None if deleted is None else "deleted",
    )


def _as_it_was(version: MemoryVersion) -> versions.NewVersion:
    ended = version.ended_at
    return replace(
        _as_version(
            ImportedMemory(
                version.key,
                version.level,
                version.content,
                version.tags,
                version.created_at,
                version.saved_at,
                version.saved_by,
                version.expires_at,
                deleted_at=ended,
            )
        ),
        ended_by=version.ended_by,
        end_reason=version.end_reason,
        ident=version.id,
    )


def _known(tx: Transaction, level: Level, keys: list[str]) -> set[str]:
    """Those of ``keys`` that have a version at ``level``, live or ended."""
    of_key = f"SELECT 1 FROM memory WHERE level = {int(level)} AND key = j.value AND ended_at"
    sql = f"SELECT j.value FROM json_each(?) AS j WHERE EXISTS ({of_key} IS NULL) OR EXISTS ({of_key} IS NOT NULL)"
    return {row[0] for row in tx.rows(sql, (json.dumps(keys),))}


def _held(tx: Transaction, new: versions.NewVersion) -> list[_Held]:
    columns = "id, content, tags, saved_at, saved_by, created_at, ended_at, ended_by, end_reason"
    arm = f"SELECT {columns} FROM memory WHERE level = ? AND key = ? AND ended_at"
    rows = tx.rows(f"{arm} IS NULL UNION ALL {arm} IS NOT NULL", (int(new.level), new.key) * 2)
    return [_Held(*row) for row in rows]


def _same(held: _Held, new: versions.NewVersion) -> bool:
    """Whether a version that is here is the very same record: by its id, else by text and time."""
    if new.ident is not None:
        return held.ident == new.ident
    if (held.content, held.tags) != (new.content, new.tags):
        return False
    if new.ended_at is not None:
        return held.end_reason == "deleted" and held.ended_at == new.ended_at
    return held.saved_at == new.saved_at
