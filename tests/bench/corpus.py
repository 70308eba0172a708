"""Made-up memories for the benchmarks: words with natural frequencies, the same for every run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate

from tfmem_tui.core.importing import ImportedMemory
from tfmem_tui.core.level import Level

VOCABULARY = 20_000
BEGIN = datetime(2025, 1, 1, tzinfo=UTC)
SYLLABLES = [c + v for c in "bcdfghjklmnprstvz" for v in "aeiou"]
TAGS = [f"tag-{n}" for n in range(40)]


def _words() -> list[str]:
    rng = random.Random(11)
    words: set[str] = set()
    while len(words) < VOCABULARY:
        words.add("".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 5))))
    ordered = sorted(words)
    rng.shuffle(ordered)
    return ordered


WORDS = _words()  # by frequency: WORDS[0] stands in about every second memory
WEIGHTS = list(accumulate(1.0 / (rank + 2) for rank in range(VOCABULARY)))


def memories(count: int, level: Level, *, seed: int = 5, prefix: str = "note") -> Iterator[ImportedMemory]:
    """``count`` memories at ``level``: about 160 characters of content, one to three tags, a key of their own."""
    rng = random.Random(seed)
    for number in range(count):
        words = rng.choices(WORDS, cum_weights=WEIGHTS, k=rng.randint(12, 32))
        saved = BEGIN + timedelta(seconds=number * 17)
        yield ImportedMemory(
            key=f"{prefix}-{words[-1]}-{number}",
            level=level,
            content=" ".join(words).capitalize() + ".",
            tags=tuple(rng.sample(TAGS, k=rng.randint(1, 3))),
            created_at=saved,
            saved_at=saved,
            saved_by="bench",
        )
