"""Where long lists get their rows: pages by number, read through the gateway, whatever the length of the list.

A source belongs to one question (one session, one order, one set of filters); a new question is a new source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from tfmem_tui.core.records import Cursor, Filters, Found, MemorySummary, Order, Page
from tfmem_tui.tui.acting import Acting
from tfmem_tui.tui.answers import Answer, Done
from tfmem_tui.tui.gateway import Gateway, Job
from tfmem_tui.tui.safe_text import Span

if TYPE_CHECKING:
    from tfmem_tui.core.memory import MemoryRepository
    from tfmem_tui.core.store import Store

T = TypeVar("T")
PAGE = 100
FIRST_MATCHES, MOST_MATCHES = PAGE, 10_000


@dataclass(frozen=True, slots=True)
class Opened(Generic[T]):
    """The first look at a list: one page, the row to stand on, and the length as far as it is known."""

    number: int
    rows: tuple[T, ...]
    at: int
    length: int  # rows known to be there; exact where ``exact``
    exact: bool


class Source(Protocol[T]):
    """What a paged list asks."""

    @property
    def complete(self) -> bool:
        """Whether the length counts all there is, and not only what was collected."""

    async def open(self, keep: T | None, near: int) -> Answer[Opened[T]]:
        """The page that holds the row ``keep`` (or place ``near``, where it is gone)."""

    async def page(self, number: int) -> Answer[tuple[T, ...]]:
        """The rows of page ``number``."""

    async def length(self) -> Answer[int]:
        """The exact number of rows."""


Spans = tuple[tuple[Span, ...], tuple[Span, ...], tuple[Span, ...]]  # in key, preview and tags
NO_SPANS: Spans = ((), (), ())


@dataclass(slots=True)
class MemoryRow:
    """A row of the memory table. Where the search words match is worked out when the row is first drawn."""

    memory: MemorySummary
    cursor: Cursor | None = None
    match: Callable[[str], Iterable[Span]] | None = field(default=None, compare=False, repr=False)
    _spans: Spans | None = field(default=None, compare=False, repr=False)

    @property
    def tags(self) -> str:
        """The tags as one text, which the last of the spans speaks of."""
        return joined_tags(self.memory.tags)

    @property
    def spans(self) -> Spans:
        """The places in key, preview and tags that the search words match."""
        if self._spans is None:
            texts, match = (self.memory.key, self.memory.preview, self.tags), self.match
            key, preview, tags = NO_SPANS if match is None else tuple(tuple(match(text)) for text in texts)
            self._spans = key, preview, tags
        return self._spans


def joined_tags(tags: Sequence[str]) -> str:
    """Tags as a cell shows them."""
    return ", ".join(tags)


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    """What the memory table shows: words, order (none: best match first) and filters."""

    words: str = ""
    order: Order | None = Order.SAVED
    descending: bool = True
    filters: Filters = field(default_factory=Filters)


class BrowseSource:
    """All effective memories in an order, by keyset: from the nearest known place to the page that is asked for."""

    complete = True

    def __init__(self, gateway: Gateway, acting: Acting, question: MemoryQuestion) -> None:
        self._gateway, self._acting, self._question = gateway, acting, question
        self._places: dict[int, Cursor] = {}  # index of a row -> its cursor; the edges of the pages read so far
        self._length: int | None = None

    def _read(self, store: Store, **where: object) -> Page:
        asked = self._question
        return store.memories(self._acting.session).page(
            asked.order or Order.SAVED,
            descending=asked.descending,
            filters=asked.filters,
            **where,  # type: ignore[arg-type]
        )

    async def open(self, keep: MemoryRow | None, near: int) -> Answer[Opened[MemoryRow]]:
        """The first page, or the one around the row that was stood on."""
        answer = await self._gateway.search(lambda store: self._open(store, keep))
        if isinstance(answer, Done):
            opened = answer.value
            self._remember(opened.number, opened.rows)
            if opened.exact:
                self._length = opened.length
        return answer

    def _open(self, store: Store, keep: MemoryRow | None) -> Opened[MemoryRow]:
        first = self._read(store, limit=PAGE)
        rows = _browsed(first)
        if keep is None or keep.cursor is None:
            return Opened(0, rows, 0, len(rows), first.at_end)
        at = _index_of(rows, keep)
        if at is not None or (first.at_end and not rows):
            return Opened(0, rows, at or 0, len(rows), first.at_end)
        asked = self._question
        place = store.memories(self._acting.session).position(
            keep.cursor, asked.order or Order.SAVED, descending=asked.descending, filters=asked.filters
        )
        number = place // PAGE
        if number == 0:
            return Opened(0, rows, min(place, max(0, len(rows) - 1)), len(rows), first.at_end)
        page = self._around(store, keep.cursor, place, number * PAGE)
        rows = _browsed(page)
        at = _index_of(rows, keep)
        stand = number * PAGE + (min(place % PAGE, max(0, len(rows) - 1)) if at is None else at)
        return Opened(number, rows, stand, number * PAGE + len(rows), page.at_end)

    def _around(self, store: Store, cursor: Cursor, place: int, start: int) -> Page:
        """The page that begins at ``start``, by way of the row before it."""
        before = self._read(store, before=cursor, skip=place - start, limit=1)
        if not before.cursors:
            return self._read(store, skip=start, limit=PAGE)
        return self._read(store, after=before.cursors[0], limit=PAGE)

    async def page(self, number: int) -> Answer[tuple[MemoryRow, ...]]:
        """A page, by the shortest way from a known place."""
        where = self._way(number * PAGE)
        answer = await self._gateway.read(lambda store: _browsed(self._read(store, **where)))
        if isinstance(answer, Done):
            self._remember(number, answer.value)
        return answer

    def _way(self, start: int) -> dict[str, object]:
        ways: list[tuple[int, dict[str, object]]] = [(start, {"skip": start, "limit": PAGE})]
        if self._length is not None:
            size = min(PAGE, self._length - start)
            skip = self._length - start - size
            ways.append((skip, {"from_end": True, "skip": skip, "limit": max(1, size)}))
        for index, cursor in self._places.items():
            if index < start:
                ways.append((start - 1 - index, {"after": cursor, "skip": start - 1 - index, "limit": PAGE}))
            elif index >= start + PAGE:
                skip = index - start - PAGE
                ways.append((skip, {"before": cursor, "skip": skip, "limit": PAGE}))
        return min(ways, key=lambda way: way[0])[1]

    def _remember(self, number: int, rows: Sequence[MemoryRow]) -> None:
        for offset in {0, len(rows) - 1} if rows else set():
            cursor = rows[offset].cursor
            if cursor is not None:
                self._places[number * PAGE + offset] = cursor

    async def length(self) -> Answer[int]:
        """The exact count under the filters."""
        filters = self._question.filters
        answer = await self._gateway.read(lambda store: store.memories(self._acting.session).count(filters))
        if isinstance(answer, Done):
            self._length = answer.value
        return answer


class SearchSource:
    """The matches for some words, best first or in an order.

    By rank the first ``FIRST_MATCHES`` are asked for alone, which is quick whatever the words; the rest follows.
    """

    def __init__(self, gateway: Gateway, acting: Acting, question: MemoryQuestion) -> None:
        self._gateway, self._acting, self._question = gateway, acting, question
        self._found: Found | None = None

    @property
    def complete(self) -> bool:
        """Whether there are no more matches than were collected."""
        return self._found is None or self._found.complete

    def _find(self, store: Store, limit: int) -> Found:
        asked = self._question
        return store.memories(self._acting.session).find(
            asked.words,
            filters=asked.filters,
            order=asked.order,
            descending=asked.descending,
            prefix_last=True,
            limit=limit,
        )

    async def open(self, keep: MemoryRow | None, near: int) -> Answer[Opened[MemoryRow]]:
        """Finds, and reads the page around the row that was stood on."""

        def job(store: Store) -> tuple[Found, Opened[MemoryRow]]:
            quick = self._question.order is None and (keep is None or near < FIRST_MATCHES)
            found = self._find(store, FIRST_MATCHES if quick else MOST_MATCHES)
            stand = min(near, max(0, len(found) - 1)) if keep is not None else 0
            number = stand // PAGE
            rows = self._rows(store.memories(self._acting.session), found, number)
            at = _index_of(rows, keep) if keep is not None else None
            stand = stand if at is None else number * PAGE + at
            return found, Opened(number, rows, stand, len(found), found.complete or not quick)

        answer = await self._gateway.search(job)
        if not isinstance(answer, Done):
            return answer
        self._found = answer.value[0]
        return Done(answer.value[1], answer.milliseconds)

    def _rows(self, memories: MemoryRepository, found: Found, number: int) -> tuple[MemoryRow, ...]:
        from tfmem_tui.core.query import highlights, parse

        query = parse(self._question.words, prefix_last=True, operators=True)

        def match(text: str) -> Iterable[Span]:
            return highlights(text, query)

        return tuple(MemoryRow(memory, None, match) for memory in memories.rows(found, number * PAGE, PAGE))

    async def page(self, number: int) -> Answer[tuple[MemoryRow, ...]]:
        """A page of the matches."""
        found = self._found
        if found is None:
            return Done(())
        return await self._gateway.read(lambda store: self._rows(store.memories(self._acting.session), found, number))

    async def length(self) -> Answer[int]:
        """How many were found, up to ``MOST_MATCHES``; they take the place of the first ones, which they begin with."""
        answer = await self._gateway.search(lambda store: self._find(store, MOST_MATCHES))
        if not isinstance(answer, Done):
            return answer
        first = self._found
        if first is not None and answer.value.places[: len(first)] == first.places:
            self._found = answer.value
        return Done(len(self._found) if self._found is not None else 0)


class SkipSource(Generic[T]):
    """A list that the core pages by skipping: deleted records and audit events."""

    complete = True

    def __init__(self, gateway: Gateway, rows: Callable[[int, int], Job[tuple[T, ...]]], count: Job[int]) -> None:
        self._gateway, self._rows, self._count = gateway, rows, count

    async def open(self, keep: T | None, near: int) -> Answer[Opened[T]]:
        """The page around ``near``; stands on ``keep`` where it is among the rows."""
        rows_of, count = self._rows, self._count

        def job(store: Store) -> Opened[T]:
            length = count(store)
            stand = min(near, max(0, length - 1)) if keep is not None else 0
            number = stand // PAGE
            rows = rows_of(number * PAGE, PAGE)(store)
            at = rows.index(keep) + number * PAGE if keep is not None and keep in rows else stand
            return Opened(number, rows, at, length, True)

        return await self._gateway.read(job)

    async def page(self, number: int) -> Answer[tuple[T, ...]]:
        """A page, by skipping."""
        return await self._gateway.read(self._rows(number * PAGE, PAGE))

    async def length(self) -> Answer[int]:
        """The exact number of rows."""
        return await self._gateway.read(self._count)


def memory_source(gateway: Gateway, acting: Acting, question: MemoryQuestion) -> BrowseSource | SearchSource:
    """The source that answers a question."""
    kind = SearchSource if question.words.strip() else BrowseSource
    return kind(gateway, acting, question)


def _browsed(page: Page) -> tuple[MemoryRow, ...]:
    return tuple(MemoryRow(memory, cursor) for memory, cursor in zip(page.rows, page.cursors, strict=True))


def _index_of(rows: Sequence[MemoryRow], keep: MemoryRow) -> int | None:
    return next((at for at, row in enumerate(rows) if row.memory.key == keep.memory.key), None)
