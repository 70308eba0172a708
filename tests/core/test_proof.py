"""Everything can be proved: any one tampering is found and named, tails kept elsewhere are missed, texts can go."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import CountingEntropy, HandClock
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import ChainReport
from tfmem_tui.core.store import Store

COLUMNS = "level, seq, at, session, user, action, key, outcome, detail, detail_salt, detail_hash, content_hash, source"


def busy_store(path: Path, seed: int) -> None:
    """A store with a random history at two levels."""
    rng, clock = random.Random(seed), HandClock()
    with Store.open(path, create=True, clock=clock, entropy=CountingEntropy()) as store:
        sessions = [store.memories(store.operator().start(level)) for level in (Level.PUBLIC, Level.INTERNAL)]
        for number in range(14):
            clock.tick()
            memories = rng.choice(sessions)
            key = f"key-{rng.randrange(4)}"
            act = rng.choice(["save", "save", "delete", "search"])
            if act == "save":
                memories.save(key, f"text {number}")
            elif act == "search":
                memories.search(f"text {rng.randrange(9)}")
            elif memories.effective(key) is not None and memories.ladder(key).deletable:
                memories.delete(key)


def verified(path: Path) -> dict[Level, ChainReport]:
    with Store.open(path) as store:
        return {one.level: one for one in store.audit(store.operator().viewer(Level.RESTRICTED)).verify()}


def tampered(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql, values)


CHANGES: dict[str, Callable[[Path, int], int]] = {}


def change(test: Callable[[Path, int], int]) -> Callable[[Path, int], int]:
    CHANGES[test.__name__] = test
    return test


@change
def a_field(path: Path, seq: int) -> int:
    tampered(path, "UPDATE audit_event SET key = coalesce(key, '') || 'x' WHERE level = 1 AND seq = ?", seq)
    return seq


@change
def a_time(path: Path, seq: int) -> int:
    tampered(path, "UPDATE audit_event SET at = at + 1 WHERE level = 1 AND seq = ?", seq)
    return seq


@change
def removed(path: Path, seq: int) -> int:
    tampered(path, "DELETE FROM audit_event WHERE level = 1 AND seq = ?", seq)
    return seq


@change
def swapped(path: Path, seq: int) -> int:
    for before, after in ((seq, -1), (seq + 1, seq), (-1, seq + 1)):
        tampered(path, "UPDATE audit_event SET seq = ? WHERE level = 1 AND seq = ?", after, before)
    return seq


@change
def inserted(path: Path, seq: int) -> int:
    tampered(path, "UPDATE audit_event SET seq = -seq - 1 WHERE level = 1 AND seq >= ?", seq)
    tampered(path, "UPDATE audit_event SET seq = -seq WHERE level = 1 AND seq < 0")
    tampered(
        path,
        f"INSERT INTO audit_event ({COLUMNS}, prev_hash, hash) SELECT level, ?, at, session, user, action, key, "
        "outcome, detail, detail_salt, detail_hash, content_hash, source, prev_hash, hash FROM audit_event "
        "WHERE level = 1 AND seq = ?",
        seq,
        seq + 1,
    )
    return seq


@pytest.mark.parametrize("gone", ["detail = NULL, detail_salt = NULL", "detail = NULL", "detail_salt = NULL"])
def test_a_detail_that_is_gone_is_found_where_no_retention_takes_it(gone: str, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path, create=True) as store:
        session = store.operator().start(Level.PUBLIC)
        store.memories(session).search("falcon")
        store.operator().escalate(session.id, Level.INTERNAL)
        store.memories(session).save("note", "text")
        assert all(one.ok for one in store.audit(session).verify())
    tampered(path, f"UPDATE audit_event SET {gone} WHERE action <> 'memory_search' AND detail IS NOT NULL")
    assert not all(one.ok for one in verified(path).values())


@pytest.mark.parametrize("kind", CHANGES)
@given(seed=st.integers(0, 10_000), place=st.integers(0, 100))
@settings(max_examples=8, deadline=None)
def test_any_one_tampering_is_found_and_named(
    kind: str, seed: int, place: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("proof") / "store.db"
    busy_store(path, seed)
    before = verified(path)
    assert all(one.ok for one in before.values())
    events = before[Level.PUBLIC].events
    seq = 1 + place % max(1, events - 1)
    at = CHANGES[kind](path, seq)
    after = verified(path)[Level.PUBLIC]
    if kind == "removed" and seq == events:
        assert after.ok  # the last one: only a head kept elsewhere tells
        return
    if kind == "swapped" and seq == events:
        return
    assert not after.ok
    assert after.broken_at is not None
    assert at <= after.broken_at <= at + 1
    assert verified(path)[Level.INTERNAL].ok


def test_a_tail_that_was_cut_off_or_written_anew_is_found_by_a_head_that_was_kept(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path, create=True) as store:
        memories = store.memories(store.operator().start(Level.PUBLIC))
        for number in range(5):
            memories.save("note", f"text {number}")
        trail = store.audit(store.operator().viewer(Level.PUBLIC))
        heads = trail.heads()
        memories.save("note", "later")
        assert all(one.ok for one in trail.verify(heads))
    tampered(path, "DELETE FROM audit_event WHERE level = 1 AND seq > 4")
    tampered(path, "DELETE FROM memory WHERE content IN ('text 3', 'text 4', 'later')")
    with Store.open(path) as store:
        trail = store.audit(store.operator().viewer(Level.PUBLIC))
        assert trail.verify()[0].ok
        cut = trail.verify(heads)[0]
        assert (cut.ok, cut.broken_at) == (False, 5)
        assert "ends before event 6" in str(cut.reason)
        again = store.memories(store.operator().start(Level.PUBLIC))
        for number in range(3):
            again.save("other", f"text {number}")
        rewritten = trail.verify(heads)[0]
        assert (rewritten.ok, rewritten.broken_at) == (False, 6)
        assert "written anew" in str(rewritten.reason)


def test_a_text_that_no_longer_matches_its_event_is_found_by_the_event(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path, create=True) as store:
        store.memories(store.operator().start(Level.PUBLIC)).save("note", "the true text")
    tampered(path, "UPDATE memory SET content = 'another text'")
    report = verified(path)[Level.PUBLIC]
    assert (report.ok, report.broken_at) == (False, 2)
    assert "vouches for a text" in str(report.reason)


def test_the_texts_of_old_searches_go_without_a_trace_and_the_chain_holds(tmp_path: Path) -> None:
    path, clock = tmp_path / "store.db", HandClock()
    with Store.open(path, create=True, clock=clock) as store:
        operator = store.operator()
        memories = store.memories(operator.start(Level.INTERNAL))
        memories.search("canaryxylophone in the harbour")
        clock.now += timedelta(days=40)
        memories.search("youngerzither")
        assert operator.purgeable_searches(timedelta(days=30)) == {Level.INTERNAL: 1}
        public = operator.purge_searches(operator.scratch(Level.PUBLIC), timedelta(days=30))
        assert public.versions == 0  # what lies above is not its to destroy
        report = operator.purge_searches(operator.scratch(Level.RESTRICTED), timedelta(days=30))
        assert (report.versions, report.wiped) == (1, True)
        trail = store.audit(operator.viewer(Level.RESTRICTED))
        assert all(one.ok for one in trail.verify())
        events = [event for event in trail.events() if event.level is Level.INTERNAL]
        assert [(event.action, dict(event.detail)) for event in events[:2]] == [
            ("purge_searches", {"searches": 1}),
            ("memory_search", {"query": "youngerzither", "results": 0}),
        ]
        files = [file.read_bytes() for file in tmp_path.iterdir()]
        assert not any(b"canaryxylophone" in data for data in files)
        assert any(b"youngerzither" in data for data in files)
