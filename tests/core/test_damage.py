"""Nothing is lost: a damaged file is told, what was readable stays readable, what is derived is made anew."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.damage import copy_of, good_store, pages, spoil
from tests.support import viewer_at
from tfmem_tui.core.errors import StoreBusy, StoreUnavailable, TfmemError
from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.core.salvage import DERIVED_ONLY, FILE
from tfmem_tui.core.store import Store
from tfmem_tui.exchange.exporting import export_lines
from tfmem_tui.exchange.plain import to_plain

DERIVED = (
    "sqlite_autoindex_alembic_version_1",
    "ux_memory_live_key",
    "ix_memory_live_saved",
    "ix_memory_ended_key",
    "ix_memory_tombstone",
    "ix_memory_expiring",
    "memory_tag",
    "sqlite_autoindex_agent_session_1",
    "ux_agent_session_label",
    "ix_audit_event_at",
    "ux_audit_event_source",
    *(
        f"memory_fts_{level.name.lower()}_{part}"
        for level in ALL_LEVELS
        for part in ("data", "idx", "docsize", "config")
    ),
)
SAID = ("memory", "audit_event", "agent_session")
NEEDED_TO_OPEN = ("sqlite_schema", "alembic_version", "store_meta")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return good_store(tmp_path_factory.mktemp("good") / "store.db")


def all_said(store: Store) -> list[Any]:
    """All that was said, at every level, read without any search."""
    said: list[Any] = []
    for level in ALL_LEVELS:
        memories = viewer_at(store, level)
        said.append([to_plain(record) for record in memories.everything(history=True) if record.level is level])
    return said


def chains(store: Store) -> list[tuple[int, bool]]:
    return [(one.events, one.ok) for one in store.audit(store.operator().viewer(Level.RESTRICTED)).verify()]


@pytest.mark.parametrize("name", DERIVED)
def test_damaged_pages_of_what_is_derived_are_named_and_made_anew(name: str, good: Path, tmp_path: Path) -> None:
    with Store.open(good) as store:
        before = all_said(store)
    kinds = [(kind, numbers) for (table, kind), numbers in pages(good).items() if table == name]
    assert kinds
    for number, (kind, numbers) in enumerate(kinds):
        path = copy_of(good, tmp_path / f"{number}.db")
        spoil(path, numbers[len(numbers) // 2], seed=number)
        with Store.open(path) as store:
            operator = store.operator()
            found = operator.examine()
            assert DERIVED_ONLY in {one.what for one in found}, kind
            assert FILE not in {one.what for one in found}
            operator.make_anew()
            assert operator.examine() == []
            assert [now[: len(then)] for now, then in zip(all_said(store), before, strict=True)] == before
            assert all(ok for _, ok in chains(store))
            assert viewer_at(store, Level.INTERNAL).search("word33").memories[0].key == "key33"
        assert [file.name for file in tmp_path.iterdir() if "anew" in file.name] == []


@pytest.mark.parametrize("name", SAID)
def test_damaged_pages_of_what_was_said_are_named_and_the_file_is_left_alone(
    name: str, good: Path, tmp_path: Path
) -> None:
    for (table, kind), numbers in pages(good).items():
        if table != name:
            continue
        path = copy_of(good, tmp_path / f"{kind}.db")
        spoil(path, numbers[len(numbers) // 2], seed=1)
        spoilt = path.read_bytes()
        with Store.open(path) as store:
            assert FILE in {one.what for one in store.operator().examine()}
            assert any(name in one.text for one in store.operator().examine())
            with pytest.raises(StoreUnavailable):
                store.operator().make_anew()
        assert path.read_bytes() == spoilt


@pytest.mark.parametrize("name", NEEDED_TO_OPEN)
def test_a_file_that_cannot_be_opened_is_refused_and_left_alone(name: str, good: Path, tmp_path: Path) -> None:
    for (table, kind), numbers in pages(good).items():
        if table != name:
            continue
        path = copy_of(good, tmp_path / f"{kind}.db")
        spoil(path, numbers[0], seed=1)
        spoilt = path.read_bytes()
        with pytest.raises(StoreUnavailable):
            Store.open(path)
        assert path.read_bytes() == spoilt


def everything(store: Store) -> list[Callable[[], object]]:
    """All kinds of reads and acts, each to be tried by itself."""
    operator = store.operator()
    viewer = operator.viewer(Level.CONFIDENTIAL)
    memories, trail = store.memories(viewer), store.audit(viewer)

    def acting() -> object:
        session = store.memories(operator.start(Level.INTERNAL))
        session.save("key9", "other words")
        return session.delete("key9")

    return [
        lambda: memories.list().memories,
        lambda: memories.page(limit=1_000).rows,
        lambda: memories.page(limit=1_000, from_end=True).rows,
        lambda: [memories.get(f"key{number}") for number in range(0, 260, 9)],
        lambda: memories.search("falcon word12", 100).memories,
        lambda: memories.find("falc"),
        lambda: memories.list("bird").memories,
        memories.tags,
        memories.totals,
        memories.change_token,
        lambda: memories.tombstones(limit=1_000),
        lambda: [memories.ladder(f"key{number}") for number in range(0, 260, 17)],
        lambda: [memories.versions(f"key{number}") for number in range(0, 260, 17)],
        lambda: trail.events(limit=1_000),
        trail.verify,
        trail.heads,
        operator.sessions,
        operator.examine,
        lambda: list(export_lines(memories, "main", "jsonl", history=True)),
        acting,
    ]


def outcome(act: Callable[[], object]) -> str:
    try:
        act()
    except TfmemError as error:
        return "LEAKED" if "falcon" in error.message or "other words" in error.message else error.code
    return "done"


@pytest.mark.parametrize("seed", range(40))
def test_flipped_bits_anywhere_end_in_an_answer_or_in_an_error_of_ours(seed: int, good: Path, tmp_path: Path) -> None:
    path = copy_of(good, tmp_path / "store.db")
    rng = random.Random(seed)
    everywhere = [number for numbers in pages(good).values() for number in numbers]
    for _ in range(rng.choice((1, 1, 3))):
        spoil(path, rng.choice(everywhere), seed, bits=rng.choice((1, 3, 40)), head=rng.random() < 0.3)
    with suppress(StoreUnavailable), Store.open(path) as store:
        assert {outcome(act) for act in everything(store)} <= {"done", "STORAGE_ERROR", "NOT_FOUND"}


@pytest.mark.parametrize("share", [0.0001, 0.01, 0.3, 0.6, 0.999])
def test_a_truncated_file_ends_in_an_answer_or_in_an_error_of_ours(share: float, good: Path, tmp_path: Path) -> None:
    path = copy_of(good, tmp_path / "store.db")
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    try:
        store = Store.open(path)
    except StoreUnavailable:
        assert path.read_bytes() == content[: int(len(content) * share)]
        return
    with store:
        assert store.operator().examine() != [] or share > 0.99  # the cut may have met what is empty
        assert {outcome(act) for act in everything(store)} <= {"done", "STORAGE_ERROR", "NOT_FOUND"}


def test_nothing_is_made_anew_while_another_program_has_the_store_open(good: Path, tmp_path: Path) -> None:
    path = copy_of(good, tmp_path / "store.db")
    spoil(path, pages(good)["memory_tag", "leaf"][0], seed=1)
    spoilt = path.read_bytes()
    with closing(sqlite3.connect(path)) as other, Store.open(path) as store:
        other.execute("SELECT count(*) FROM memory").fetchall()
        with pytest.raises(StoreBusy):
            store.operator().make_anew()
        assert path.read_bytes() == spoilt
        assert [file.name for file in tmp_path.iterdir() if "anew" in file.name] == []
