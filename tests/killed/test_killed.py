"""G9 under ``kill -9``: every acknowledged act is there, none is half there, index and chains agree.

``KILLS`` sets how many writers are killed; a long run is ``KILLS=1000 pytest -n2 tests/killed``.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.killed.acts import State, state_after
from tests.support import viewer_at
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("KILLS", "12"))


def killed_after(path: Path, seed: int, acknowledged: int, spin: int) -> int:
    """Kills a writer some moments after so many acknowledgements; how many there were in all."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.killed.writer", str(path), str(seed)], cwd=ROOT, stdout=subprocess.PIPE
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        for _ in range(acknowledged):
            process.stdout.readline()
        for _ in range(spin):  # a moment of random length, without sleeping
            pass
        process.kill()
        return acknowledged + process.stdout.read().count(b"done\n")


def state_of(store: Store) -> State:
    memories = viewer_at(store, Level.INTERNAL)
    return {row.key: row.content for row in memories.list().memories}, len(memories.tombstones(limit=10_000))


@pytest.mark.parametrize("seed", range(KILLS))
def test_g9_a_killed_writer_leaves_every_acknowledged_act_whole_and_no_half_one(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    path = tmp_path / "store.db"
    done = killed_after(path, seed, acknowledged=rng.randint(0, 60), spin=rng.randint(0, 60_000))
    with Store.open(path, create=False) as store:
        assert state_of(store) in (state_after(seed, done), state_after(seed, done + 1))
        assert store.operator().examine() == []
        live, _ = state_of(store)
        memories = viewer_at(store, Level.INTERNAL)
        assert {row.key for row in memories.list("tag").memories} == set(live)
        for key, content in live.items():
            assert key in {row.key for row in memories.search(content.split()[0], 100).memories}
