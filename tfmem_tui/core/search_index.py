"""The only file that speaks FTS5: one index per level, candidates from the readable ones, one ranking over all.

Every number that the ranking uses is summed over levels at or below the taint (G7): how many memories hold a word
(counted up to a bound), and how many versions a level has seen. ``bm25()`` is not used: it walks the whole list of
a frequent word, and knows one index only.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from tfmem_tui.core import effective, lists
from tfmem_tui.core.analysis import ANALYSER_VERSION, index_text
from tfmem_tui.core.effective import Scope
from tfmem_tui.core.level import Level
from tfmem_tui.core.lists import Listed
from tfmem_tui.core.operators import NOTHING
from tfmem_tui.core.query import SearchQuery, Term
from tfmem_tui.core.ranking import second_stage
from tfmem_tui.core.records import NO_FILTERS, Cursor, Filters
from tfmem_tui.core.schema import FTS_TABLE, PLACE_BITS, first_place
from tfmem_tui.core.storage import Transaction

FREQUENT = 1_000  # a word in more memories than this is frequent: it selects nothing, newest first
CLOSE_LOOK = 24  # at least so many candidates have their text read for the second stage, at most ten times as many
BROWSED = 200  # memories that are looked through at once where no word is looked for
TOKENIZE = "tokenize='porter unicode61 remove_diacritics 2'"
NUMBER_MASK = (1 << PLACE_BITS) - 1

HEAD_WEIGHT = 1.5  # first stage: a word in key or tags counts so much more than in content alone
# What full-text rows are made with: another analyser, or Python's newer Unicode tables, may cut words elsewhere.
MADE_WITH = f"{ANALYSER_VERSION}/{unicodedata.unidata_version}"
PART_SHARE = 0.5  # a part of a compound word counts half beside the whole


def add(tx: Transaction, level: Level, versions: Iterable[tuple[int, str, str, Sequence[str]]]) -> None:
    """Indexes live versions (place, key, content, tags) in the index of their own level."""
    table = FTS_TABLE[level]
    tx.run_many(
        f"INSERT INTO {table} (rowid, key, content, tags) VALUES (?, ?, ?, ?)",
        ((place & NUMBER_MASK, *_fields(key, content, tags)) for place, key, content, tags in versions),
    )


def remove(tx: Transaction, level: Level, place: int, key: str, content: str, tags: Sequence[str]) -> None:
    """Takes a version out again; a contentless index wants the very text that was put in."""
    table = FTS_TABLE[level]
    tx.run(
        f"INSERT INTO {table} ({table}, rowid, key, content, tags) VALUES ('delete', ?, ?, ?, ?)",
        (place & NUMBER_MASK, *_fields(key, content, tags)),
    )


def _fields(key: str, content: str, tags: Sequence[str]) -> tuple[str, str, str]:
    return index_text(key), index_text(content), index_text("\n".join(tags))


def optimize(tx: Transaction, level: Level) -> None:
    """Merges the index of ``level`` into one piece, so that no word of a removed version is left in it."""
    table = FTS_TABLE[level]
    tx.run(f"INSERT INTO {table} ({table}) VALUES ('optimize')")


def made_with(tx: Transaction) -> str | None:
    """What the full-text rows of the store were made with, to be held against ``MADE_WITH``."""
    return str(found) if (found := tx.value("SELECT value FROM store_meta WHERE name = 'analyser'")) else None


def mark_made(tx: Transaction) -> None:
    """Says that the full-text rows of every level are made with this program's analyser."""
    tx.run("INSERT OR REPLACE INTO store_meta (name, value) VALUES ('analyser', ?)", (MADE_WITH,))


