"""Does a question find its fact? Our search beside any-word BM25: ``python -m tests.bench.quality``.

The questions and facts are those of ``questions.yaml``. Among the facts lie three times as many texts made of the
same words in another order, so that words alone do not tell. Printed by language: the share of questions whose fact
comes first (hit@1) or among the first ten (hit@10), and the mean of one over its rank (MRR); a list of misses follows
with ``--misses``.
"""

from __future__ import annotations

import random
import re
import sqlite3
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.support import HandClock, fresh_store, session_at
from tfmem_tui.core.level import Level
from tfmem_tui.core.memory import MemoryRepository

FACTS = Path(__file__).with_name("questions.yaml")
DECOYS_PER_FACT = 3
DEPTH = 10
UNSPACED = ("ja", "zh", "th")
Search = Callable[[str], Sequence[str]]


@dataclass(frozen=True)
class Fact:
    """A memory, and the questions that are to find it."""

    lang: str
    key: str
    content: str
    tags: tuple[str, ...]
    questions: tuple[str, ...]


def facts() -> list[Fact]:
    """The labelled set."""
    rows: list[dict[str, Any]] = yaml.safe_load(FACTS.read_text("utf-8"))
    return [Fact(row["lang"], row["key"], row["content"], tuple(row["tags"]), tuple(row.get("q", ()))) for row in rows]


def decoys(known: Sequence[Fact]) -> list[Fact]:
    """Texts of the same words in another order, the same for every run."""
    rng = random.Random(7)
    made: list[Fact] = []
    for lang in dict.fromkeys(fact.lang for fact in known):
        words = [word for fact in known if fact.lang == lang for word in _words(fact)]
        for number in range(DECOYS_PER_FACT * sum(fact.lang == lang for fact in known)):
            text = " ".join(rng.sample(words, min(len(words), rng.randint(6, 14))))
            text = text.replace(" ", "") if lang in UNSPACED else text
            made.append(Fact(lang, f"other-{lang}-{number}", text, ("other",), ()))
    return made


def _words(fact: Fact) -> list[str]:
    """The words of a fact; of a script without spaces, pieces of a few signs."""
    return re.findall(r"\w{1,3}", fact.content) if fact.lang in UNSPACED else fact.content.split()


def ours(known: Sequence[Fact]) -> Search:
    """``memory_search`` as a session has it."""
    clock = HandClock()
    memories: MemoryRepository = session_at(fresh_store(clock), Level.PUBLIC)
    for fact in known:
        clock.tick()
        memories.save(fact.key, fact.content, list(fact.tags))
    return lambda asked: [one.key for one in memories.search(asked, DEPTH).memories]


def any_word_bm25(known: Sequence[Fact]) -> Search:
    """One FTS5 index with Porter stems, any of the words, by ``bm25``."""
    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE VIRTUAL TABLE f USING fts5(key, content, tags, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    rows = [(fact.key, fact.content, " ".join(fact.tags)) for fact in known]
    db.executemany("INSERT INTO f VALUES (?, ?, ?)", rows)

    def search(asked: str) -> list[str]:
        words = re.findall(r"\w+", asked)
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        found = db.execute("SELECT key FROM f WHERE f MATCH ? ORDER BY bm25(f) LIMIT ?", (match, DEPTH))
        return [key for (key,) in found]

    return search


def ranks(search: Search, known: Sequence[Fact]) -> dict[tuple[str, str], int | None]:
    """The rank of each question's fact, counted from 1; none where it is not among the first ten."""
    found: dict[tuple[str, str], int | None] = {}
    for fact in known:
        for asked in fact.questions:
            keys = list(search(asked))
            found[fact.key, asked] = keys.index(fact.key) + 1 if fact.key in keys else None
    return found


def figures(places: Sequence[int | None]) -> tuple[float, float, float]:
    """hit@1, hit@10 and MRR."""
    count = len(places)
    first = sum(place == 1 for place in places) / count
    return first, sum(place is not None for place in places) / count, sum(1 / one for one in places if one) / count


def main(misses: bool) -> None:
    known = facts()
    everything = [*decoys(known), *known]
    random.Random(3).shuffle(everything)
    mine, theirs = (ranks(make(everything), known) for make in (ours, any_word_bm25))
    langs: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for fact in known:
        for asked in fact.questions:
            langs[fact.lang].append((fact.key, asked))
            langs["all"].append((fact.key, asked))
    print("| | questions | hit@1 | hit@10 | MRR | BM25 hit@1 | hit@10 | MRR |\n|---|---|---|---|---|---|---|---|")
    for lang, asked_for in langs.items():
        cells = [f"{value:.3f}" for side in (mine, theirs) for value in figures([side[one] for one in asked_for])]
        print(f"| {lang} | {len(asked_for)} | {' | '.join(cells)} |")
    if misses:
        for one, place in mine.items():
            if place != 1:
                print(place, theirs[one], *one, sep="\t")


if __name__ == "__main__":
    main("--misses" in sys.argv)
