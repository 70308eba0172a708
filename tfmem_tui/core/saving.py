"""Saving one memory: by a session at its own taint, or again by a restore. Version, tags and full-text row together."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tfmem_tui.core import versions
from tfmem_tui.core.acting import Acting, Session, acting
from tfmem_tui.core.audit import Draft, append
from tfmem_tui.core.context import StoreContext, to_micros
from tfmem_tui.core.credentials import looks_like
from tfmem_tui.core.effective import Scope, to_version
from tfmem_tui.core.errors import InvalidInput, NotFound
from tfmem_tui.core.history import version
from tfmem_tui.core.records import MemoryVersion, VersionRef
from tfmem_tui.core.storage import Transaction


def write_version(
    tx: Transaction,
    context: StoreContext,
    who: Acting,
    key: str,
    content: str,
    tags: Sequence[str],
    expires_at: int | None,
    now: int,
) -> tuple[MemoryVersion, bytes]:
    """Saves at the actor's taint: ends the version it replaces, begins the new one. Returns it and its hash."""
    versions.sweep(tx, who.taint, now)
    created = versions.make_room(tx, who.taint, key, now, who.id)
    new = versions.NewVersion(
        key=key,
        level=who.taint,
        content=content,
        tags=json.dumps(list(tags), ensure_ascii=False, separators=(",", ":")),
        created_at=now if created is None else created,
        saved_at=now,
        saved_by=who.id,
        expires_at=expires_at,
    )
    ident, proof = versions.begin(tx, context, new)
    row = (
        ident, key, int(new.level), content, new.tags, new.created_at, now, who.id, expires_at, None, None, None,
    )  # fmt: skip
    return to_version(row, now), proof


def restore_version(tx: Transaction, context: StoreContext, session: Session, ref: VersionRef) -> MemoryVersion:
    """Saves a tombstone's text again at the tombstone's own level (G5, G10), with the event at that level."""
    who, now = acting(tx, session), context.now()
    found = version(tx, Scope.at(tx, who.taint, now), ref.key, ref.id)
    if found is None:
        raise NotFound("no such deleted memory is visible to this session")
    if found.end_reason != "deleted":
        raise InvalidInput("this version was not deleted; only a deleted one can be restored")
    there = Acting(who.id, found.level, ended=False)
    expiry = None if found.expires_at is None else to_micros(found.expires_at)
    restored, proof = write_version(tx, context, there, found.key, found.content, found.tags, expiry, now)
    forms = looks_like(found.key, found.content, *found.tags)
    detail = {"restored": ref.id, **({"looks_like": list(forms)} if forms else {})}
    draft = Draft("restore", who.id, context.user, found.key, detail=detail, content_hash=proof)
    append(tx, context, found.level, draft)
    return restored
