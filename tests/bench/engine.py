"""The engine beside bare SQLite, and below hidden rows: ``python -m tests.bench.engine [SIZES…]``.

Every figure is a ratio of two things measured in one run, turn by turn; times are for orientation.
"""

from __future__ import annotations

import platform
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

from tests.bench.bare import Bare
from tests.bench.corpus import TAGS, WORDS, memories
from tfmem_tui.core.importing import ImportedMemory
from tfmem_tui.core.level import Level
from tfmem_tui.core.memory import MemoryRepository
from tfmem_tui.core.records import Filters
from tfmem_tui.core.store import Store

Call = Callable[[], object]


def batches(rows: Iterator[ImportedMemory], size: int = 5_000) -> Iterator[list[ImportedMemory]]:
    while batch := list(islice(rows, size)):
        yield batch


def fill(store: Store, rows: Iterator[ImportedMemory]) -> None:
    importer = store.operator().importer()
    for batch in batches(rows):
        importer.add(batch)


def timed(call: Call) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def side_by_side(left: Iterator[Call], right: Iterator[Call]) -> tuple[list[float], list[float]]:
    """Times of both, one call of each in turn, so that what slows the machine slows both."""
    pairs = [(timed(a), timed(b)) for a, b in zip(left, right, strict=True)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def row(name: str, ours: list[float], other: list[float]) -> str:
    a, b = statistics.median(ours), statistics.median(other)
    figures = (a * 1e3, b * 1e3, a / b, p95(ours) / p95(other))
    return f"| {name} | " + " | ".join(f"{figure:.2f}" for figure in figures) + " |"


def queries(rng: random.Random) -> dict[str, Callable[[], str]]:
    return {
        "search, rare word": lambda: WORDS[rng.randint(4_000, 15_000)],
        "search, medium word": lambda: WORDS[rng.randint(200, 600)],
        "search, frequent word": lambda: WORDS[rng.randint(0, 5)],
        "search, two words": lambda: f"{WORDS[rng.randint(2_000, 9_000)]} {WORDS[rng.randint(100, 600)]}",
    }


def against_bare(size: int, rounds: int) -> None:
    rng = random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        store, bare = Store.open(Path(folder) / "ours.db"), Bare(Path(folder) / "bare.db")
        fill(store, memories(size, Level.PUBLIC))
        bare.fill(memories(size, Level.PUBLIC))
        session = store.memories(store.operator().start(Level.PUBLIC))
        keys = [one.key for one in memories(size, Level.PUBLIC)]
        new = list(memories(2 * rounds, Level.PUBLIC, seed=9, prefix="new"))
        print(f"\n{size:,} memories | ours ms | bare ms | ratio p50 | ratio p95\n---|---|---|---|---")
        at = iter(range(10**6))
        print(
            row(
                "save (durable, audited)",
                *side_by_side(
                    (lambda one=one: session.save(one.key, one.content, one.tags) for one in new[:rounds]),
                    (lambda one=one: bare.save(one.key, one.content, one.tags, next(at)) for one in new[:rounds]),
                ),
            )
        )
        for name, ours, other in reads(session, bare, keys, rng):
            print(row(name, *side_by_side((ours for _ in range(rounds)), (other for _ in range(rounds)))))
        for path in ("ours.db", "bare.db"):
            with closing(sqlite3.connect(Path(folder) / path)) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        sizes = [sum(file.stat().st_size for file in Path(folder).glob(f"{name}.db*")) for name in ("ours", "bare")]
        print(f"| file, MB | {sizes[0] / 1e6:.1f} | {sizes[1] / 1e6:.1f} | {sizes[0] / sizes[1]:.2f} | |")
        store.close()
        bare.db.close()


def reads(
    session: MemoryRepository, bare: Bare, keys: list[str], rng: random.Random
) -> Iterator[tuple[str, Call, Call]]:
    def pair(
        make: Callable[[], str], ours: Callable[[str], object], other: Callable[[str], object]
    ) -> tuple[Call, Call]:
        asked: list[str] = []

        def first() -> object:
            asked.append(make())
            return ours(asked[-1])

        return first, lambda: other(asked[-1])

    yield ("get (not audited)", *pair(lambda: rng.choice(keys), session.effective, bare.get))
    yield ("memory_get (audited, durable)", *pair(lambda: rng.choice(keys), session.get, bare.get))
    for name, make in queries(rng).items():

        def find(words: str) -> object:
            return session.rows(session.find(words, limit=10), 0, 10)

        yield (name, *pair(make, find, lambda words: bare.search(words, 10)))
    yield (
        "list by tag, first 50",
        *pair(
            lambda: rng.choice(TAGS),
            lambda tag: session.page(filters=Filters(tags=(tag,)), limit=50),
            lambda tag: bare.by_tag(tag, 50),
        ),
    )


Act = Callable[[MemoryRepository, random.Random], object]


def calls(act: Act, at: MemoryRepository, rounds: int) -> Iterator[Call]:
    """The same act again and again, with the same choices for whoever it is done to."""
    rng = random.Random(1)
    return (partial(act, at, rng) for _ in range(rounds))


def below_hidden(size: int, hidden: int, rounds: int) -> None:
    """The same reads and saves at PUBLIC with nothing above, and with ``hidden`` RESTRICTED memories above."""
    planted = WORDS[7_000]
    with tempfile.TemporaryDirectory() as folder:
        stores = [Store.open(Path(folder) / f"{name}.db") for name in ("quiet", "loud")]
        for store in stores:
            fill(store, memories(size, Level.PUBLIC))
        rows = (
            ImportedMemory(
                one.key, one.level, f"{one.content} {planted}", one.tags, one.created_at, one.saved_at, one.saved_by
            )
            for one in memories(hidden, Level.RESTRICTED, seed=6, prefix="note")
        )
        fill(stores[1], rows)
        quiet, loud = (store.memories(store.operator().start(Level.PUBLIC)) for store in stores)
        keys = [one.key for one in memories(size, Level.PUBLIC)]
        print(f"\nPUBLIC, {size:,} of its own | with {hidden:,} above, ms | with none, ms | ratio p50 | ratio p95")
        print("---|---|---|---|---")
        acts: dict[str, Act] = {
            "get": lambda at, rng: at.effective(rng.choice(keys)),
            "search, rare word": lambda at, rng: at.find(WORDS[rng.randint(4_000, 15_000)], limit=10),
            "search, planted word": lambda at, _: at.find(planted, limit=10),
            "search, medium word": lambda at, rng: at.find(WORDS[rng.randint(200, 600)], limit=10),
            "search, frequent word": lambda at, rng: at.find(WORDS[rng.randint(0, 5)], limit=10),
            "list, first page": lambda at, _: at.page(limit=50),
            "list by tag": lambda at, rng: at.page(filters=Filters(tags=(rng.choice(TAGS),)), limit=50),
            "ladder": lambda at, rng: at.ladder(rng.choice(keys)),
            "save": lambda at, rng: at.save(f"fresh-{rng.random()}", "a few words of text", ["tag-1"]),
        }
        for name, act in acts.items():
            print(row(name, *side_by_side(calls(act, loud, rounds), calls(act, quiet, rounds))))
        for store in stores:
            store.close()


def main() -> None:
    sizes = [int(text.replace("_", "")) for text in sys.argv[1:]] or [1_000, 10_000, 100_000]
    print(f"{platform.machine()}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}")
    for size in sizes:
        against_bare(size, rounds=300)
    below_hidden(10_000, 100_000, rounds=300)


if __name__ == "__main__":
    main()
