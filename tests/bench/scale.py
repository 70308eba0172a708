"""The engine at 10k, 100k and 1M memories beside bare SQLite: ``python -m tests.bench.scale [SIZES…]``.

Four in five memories are PUBLIC, the rest spread over the other levels. Bare SQLite holds the same rows without levels.
Each row: p50 and worst of ours at PUBLIC and at RESTRICTED, p50 and worst of bare, in ms, turn by turn in one run.
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
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from tests.bench.bare import Bare
from tests.bench.corpus import TAGS, WORDS, memories
from tests.bench.engine import Call, batches, timed
from tfmem_tui.core.importing import ImportedMemory
from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.core.memory import MemoryRepository
from tfmem_tui.core.records import Filters, Order
from tfmem_tui.core.store import Store

Make = Callable[[], str]
ROUNDS, FEW = 40, 3


def mixed(count: int) -> Iterator[ImportedMemory]:
    """Memories of which one in five lies above PUBLIC."""
    for number, one in enumerate(memories(count, Level.PUBLIC)):
        yield replace(one, level=ALL_LEVELS[1 + number // 5 % 3]) if number % 5 == 0 else one


def words(rng: random.Random) -> dict[str, Make]:
    return {
        "rare word": lambda: WORDS[rng.randint(8_000, 19_000)],
        "medium word": lambda: WORDS[rng.randint(300, 3_000)],
        "frequent word": lambda: WORDS[rng.randint(0, 5)],
        "two words": lambda: f"{WORDS[rng.randint(2_000, 9_000)]} {WORDS[rng.randint(100, 600)]}",
        "question": lambda: f"what is the {WORDS[rng.randint(50, 200)]} of {WORDS[rng.randint(500, 1_000)]}?",
        "eight frequent words": lambda: " ".join(WORDS[:8]),
        "prefix of two letters": lambda: WORDS[rng.randint(0, 3_000)][:2] + "*",
        "prefix of three letters": lambda: WORDS[rng.randint(0, 3_000)][:3] + "*",
    }


def look(at: MemoryRepository, asked: str) -> object:
    found = at.find(asked.rstrip("*"), limit=10, prefix_last=asked.endswith("*"))
    return at.rows(found, 0, 10)


def plain(text: str) -> str:
    return "".join(char for char in text if char.isalnum() or char in " *")


def print_row(name: str, calls: list[Iterator[Call]]) -> None:
    times = [[timed(call) for call in turn] for turn in zip(*calls, strict=True)]
    columns = list(zip(*times, strict=True))
    figures = [f"{statistics.median(one) * 1e3:.2f} | {max(one) * 1e3:.1f}" for one in columns]
    print(f"| {name} | {' | '.join(figures)} |", flush=True)


def same(ours: Callable[[MemoryRepository, str], object], bare: Callable[[str], object], make: Make, rounds: int,
         at: list[MemoryRepository]) -> list[Iterator[Call]]:  # fmt: skip
    """The same questions for all three."""
    asked = [make() for _ in range(rounds)]
    return [
        *(iter([partial(ours, one, text) for text in asked]) for one in at),
        iter([partial(bare, text) for text in asked]),
    ]


def measure(size: int, folder: Path) -> None:
    rng = random.Random(3)
    store, bare = Store.open(folder / "ours.db"), Bare(folder / "bare.db")
    importer = store.operator().importer()
    begin = time.perf_counter()
    for batch in batches(mixed(size)):
        importer.add(batch)
    built = time.perf_counter() - begin
    begin = time.perf_counter()
    bare.fill(mixed(size))
    bare_built = time.perf_counter() - begin
    at = [store.memories(store.operator().start(level)) for level in (Level.PUBLIC, Level.RESTRICTED)]
    keys = [one.key for one in islice(mixed(size), 0, size, max(1, size // 2_000))]
    print(f"\n| {size:,} memories | PUBLIC p50 | worst | RESTRICTED p50 | worst | bare p50 | worst |")
    print("|---|---|---|---|---|---|---|")
    fresh = iter(range(10**9))

    def key() -> str:
        return rng.choice(keys)

    def new() -> str:
        return f"fresh-{next(fresh)}"

    def tag() -> str:
        return rng.choice(TAGS)

    rows: list[tuple[str, Callable[[MemoryRepository, str], object], Callable[[str], object], Make, int]] = [
        ("save, durable", lambda m, k: m.save(k, "a few words", ["tag-1"]),
         lambda k: bare.save(k, "a few words", ("tag-1",), next(fresh)), new, ROUNDS * 5),
        ("get", lambda m, k: m.effective(k), bare.get, key, ROUNDS),
        ("ladder", lambda m, k: m.ladder(k), bare.get, key, ROUNDS),
        ("list by tag, 50", lambda m, t: m.page(filters=Filters(tags=(t,)), limit=50), lambda t: bare.by_tag(t, 50),
         tag, ROUNDS),
        ("tag counts", lambda m, _: m.tags(), lambda _: bare.rows("SELECT tag, count(*) FROM memory_tag GROUP BY 1"),
         tag, FEW),
        ("totals", lambda m, _: m.totals(), lambda _: bare.rows("SELECT count(*) FROM memory"), tag, FEW),
        ("audit page", lambda m, _: store.audit(m._session).events(limit=100),
         lambda _: bare.rows("SELECT * FROM log ORDER BY seq DESC LIMIT 100"), tag, ROUNDS),
    ]  # fmt: skip
    for order in Order:
        column = {"saved": "saved_at", "level": "saved_at"}.get(order.value, order.value)
        rows.append(
            (f"page by {order}", lambda m, _, order=order: m.page(order, limit=100),
             lambda _, column=column: bare.rows(f"SELECT * FROM memory ORDER BY {column} DESC LIMIT 100"), tag, FEW)
        )  # fmt: skip
    for name, ours, other, make, rounds in rows:
        print_row(name, same(ours, other, make, rounds, at))
    for name, make in words(rng).items():
        rounds = FEW if "frequent" in name or "prefix" in name else ROUNDS
        print_row(f"search, {name}", same(look, lambda text: bare.search(plain(text), 10), make, rounds, at))
    files(store, bare, folder, size, built, bare_built)


def files(store: Store, bare: Bare, folder: Path, size: int, built: float, bare_built: float) -> None:
    store.close()
    bare.db.close()
    sizes = []
    for name in ("ours.db", "bare.db"):
        with closing(sqlite3.connect(folder / name)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        sizes.append((folder / name).stat().st_size / 1e6)
    print(f"\nbuilt in {built:.0f} s, bare {bare_built:.0f} s; {sizes[0]:.0f} MB, bare {sizes[1]:.0f} MB, "
          f"ratio {sizes[0] / sizes[1]:.2f}")  # fmt: skip


def main() -> None:
    print(f"{platform.machine()}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}")
    for size in [int(text.replace("_", "")) for text in sys.argv[1:]] or [10_000, 100_000, 1_000_000]:
        with tempfile.TemporaryDirectory() as folder:
            measure(size, Path(folder))


if __name__ == "__main__":
    main()
