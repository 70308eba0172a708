"""The audit: one event for each call, one chain for each level, every tampering found."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support import HandClock, fresh_store, session_at, viewer_at
from tfmem_tui.core.audit import EventFilters
from tfmem_tui.core.errors import ClassificationViolation, InvalidInput, NotFound, SessionEnded
from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.core.records import Outcome
from tfmem_tui.core.store import Store


def test_each_of_the_five_calls_leaves_exactly_one_event_at_the_sessions_level() -> None:
    store = fresh_store()
    memories = session_at(store, Level.INTERNAL)
    memories.save("note", "text")
    memories.get("note")
    memories.get("none")
    memories.search("text")
    memories.list()
    memories.delete("note")
    with pytest.raises(NotFound):
        memories.delete("note")
    with pytest.raises(InvalidInput):
        memories.save("", "text")
    events = store.audit(store.operator().viewer(Level.RESTRICTED)).events(EventFilters(session="internal-0001"))
    calls = [(event.action, str(event.outcome), event.level) for event in reversed(events)]
    assert calls == [
        ("session_start", "allowed", Level.INTERNAL),
        ("memory_save", "allowed", Level.INTERNAL),
        ("memory_get", "allowed", Level.INTERNAL),
        ("memory_get", "missed", Level.INTERNAL),
        ("memory_search", "allowed", Level.INTERNAL),
        ("memory_list", "allowed", Level.INTERNAL),
        ("memory_delete", "allowed", Level.INTERNAL),
        ("memory_delete", "missed", Level.INTERNAL),
        ("memory_save", "invalid", Level.INTERNAL),
    ]


def test_the_screens_own_reads_leave_no_event() -> None:
    store = fresh_store()
    session_at(store, Level.PUBLIC).save("note", "text", ["t"])
    viewer = viewer_at(store, Level.PUBLIC)
    before = store.audit(store.operator().viewer(Level.PUBLIC)).count()
    viewer.effective("note")
    viewer.page()
    viewer.rows(viewer.find("text"), 0, 10)
    viewer.tags()
    viewer.totals()
    viewer.versions("note")
    viewer.ladder("note")
    viewer.tombstones()
    viewer.get("note")
    assert store.audit(store.operator().viewer(Level.PUBLIC)).count() == before


def test_g10_operator_acts_are_recorded_with_the_users_name() -> None:
    store = fresh_store()
    operator = store.operator()
    session = operator.start(Level.PUBLIC, label="chat")
    operator.escalate(session.id, Level.CONFIDENTIAL)
    memories = store.memories(session)
    memories.save("note", "text")
    memories.delete("note")
    operator.restore(store.session(session.id), memories.tombstones()[0].ref)
    fresh = operator.reset(session.id)
    assert fresh.taint is Level.PUBLIC
    assert fresh.label == "chat"
    events = store.audit(operator.viewer(Level.RESTRICTED)).events()
    acts = {(event.action, event.level, event.user) for event in events}
    assert acts >= {
        ("session_start", Level.PUBLIC, "tester"),
        ("session_escalate", Level.CONFIDENTIAL, "tester"),
        ("session_reset", Level.CONFIDENTIAL, "tester"),
        ("restore", Level.CONFIDENTIAL, "tester"),
    }


def test_g10_an_operators_acts_end_at_the_clearance() -> None:
    store = fresh_store()
    high = store.operator().start(Level.RESTRICTED, label="high")
    low = store.operator().start(Level.PUBLIC)
    operator = store.operator(clearance=Level.INTERNAL)
    for act in (
        lambda: operator.start(Level.CONFIDENTIAL),
        lambda: operator.escalate(low.id, Level.CONFIDENTIAL),
        lambda: operator.reset(high.id),
        lambda: operator.viewer(Level.CONFIDENTIAL),
        lambda: operator.scratch(Level.RESTRICTED),
    ):
        with pytest.raises(ClassificationViolation):
            act()
    assert [session.id for session in operator.sessions()] == [low.id]
    assert operator.labelled("high") is None


def test_an_ended_session_can_do_nothing_and_its_attempt_is_recorded() -> None:
    store = fresh_store()
    session = store.operator().start(Level.INTERNAL)
    store.operator().reset(session.id)
    memories = store.memories(session)
    for call in (lambda: memories.save("note", "text"), lambda: memories.get("note"), memories.page):
        with pytest.raises(SessionEnded):
            call()
    events = store.audit(store.operator().viewer(Level.RESTRICTED)).events(EventFilters(outcome=Outcome.REFUSED))
    assert [(event.action, event.level) for event in events] == [
        ("memory_get", Level.INTERNAL),
        ("memory_save", Level.INTERNAL),
    ]


def test_an_escalation_to_a_lower_or_equal_level_changes_nothing() -> None:
    store = fresh_store()
    session = store.operator().start(Level.CONFIDENTIAL)
    before = store.audit(store.operator().viewer(Level.RESTRICTED)).count()
    assert store.operator().escalate(session.id, Level.PUBLIC).taint is Level.CONFIDENTIAL
    assert store.audit(store.operator().viewer(Level.RESTRICTED)).count() == before


def test_a_label_in_use_moves_to_the_new_session() -> None:
    operator = fresh_store().operator()
    old = operator.start(Level.PUBLIC, label="chat")
    new = operator.start(Level.INTERNAL, label="chat")
    found = operator.labelled("chat")
    assert found is not None
    assert found.id == new.id
    assert {session.id: session.label for session in operator.sessions()} == {old.id: None, new.id: "chat"}


def test_scratch_sessions_are_four_separate_ones_whose_taint_never_falls() -> None:
    operator = fresh_store().operator()
    ids = {level: operator.scratch(level).id for level in ALL_LEVELS}
    assert len(set(ids.values())) == 4
    assert {level: operator.scratch(level).id for level in ALL_LEVELS} == ids
    operator.escalate(ids[Level.PUBLIC], Level.INTERNAL)
    fresh = operator.scratch(Level.PUBLIC)
    assert fresh.taint is Level.PUBLIC
    assert fresh.id != ids[Level.PUBLIC]


def test_g2_the_audit_of_a_level_says_nothing_of_those_above() -> None:
    store = fresh_store()
    session_at(store, Level.RESTRICTED).save("secret", "text")
    public = store.audit(store.operator().viewer(Level.PUBLIC))
    assert public.events() == ()
    assert public.count() == 0
    assert [head.level for head in public.heads()] == [Level.PUBLIC]
    assert [report.level for report in public.verify()] == [Level.PUBLIC]


def test_events_are_filtered_by_each_condition() -> None:
    clock = HandClock()
    store = fresh_store(clock)
    memories = session_at(store, Level.PUBLIC)
    memories.save("a", "text")
    clock.tick(10)
    memories.get("b", forced=["level"])
    audit = store.audit(store.operator().viewer(Level.PUBLIC))
    for filters, actions in (
        (EventFilters(key="a"), ["memory_save"]),
        (EventFilters(action="memory_get"), ["memory_get"]),
        (EventFilters(outcome=Outcome.MISSED), ["memory_get"]),
        (EventFilters(since=clock.now), ["memory_get"]),
        (EventFilters(before=clock.now - timedelta(seconds=1)), ["memory_save", "session_start"]),
        (EventFilters(session="nobody"), []),
    ):
        assert [event.action for event in audit.events(filters)] == actions
        assert audit.count(filters) == len(actions)


@pytest.mark.parametrize(
    ("tampering", "broken_at"),
    [
        ("UPDATE audit_event SET key = 'other' WHERE level = 2 AND seq = 3", 3),
        ("UPDATE audit_event SET at = at + 1 WHERE level = 2 AND seq = 2", 2),
        ("UPDATE audit_event SET detail = '{}' WHERE level = 2 AND seq = 1", 1),
        ("UPDATE audit_event SET outcome = 'missed' WHERE level = 2 AND seq = 4", 4),
        ("UPDATE audit_event SET content_hash = zeroblob(32) WHERE level = 2 AND seq = 2", 2),
        ("DELETE FROM audit_event WHERE level = 2 AND seq = 2", 3),
        ("UPDATE audit_event SET seq = seq + 100 WHERE level = 2 AND seq = 2", 3),
    ],
)
def test_verify_finds_the_first_event_that_was_tampered_with(tmp_path: Path, tampering: str, broken_at: int) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        memories = session_at(store, Level.INTERNAL, "chat")
        for number in range(4):
            memories.save(f"note-{number}", "text")
        viewer = store.operator().viewer(Level.RESTRICTED)
        assert all(report.ok for report in store.audit(viewer).verify())
        with sqlite3.connect(path) as connection:
            connection.execute(tampering)
        connection.close()
        broken = [report for report in store.audit(viewer).verify() if not report.ok]
        assert [(report.level, report.broken_at) for report in broken] == [(Level.INTERNAL, broken_at)]
