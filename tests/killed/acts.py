"""The acts of a killed writer, told by a seed alone: the writer does them, the test knows what they come to."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

KEYS = [f"key-{number}" for number in range(12)]
IMPORTED_AT_ONCE = 5
Act = tuple[str, str, str]  # what, key (or the number of the act), content


@dataclass
class State:
    """What there is at some moment."""

    live: dict[str, str] = field(default_factory=dict)
    tombstones: int = 0
    ended: int = 0  # deleted and replaced versions that were not purged


def acts(seed: int) -> Iterator[Act]:
    """Saves, deletes, purges, imports and backups without end."""
    rng = random.Random(seed)
    number = 0
    while True:
        number += 1
        what = rng.choices(("save", "delete", "purge", "import", "backup"), (60, 25, 6, 6, 3))[0]
        if what in ("purge", "import", "backup"):
            yield what, str(number), f"content{number}"
        else:
            yield what, rng.choice(KEYS), f"content{number} " * rng.choice((1, 5, 400)) if what == "save" else ""


def imported(number: str, content: str) -> dict[str, str]:
    """The memories that one import brings, by key."""
    return {f"imported-{number}-{one}": f"{content} {one}" for one in range(IMPORTED_AT_ONCE)}


def state_after(seed: int, count: int) -> State:
    """What there is after the first ``count`` acts."""
    state = State()
    for _, (what, key, content) in zip(range(count), acts(seed), strict=False):
        if what == "save":
            state.ended += key in state.live
            state.live[key] = content
        elif what == "delete" and state.live.pop(key, None) is not None:
            state.tombstones += 1
            state.ended += 1
        elif what == "purge":
            state.tombstones = state.ended = 0
        elif what == "import":
            state.live.update(imported(key, content))
    return state