def rebuild(tx: Transaction, level: Level) -> int:
    """Refills the index of ``level`` from its live versions; returns how many there are."""
    table = FTS_TABLE[level]
    tx.run(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")
    live = tx.rows(f"SELECT place, key, content, tags FROM memory WHERE level = {int(level)} AND ended_at IS NULL")
    count = 0
    for place, key, content, tags in live:
        add(tx, level, [(place, key, content, json.loads(tags))])
        count += 1
    return count


def difference(tx: Transaction, level: Level) -> int:
    """How many entries of the index differ from those that its live versions make: 0 where all is well."""
    table = FTS_TABLE[level]
    tx.run(f"CREATE VIRTUAL TABLE temp.expected USING fts5(key, content, tags, content='', {TOKENIZE})")
    try:
        live = "SELECT place, key, content, tags FROM memory WHERE level = ? AND ended_at IS NULL"
        for place, key, content, tags in tx.rows(live, (int(level),)):
            tx.run(
                "INSERT INTO temp.expected (rowid, key, content, tags) VALUES (?, ?, ?, ?)",
                (place & NUMBER_MASK, *_fields(key, content, json.loads(tags))),
            )
        tx.run("CREATE VIRTUAL TABLE temp.expected_terms USING fts5vocab('temp', 'expected', 'instance')")
        tx.run(f"CREATE VIRTUAL TABLE temp.held_terms USING fts5vocab('main', '{table}', 'instance')")
        arms = ("expected_terms", "held_terms")
        less = [
            f"SELECT count(*) FROM (SELECT * FROM temp.{a} EXCEPT SELECT * FROM temp.{b})"
            for a, b in permutations(arms)
        ]
        return sum(int(tx.value(sql)) for sql in less)
    finally:
        for name in ("expected_terms", "held_terms", "expected"):
            tx.run(f"DROP TABLE IF EXISTS temp.{name}")


@dataclass(frozen=True, slots=True)
class Ranked:
    """Places of effective memories, best first, and their scores."""

    places: list[int]
    scores: list[float]
    complete: bool


@dataclass(frozen=True, slots=True)
class _Listed:
    """The memories that hold a term, newest number first, up to the bound, over all readable levels."""

    term: Term
    places: list[int]
    heads: set[int]  # of these, the ones that hold it in key or tags
    bounded: bool  # there are more

    def weight(self, population: int) -> float:
        """Rarity (BM25's idf), lessened for a mere part of a compound."""
        held = len(self.places)
        rarity = math.log(1.0 + (population - min(held, population) + 0.5) / (held + 0.5))
        return rarity * (PART_SHARE if self.term.part else 1.0)


def search(tx: Transaction, scope: Scope, query: SearchQuery, limit: int, filters: Filters = NO_FILTERS) -> Ranked:
    """The effective memories that hold any word of ``query``, at most ``limit`` of them, best first.

    Shadowing, expiry and filters come before the limit (G2, G3). Ties: newer first, then key.
    """
    filters = query.narrowing.filters(filters)
    if not query.terms:
        return _browsed(tx, scope, query, limit, filters)
    listed = [_list_term(tx, scope, term, query) for term in query.terms]
    population = _population(tx, scope)
    selective = [entry for entry in listed if not entry.bounded]
    frequent = [entry for entry in listed if entry.bounded]
    score: dict[int, float] = {}
    for entry in selective:
        weight = entry.weight(population)
        for place in entry.places:
            score[place] = score.get(place, 0.0) + (weight * HEAD_WEIGHT if place in entry.heads else weight)
    kept = _gate(tx, scope, score, filters)
    if frequent and len(kept) < limit + 1:
        extra = _newest(tx, scope, frequent, filters, limit + 1 - len(kept), query, known=score)
        kept += extra
    first = _order(kept, score)
    head = max(CLOSE_LOOK, min(2 * limit, 10 * CLOSE_LOOK)) if len(listed) > 1 else 0
    weights = [(entry.term, entry.weight(population)) for entry in listed]
    looked = second_stage(tx, [place for place, _, _ in first[:head]], weights) if head else {}
    best = _order(first[:head], looked)
    places = [place for place, _, _ in [*best, *first[head:]]]
    scores = [looked.get(place, score.get(place, 0.0)) for place in places[:limit]]
    return Ranked(places[:limit], scores, len(places) <= limit)


def _browsed(tx: Transaction, scope: Scope, query: SearchQuery, limit: int, filters: Filters) -> Ranked:
    """Where nothing is looked for and only something is left out or a tag is named: the newest that are left."""
    if query.narrowing == NOTHING:
        return Ranked([], [], True)
    places: list[int] = []
    after: Cursor | None = None
    while len(places) <= limit:
        page = lists.page(
            tx, Listed(scope, filters=filters), after=after, before=None, skip=0, limit=BROWSED, from_end=False
        )
        found = lists.places_of(tx, page.rows)
        held = _holding(tx, scope, query, found)
        places += [place for place in found if place not in held]
        if page.at_end or not page.cursors:
            break
        after = page.cursors[-1]
    return Ranked(places[:limit], [0.0] * min(limit, len(places)), len(places) <= limit)


def _holding(tx: Transaction, scope: Scope, query: SearchQuery, places: Sequence[int]) -> set[int]:
    """Those of ``places`` that hold what is to be left out."""
    held: set[int] = set()
    barred = [term.fts() for term in query.without] + [f"{{key}} : {term.fts()}" for term in query.without_keys]
    for level in scope.levels if barred else ():
        table, first = FTS_TABLE[level], first_place(level)
        numbers = [place - first for place in places if 0 <= place - first <= NUMBER_MASK]
        sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid IN (SELECT value FROM json_each(?))"
        held.update(first + row[0] for row in tx.rows(sql, (" OR ".join(barred), json.dumps(numbers))))
    return held


def _list_term(tx: Transaction, scope: Scope, term: Term, query: SearchQuery) -> _Listed:
    expression, places, room = query.narrowed(term.fts()), [], FREQUENT + 1
    for level in scope.levels:
        table, first = FTS_TABLE[level], first_place(level)
        rows = tx.rows(
            f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid DESC LIMIT ?", (expression, room)
        )
        places += [first + row[0] for row in rows]
    if len(places) > FREQUENT:
        return _Listed(term, places, set(), bounded=True)
    heads: set[int] = set()
    for level in scope.levels:
        table, first = FTS_TABLE[level], first_place(level)
        sql = f"SELECT rowid FROM {table} WHERE {table} MATCH ?"
        in_head = query.narrowed(f"{{key tags}} : {term.fts()}")
        heads.update(first + row[0] for row in tx.rows(sql, (in_head,)))
    return _Listed(term, places, heads, bounded=False)


def _population(tx: Transaction, scope: Scope) -> int:
    """How many versions the readable levels have seen: their highest numbers, found without counting."""
    total = 0
    for level in scope.levels:
        last = tx.value(
            "SELECT max(place) FROM memory WHERE place >= ? AND place < ?",
            (first_place(level), first_place(level) + (1 << PLACE_BITS)),
        )
        total += 0 if last is None else last & NUMBER_MASK
    return total


Standing = tuple[int, int, str]  # place, saved_at, key


def _gate(tx: Transaction, scope: Scope, places: Iterable[int], filters: Filters) -> list[Standing]:
    """Those of ``places`` that are effective and pass the filters."""
    rows = effective.by_place(tx, scope, list(places), "m.saved_at, m.key", filters)
    return [(place, saved_at, key) for place, (saved_at, key) in rows.items()]


def _order(standings: Iterable[Standing], score: dict[int, float]) -> list[Standing]:
    """Best first; ties newer first, then by key."""
    return sorted(standings, key=lambda row: (-round(score.get(row[0], 0.0), 9), -row[1], row[2]))


def _newest(
    tx: Transaction,
    scope: Scope,
    frequent: Sequence[_Listed],
    filters: Filters,
    wanted: int,
    query: SearchQuery,
    *,
    known: dict[int, float],
) -> list[Standing]:
    """Memories that hold frequent words: first those that hold all of them, then any, newest numbers first."""
    kept: list[Standing] = []
    seen = set(known)
    every = " AND ".join(entry.term.fts() for entry in frequent)
    some = " OR ".join(entry.term.fts() for entry in frequent)
    for expression in (every, some) if len(frequent) > 1 else (some,):
        if len(kept) < wanted:
            kept += _newest_of(tx, scope, query.narrowed(expression), filters, wanted - len(kept), seen)
    return kept


def _newest_of(
    tx: Transaction, scope: Scope, expression: str, filters: Filters, wanted: int, seen: set[int]
) -> list[Standing]:
    kept: list[Standing] = []
    for level in scope.levels:
        table, first, below = FTS_TABLE[level], first_place(level), 1 << 62
        found = 0
        while found < wanted:
            batch = [
                row[0]
                for row in tx.rows(
                    f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?",
                    (expression, below, max(100, wanted)),
                )
            ]
            if not batch:
                break
            below = batch[-1]
            fresh = [first + number for number in batch if first + number not in seen]
            seen.update(fresh)
            passed = _gate(tx, scope, fresh, filters)
            found += len(passed)
            kept += passed
    return kept
