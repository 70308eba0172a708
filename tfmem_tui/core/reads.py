"""The reads of the operator's screens and command line: gated like the tools, leaving no audit event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tfmem_tui.core import effective, extracts, lists, search_index, totals
from tfmem_tui.core import history as past
from tfmem_tui.core.acting import Session, acting
from tfmem_tui.core.audit import walk
from tfmem_tui.core.context import StoreContext
from tfmem_tui.core.effective import SUMMARY_COLUMNS, Scope, by_place, to_summary
from tfmem_tui.core.errors import NotFound
from tfmem_tui.core.level import Level
from tfmem_tui.core.lists import Listed
from tfmem_tui.core.query import parse
from tfmem_tui.core.records import (
    NO_FILTERS,
    AuditEvent,
    Cursor,
    Filters,
    Found,
    Ladder,
    MemorySummary,
    MemoryVersion,
    Order,
    Page,
    TagCount,
    Totals,
    VersionRef,
)
from tfmem_tui.core.storage import Transaction


class MemoryReads:
    """What a session may look at; the taint is read anew inside every call (G6)."""

    def __init__(self, context: StoreContext, session: Session) -> None:
        self._context = context
        self._session = session

    @contextmanager
    def _reading(self) -> Iterator[tuple[Transaction, Scope]]:
        with self._context.storage.read() as tx:
            taint = acting(tx, self._session).taint
            yield tx, Scope.at(tx, taint, self._context.now())

    def taint(self) -> Level:
        """The session's taint at this moment. Raises ``SessionEnded``, as every read here does."""
        with self._reading() as (_, scope):
            return scope.taint

    def effective(self, key: str) -> MemoryVersion | None:
        """What the session gets for ``key`` (G2, G3)."""
        with self._reading() as (tx, scope):
            return effective.effective_version(tx, scope, key)

    def version(self, ref: VersionRef) -> MemoryVersion:
        """One version, ended or not, at or below the taint. Raises ``NotFound`` otherwise (G4)."""
        with self._reading() as (tx, scope):
            found = past.version(tx, scope, ref.key, ref.id)
        if found is None:
            raise NotFound("no such version is visible to this session")
        return found

    def page(
        self,
        order: Order = Order.SAVED,
        *,
        descending: bool = True,
        filters: Filters = NO_FILTERS,
        after: Cursor | None = None,
        before: Cursor | None = None,
        skip: int = 0,
        limit: int = 100,
        from_end: bool = False,
    ) -> Page:
        """Consecutive effective memories from the start, the end, after or before a place.

        Ascending is the exact reverse of descending. ``skip`` leaves out so many rows beyond the anchor.
        """
        with self._reading() as (tx, scope):
            return lists.page(
                tx,
                Listed(scope, order, descending, filters),
                after=after,
                before=before,
                skip=skip,
                limit=limit,
                from_end=from_end,
            )

    def count(self, filters: Filters = NO_FILTERS) -> int:
        """How many effective memories pass the filters; exact."""
        with self._reading() as (tx, scope):
            if filters.is_empty:
                return sum(totals.by_level(tx, scope).values())
            return lists.count(tx, Listed(scope, filters=filters))

    def position(
        self,
        cursor: Cursor,
        order: Order = Order.SAVED,
        *,
        descending: bool = True,
        filters: Filters = NO_FILTERS,
    ) -> int:
        """How many rows of the list come before ``cursor``; exact."""
        with self._reading() as (tx, scope):
            return lists.count(tx, Listed(scope, order, descending, filters), up_to=cursor)

    def totals(self) -> Totals:
        """Exact counts of what the session may see, level by level."""
        with self._reading() as (tx, scope):
            by_level = totals.by_level(tx, scope)
            return Totals(sum(by_level.values()), by_level, past.count_tombstones(tx, scope))

    def tags(self, *, limit: int = 200, starting_with: str = "") -> tuple[TagCount, ...]:
        """Tags of effective memories with their counts, most frequent first, then by name."""
        with self._reading() as (tx, scope):
            counts = totals.tag_counts(tx, scope, starting_with, limit)
        return tuple(TagCount(tag, count) for tag, count in counts)

    def find(
        self,
        words: str,
        *,
        filters: Filters = NO_FILTERS,
        order: Order | None = None,
        descending: bool = True,
        prefix_last: bool = False,
        limit: int = 10_000,
    ) -> Found:
        """The effective memories that hold any of ``words``, a person's with operators: best first, or in ``order``."""
        with self._reading() as (tx, scope):
            query = parse(words, prefix_last=prefix_last, operators=True)
            ranked = search_index.search(tx, scope, query, limit, filters)
            if order is None:
                return Found(tuple(ranked.places), words, tuple(ranked.scores), ranked.complete)
            places = lists.sorted_places(tx, ranked.places, order, descending)
            return Found(tuple(places), words, complete=ranked.complete)

    def rows(self, found: Found, start: int, count: int) -> tuple[MemorySummary, ...]:
        """Rows of a search answer. What is no longer effective for the session is left out."""
        places = found.places[start : start + count]
        with self._reading() as (tx, scope):
            rows = by_place(tx, scope, places, SUMMARY_COLUMNS)
        return tuple(to_summary(rows[place]) for place in places if place in rows)

    def versions(self, key: str, *, limit: int = 200) -> tuple[MemoryVersion, ...]:
        """Every version of ``key`` at or below the taint, ended ones included, newest first."""
        with self._reading() as (tx, scope):
            return past.versions(tx, scope, key, limit)

    def ladder(self, key: str) -> Ladder:
        """``key`` at every level up to the taint: who wins, who is shadowed, what a delete would uncover."""
        with self._reading() as (tx, scope):
            return past.ladder(tx, scope, key)

    def tombstones(self, *, key_contains: str = "", limit: int = 100, skip: int = 0) -> tuple[MemoryVersion, ...]:
        """Deleted versions at or below the taint, the latest delete first."""
        with self._reading() as (tx, scope):
            return past.tombstones(tx, scope, key_contains, limit, skip)

    def tombstone_count(self, *, key_contains: str = "") -> int:
        """How many versions ``tombstones`` would give in all."""
        with self._reading() as (tx, scope):
            return past.count_tombstones(tx, scope, key_contains)

    def of_keys(self, keys: Iterable[str]) -> Iterator[MemoryVersion]:
        """What the session gets for each of these keys, as one state; keys it finds nothing for are left out."""
        with self._reading() as (tx, scope):
            yield from extracts.of_keys(tx, scope, keys)

    def in_full(
        self,
        words: str = "",
        *,
        filters: Filters = NO_FILTERS,
        order: Order | None = Order.SAVED,
        descending: bool = True,
        prefix_last: bool = False,
        limit: int = 10_000,
    ) -> Iterator[MemoryVersion]:
        """The memories of ``page``, or with ``words`` those of ``find`` up to ``limit``: in full, as one state."""
        with self._reading() as (tx, scope):
            if words.strip():
                query = parse(words, prefix_last=prefix_last, operators=True)
                yield from extracts.of_words(tx, scope, query, filters, order, descending, limit)
            else:
                yield from extracts.of_list(tx, Listed(scope, order or Order.SAVED, descending, filters))

    def everything(self, *, history: bool = False) -> Iterator[MemoryVersion | AuditEvent]:
        """All that the session may see, as one state, in constant memory: effective memories, oldest first.

        With ``history`` every version and tombstone up to the taint instead, then every audit event up to it; each
        level by itself, in the order in which it came about.
        """
        with self._reading() as (tx, scope):
            yield from past.all_versions(tx, scope) if history else lists.all_effective(tx, scope)
            if history:
                for level in scope.levels:
                    yield from walk(tx, level)

    def change_token(self) -> str:
        """A text that differs if something was recorded at or below the taint since, or ran out there (G7)."""
        with self._reading() as (tx, scope):
            tips = [
                tx.value("SELECT coalesce(max(seq), 0) FROM audit_event WHERE level = ?", (int(level),))
                for level in scope.levels
            ]
            expired = effective.count_expired(tx, scope) if scope.expiry else 0
        return f"{scope.taint.name}:{'.'.join(str(tip) for tip in tips)}:{expired}"
