"""Full versions for writing out: those of a list in its order, those that some words find, or those of given keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tfmem_tui.core import lists, search_index
from tfmem_tui.core.effective import VERSION_COLUMNS, Scope, by_place, effective_version, to_version
from tfmem_tui.core.history import version
from tfmem_tui.core.lists import Listed
from tfmem_tui.core.query import SearchQuery
from tfmem_tui.core.records import Cursor, Filters, MemoryVersion, Order
from tfmem_tui.core.storage import Transaction

AT_ONCE = 200  # rows that are held while they are read


def of_keys(tx: Transaction, scope: Scope, keys: Iterable[str]) -> Iterator[MemoryVersion]:
    """What the session gets for each key, in the order given; keys that it finds nothing for are left out."""
    for key in keys:
        found = effective_version(tx, scope, key)
        if found is not None:
            yield found


def of_list(tx: Transaction, listed: Listed) -> Iterator[MemoryVersion]:
    """Every memory of a list, in its order, in constant memory."""
    after: Cursor | None = None
    while True:
        page = lists.page(tx, listed, after=after, before=None, skip=0, limit=AT_ONCE, from_end=False)
        for row in page.rows:
            found = version(tx, listed.scope, row.key, row.id)
            if found is not None:
                yield found
        if page.at_end or not page.cursors:
            return
        after = page.cursors[-1]


def of_words(
    tx: Transaction,
    scope: Scope,
    query: SearchQuery,
    filters: Filters,
    order: Order | None,
    descending: bool,
    limit: int,
) -> Iterator[MemoryVersion]:
    """The memories that hold any of the words, best first or in ``order``; at most ``limit``."""
    ranked = search_index.search(tx, scope, query, limit, filters)
    places = ranked.places if order is None else lists.sorted_places(tx, ranked.places, order, descending)
    for start in range(0, len(places), AT_ONCE):
        part = places[start : start + AT_ONCE]
        rows = by_place(tx, scope, part, VERSION_COLUMNS)
        yield from (to_version(rows[place], scope.now) for place in part if place in rows)
