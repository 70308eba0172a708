"""The acts of a killed writer, told by a seed alone: the writer does them, the test knows what they come to."""

from __future__ import annotations

import random
from collections.abc import Iterator

KEYS = [f"key-{number}" for number in range(12)]
Act = tuple[str, str, str]  # what, key, content
State = tuple[dict[str, str], int]  # live contents by key, tombstones


def acts(seed: int) -> Iterator[Act]:
    """Saves and deletes without end."""
    rng = random.Random(seed)
    number = 0
    while True:
        number += 1
        key = rng.choice(KEYS)
        if rng.random() < 0.3:
            yield "delete", key, ""
        else:
            yield "save", key, f"content{number} " * rng.choice((1, 5, 400))


def state_after(seed: int, count: int) -> State:
    """What there is after the first ``count`` acts."""
    live: dict[str, str] = {}
    tombstones = 0
    for _, (what, key, content) in zip(range(count), acts(seed), strict=False):
        if what == "save":
            live[key] = content
        elif live.pop(key, None) is not None:
            tombstones += 1
    return live, tombstones
