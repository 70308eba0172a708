"""G9 under ``kill -9``: every acknowledged act is there, none is half there, index and chains agree.

``KILLS`` sets how many writers are killed in the midst of their acts, and a quarter of it how many programs in making
a store, in making its index anew, and in repairing its file. A long run is ``KILLS=1000 pytest -n2 tests/killed``.
"""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from tests.damage import copy_of, good_store, pages, spoil
from tests.killed.acts import State, acts, state_after
from tests.support import session_at, viewer_at
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("KILLS", "12"))


def killed(what: str, path: Path, seed: int, acknowledged: int, spin: int) -> int:
    """Kills a program some moments after so many acknowledgements; how many there were in all."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.killed.writer", what, str(path), str(seed)], cwd=ROOT, stdout=subprocess.PIPE
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
    live = {row.key: row.content for row in memories.everything()}
    ended = store.operator().purgeable(timedelta(0))
    return State(live, len(memories.tombstones(limit=10_000)), len(ended))


@pytest.mark.parametrize("seed", range(KILLS))
def test_g9_a_killed_writer_leaves_every_acknowledged_act_whole_and_no_half_one(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    path = tmp_path / "store.db"
    done = killed("write", path, seed, acknowledged=rng.randint(0, 60), spin=rng.randint(0, 60_000))
    with Store.open(path, create=False) as store:
        state = state_of(store)
        assert state in (state_after(seed, done), state_after(seed, done + 1))
        assert store.operator().examine() == []
        memories = viewer_at(store, Level.INTERNAL)
        assert {row.key for row in memories.list("tag").memories} == set(state.live)
        for key, content in state.live.items():
            assert key in {row.key for row in memories.search(content.split()[0], 100).memories}
    made = {
        key: number for number, (what, key, _) in zip(range(done + 1), acts(seed), strict=False) if what == "backup"
    }
    there = {file.name for file in tmp_path.glob("backup-*.db")}
    assert {f"backup-{key}.db" for key, number in made.items() if number < done} <= there
    for key, number in made.items():
        if f"backup-{key}.db" in there:
            with Store.open(tmp_path / f"backup-{key}.db") as copy:
                assert state_of(copy) == state_after(seed, number)
                assert copy.operator().examine() == []


@pytest.mark.parametrize("seed", range(max(3, KILLS // 4)))
def test_g9_a_program_killed_while_it_makes_a_store_leaves_one_that_can_be_used(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "store.db"
    killed("open", path, seed, acknowledged=0, spin=random.Random(seed).randint(0, 4_000_000))
    with Store.open(path) as store:
        session_at(store, Level.PUBLIC).save("note", "falcon")
        assert store.operator().examine() == []


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return good_store(tmp_path_factory.mktemp("good") / "store.db")


@pytest.mark.parametrize("seed", range(max(3, KILLS // 4)))
def test_g9_a_program_killed_while_it_brings_a_store_forward_leaves_one_that_goes_on(
    tmp_path: Path, seed: int, good: Path
) -> None:
    path = copy_of(good, tmp_path / "store.db")
    with Store.open(good) as store:
        before = state_of(store)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE store_meta SET value = 'of another version' WHERE name = 'analyser'")
    killed("open", path, seed, acknowledged=0, spin=random.Random(seed).randint(0, 3_000_000))
    with Store.open(path) as store:
        assert state_of(store) == before
        assert store.operator().examine() == []


@pytest.mark.parametrize("seed", range(max(3, KILLS // 4)))
def test_g9_a_program_killed_while_it_repairs_a_file_leaves_all_that_was_said(
    tmp_path: Path, seed: int, good: Path
) -> None:
    path = copy_of(good, tmp_path / "store.db")
    with Store.open(good) as store:
        before = state_of(store)
    spoil(path, pages(good)["memory_tag", "leaf"][0], seed)
    killed("repair", path, seed, acknowledged=0, spin=random.Random(seed).randint(0, 12_000_000))
    with Store.open(path) as store:
        if store.operator().examine():
            store.operator().make_anew()
        assert state_of(store) == before
        assert store.operator().examine() == []
