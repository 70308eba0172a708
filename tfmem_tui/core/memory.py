"""``MemoryRepository``: everything a session may do with memories, and nothing that takes a level.

The five audited calls are what the agent's tools run; the reads after them serve the operator's screens and command
line, pass the same gate and leave no audit event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from tfmem_tui.core import search_index, versions
from tfmem_tui.core.acting import Acting, Session, Viewer, ended_error, look_up
from tfmem_tui.core.audit import Draft, append
from tfmem_tui.core.context import StoreContext, to_micros
from tfmem_tui.core.credentials import looks_like
from tfmem_tui.core.cursors import cursor_of, read_cursor, write_cursor
from tfmem_tui.core.effective import (
    VERSION_COLUMNS,
    Scope,
    by_place,
    effective_version,
    to_version,
)
from tfmem_tui.core.errors import InvalidInput, NotFound, StoreReadOnly, TfmemError
from tfmem_tui.core.lists import Listed, places_after
from tfmem_tui.core.query import parse
from tfmem_tui.core.reads import MemoryReads
from tfmem_tui.core.records import (
    Cursor,
    Filters,
    Listing,
    MemoryVersion,
    Outcome,
)
from tfmem_tui.core.saving import write_version
from tfmem_tui.core.storage import Transaction
from tfmem_tui.core.validation import (
    check_content,
    check_key,
    check_max_results,
    check_query,
    check_tag,
    check_tags,
)

Result = TypeVar("Result")
Take = Callable[[MemoryVersion], bool]
CHUNK = 64
LONGEST_AUDITED_QUERY = 1_000
NOT_HERE = "no live memory of this key at this session's level"


def always(version: MemoryVersion) -> bool:
    """Takes every row."""
    return True


@dataclass(slots=True)
class _Call:
    """One audited call while it runs: what its event will say."""

    tx: Transaction
    who: Acting
    scope: Scope
    key: str | None = None
    outcome: Outcome = Outcome.ALLOWED
    content_hash: bytes | None = None
    detail: dict[str, object] | None = None


class MemoryRepository(MemoryReads):
    """Memories as one session may see and change them; its taint is read anew inside every call (G6)."""

    def __init__(self, context: StoreContext, session: Session) -> None:
        super().__init__(context, session)

    # The five audited calls.

    def save(
        self,
        key: str,
        content: str,
        tags: Sequence[str] = (),
        *,
        expires_at: datetime | None = None,
        forced: Sequence[str] = (),
    ) -> MemoryVersion:
        """Saves a new version of ``key`` at exactly the session's taint (G1) and returns it.

        Raises ``InvalidInput`` for what breaks a limit, ``SessionEnded`` and ``StorageError``.
        """

        def run(call: _Call) -> MemoryVersion:
            call.key = check_key(key)
            text, labels = check_content(content), check_tags(tags)
            expiry = None if expires_at is None else _expiry(expires_at, call.scope.now)
            forms = looks_like(call.key, text, *labels)
            call.detail = {"looks_like": list(forms)} if forms else None
            return self._save(call, call.key, text, labels, expiry)

        return self._call("memory_save", forced, run, writes=True)

    def get(self, key: str, *, forced: Sequence[str] = ()) -> MemoryVersion | None:
        """What the session gets for ``key``: its effective version, or ``None`` (G2). Raises as ``save`` does."""

        def run(call: _Call) -> MemoryVersion | None:
            call.key = check_key(key)
            found = effective_version(call.tx, call.scope, call.key)
            call.outcome = Outcome.ALLOWED if found else Outcome.MISSED
            return found

        return self._call("memory_get", forced, run)

    def search(self, query: str, max_results: int = 10, *, take: Take = always, forced: Sequence[str] = ()) -> Listing:
        """The best matches for any text, any word may match; gate and shadowing before the limit (G2, G3).

        ``take`` is asked of each row in order and ends the answer where it says no; the first row always comes.
        """

        def run(call: _Call) -> Listing:
            text, limit = check_query(query), check_max_results(max_results)
            ranked = search_index.search(call.tx, call.scope, parse(text), limit)
            rows = by_place(call.tx, call.scope, ranked.places, VERSION_COLUMNS)
            found = [to_version(rows[place], call.scope.now) for place in ranked.places]
            taken = _take(found, take)
            call.detail = {"query": text[:LONGEST_AUDITED_QUERY], "results": len(taken)}
            return Listing(tuple(taken), truncated=len(taken) < len(found))

        return self._call("memory_search", forced, run)

    def list(
        self,
        tag: str | None = None,
        *,
        cursor: str | None = None,
        take: Take = always,
        forced: Sequence[str] = (),
    ) -> Listing:
        """Effective memories, newest first, then by key; with ``tag``, those that carry exactly it (G3).

        ``take`` as in ``search``; where it ends the answer, ``next_cursor`` is where the next call goes on.
        """

        def run(call: _Call) -> Listing:
            filters = Filters() if tag is None else Filters(tags=(check_tag(tag),))
            listed = Listed(call.scope, filters=filters)
            start = None if cursor is None else read_cursor(cursor)
            taken: list[MemoryVersion] = []
            listing = None
            for row in self._stream(call, listed, start):
                if taken and not take(row):
                    listing = Listing(tuple(taken), write_cursor(taken[-1]))
                    break
                if not taken:
                    take(row)
                taken.append(row)
            call.detail = {"tag": tag, "results": len(taken)} if tag is not None else {"results": len(taken)}
            return listing or Listing(tuple(taken))

        return self._call("memory_list", forced, run)

    def delete(self, key: str, *, forced: Sequence[str] = ()) -> None:
        """Ends the live version of ``key`` at the session's own level; it stays as a tombstone (G4, G5).

        Raises ``NotFound`` where there is none, whatever the cause; otherwise as ``save`` does.
        """

        def run(call: _Call) -> None:
            call.key = check_key(key)
            versions.sweep(call.tx, call.who.taint, call.scope.now)
            row = versions.live_row(call.tx, call.who.taint, call.key)
            if row is None or (row.expires_at is not None and row.expires_at <= call.scope.now):
                call.outcome = Outcome.MISSED
                raise NotFound(self._missing(call))
            versions.end(call.tx, row, call.scope.now, call.who.id, "deleted")

        self._call("memory_delete", forced, run, writes=True)

    def record_invalid(self, action: str, key: str | None, reason: str, *, forced: Sequence[str] = ()) -> None:
        """Leaves the audit event of a call whose arguments were refused before they came here."""

        def run(call: _Call) -> None:
            call.outcome = Outcome.INVALID
            call.key = _usable_key(key)
            call.detail = {"reason": reason}

        self._call(action, forced, run)

    def _call(
        self, action: str, forced: Sequence[str], run: Callable[[_Call], Result], *, writes: bool = False
    ) -> Result:
        """Runs one audited call in one transaction: taint, act and event together or not at all (G6, G9)."""
        failure: TfmemError | None = None
        result: Result | None = None
        with self._transaction(writes) as tx:
            who = look_up(tx, self._session)
            call = _Call(tx, who, Scope.at(tx, who.taint, self._context.now()))
            try:
                if who.ended:
                    call.outcome = Outcome.REFUSED
                    raise ended_error()
                result = run(call)
            except InvalidInput as error:
                call.outcome, call.detail, failure = Outcome.INVALID, {"reason": error.message}, error
            except TfmemError as error:
                if call.outcome is Outcome.ALLOWED:
                    raise
                failure = error
            self._record(call, action, forced)
        if failure is not None:
            raise failure
        return result  # type: ignore[return-value]  # a call that returns None is typed so

    @contextmanager
    def _transaction(self, writes: bool) -> Iterator[Transaction]:
        storage = self._context.storage
        if writes and (isinstance(self._session, Viewer) or storage.read_only):
            raise StoreReadOnly("the store is read-only here; nothing was changed")
        with storage.write() if self.audited else storage.read() as tx:
            yield tx

    @property
    def audited(self) -> bool:
        """Whether the five calls leave audit events: not on a read-only store, and not for a mere viewer."""
        return not (self._context.storage.read_only or isinstance(self._session, Viewer))

    def _record(self, call: _Call, action: str, forced: Sequence[str]) -> None:
        if not self.audited:
            return
        outcome, detail = call.outcome, dict(call.detail or {})
        if forced:
            detail["forced"] = list(forced)
            outcome = Outcome.FORCED if outcome is Outcome.ALLOWED else outcome
        draft = Draft(
            action,
            call.who.id,
            self._context.user,
            call.key,
            outcome,
            detail,
            call.content_hash,
            call.scope.now,
        )
        append(call.tx, self._context, call.who.taint, draft)

    def _save(self, call: _Call, key: str, content: str, tags: Sequence[str], expires_at: int | None) -> MemoryVersion:
        saved, call.content_hash = write_version(
            call.tx, self._context, call.who, key, content, tags, expires_at, call.scope.now
        )
        return saved

    def _missing(self, call: _Call) -> str:
        assert call.key is not None
        below = effective_version(call.tx, call.scope, call.key)
        if below is None:
            return NOT_HERE
        return f"{NOT_HERE}; a version at {below.level.name} is visible and can be deleted only by a session there"

    def _stream(self, call: _Call, listed: Listed, start: Cursor | None) -> Iterator[MemoryVersion]:
        while True:
            places = places_after(call.tx, listed, start, 0, CHUNK)
            rows = by_place(call.tx, call.scope, places, VERSION_COLUMNS)
            for place in places:
                row = to_version(rows[place], call.scope.now)
                start = cursor_of(row)
                yield row
            if len(places) < CHUNK:
                return


def _take(rows: Sequence[MemoryVersion], take: Take) -> list[MemoryVersion]:
    taken: list[MemoryVersion] = []
    for row in rows:
        if not take(row) and taken:
            break
        taken.append(row)
    return taken


def _expiry(expires_at: datetime, now: int) -> int:
    if expires_at.tzinfo is None:
        raise InvalidInput("expires_at needs a time zone")
    micros = to_micros(expires_at)
    if micros <= now:
        raise InvalidInput("expires_at is in the past")
    return micros


def _usable_key(key: str | None) -> str | None:
    try:
        return None if key is None else check_key(key)
    except InvalidInput:
        return None
