"""Can a PUBLIC session tell by time whether something lies above a key? ``python -m tests.bench.telling [ROUNDS]``.

Saves and deletes of keys with and without a RESTRICTED version above, in random order on one store, at three sizes.
AUC is the chance that a random act below a higher version took longer than a random one without: 0.5 tells nothing.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

SIZES = {"200 B": 200, "20 kB": 20_000, "1 MiB": 1024 * 1024 - 64}


def auc(below: list[float], alone: list[float]) -> float:
    """The rank statistic, ties counted half."""
    ordered = sorted([(value, True) for value in below] + [(value, False) for value in alone])
    ranks = sum(rank for rank, (_, is_below) in enumerate(ordered, 1) if is_below)
    return (ranks - len(below) * (len(below) + 1) / 2) / (len(below) * len(alone))


def text(rng: random.Random, size: int) -> str:
    words = [f"word{rng.randint(0, 5_000)}" for _ in range(size // 9 + 1)]
    return " ".join(words)[:size]


def measure(size: int, rounds: int) -> dict[str, float]:
    rng = random.Random(size)
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "store.db") as store:
        operator = store.operator()
        high = store.memories(operator.start(Level.RESTRICTED))
        low = store.memories(operator.start(Level.PUBLIC))
        keys = [(f"key-{number:05}", number % 2 == 0) for number in range(rounds)]
        for key, has_above in keys:
            if has_above:
                high.save(key, text(rng, size))
        rng.shuffle(keys)
        times: dict[str, dict[bool, list[float]]] = {
            act: {True: [], False: []} for act in ("save", "save again", "delete")
        }
        for act in times:
            rng.shuffle(keys)
            for key, has_above in keys:
                content = text(rng, size)
                begin = time.perf_counter()
                if act == "delete":
                    low.delete(key)
                else:
                    low.save(key, content)
                times[act][has_above].append(time.perf_counter() - begin)
    return {act: auc(both[True], both[False]) for act, both in times.items()}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    print(f"AUC over {rounds} acts | save | save again | delete\n---|---|---|---")
    for name, size in SIZES.items():
        found = measure(size, rounds)
        print(f"{name} | " + " | ".join(f"{value:.3f}" for value in found.values()))


if __name__ == "__main__":
    main()
