"""Importing: what meets versions that are here already; newest wins, nothing is lost, a delete is not undone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support import START, HandClock, fresh_store, session_at, viewer_at
from tfmem_tui.core.errors import ClassificationViolation, InvalidInput
from tfmem_tui.core.importing import ImportCounts, ImportedMemory
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store


def record(content: str, saved: int, deleted: int | None = None) -> ImportedMemory:
    """A record of one key, at so many seconds after the start of the clock."""
    moment = START + timedelta(seconds=saved)
    end = None if deleted is None else START + timedelta(seconds=deleted)
    return ImportedMemory("note", Level.PUBLIC, content, ("t",), START, moment, "elsewhere", deleted_at=end)


def state(store: Store) -> list[tuple[str, str | None]]:
    return [(one.content, one.end_reason) for one in viewer_at(store, Level.PUBLIC).versions("note")]


def test_a_newer_record_replaces_what_is_here() -> None:
    store = fresh_store()
    importer = store.operator().importer()
    importer.add([record("one", 1)])
    assert importer.add([record("two", 2)]) == ImportCounts(memories=1)
    assert state(store) == [("two", None), ("one", "replaced")]


def test_an_older_record_becomes_history_below_what_was_saved_since() -> None:
    clock = HandClock()
    store = fresh_store(clock)
    clock.tick(10)
    session_at(store, Level.PUBLIC).save("note", "ours")
    store.operator().importer().add([record("theirs", 1)])
    assert state(store) == [("ours", None), ("theirs", "replaced")]


def test_a_record_older_than_a_delete_here_does_not_come_to_life_again() -> None:
    clock = HandClock()
    store = fresh_store(clock)
    importer = store.operator().importer()
    importer.add([record("one", 1)])
    clock.tick(10)
    session_at(store, Level.PUBLIC).delete("note")
    importer.add([record("two", 5)])
    assert state(store) == [("two", "deleted"), ("one", "deleted")]
    assert viewer_at(store, Level.PUBLIC).get("note") is None


def test_a_record_deleted_in_its_source_since_ends_here_too() -> None:
    store = fresh_store()
    importer = store.operator().importer()
    importer.add([record("one", 1)])
    importer.add([record("one", 1, deleted=4)])
    assert state(store) == [("one", "deleted")]
    assert importer.add([record("one", 1, deleted=4)]) == ImportCounts(unchanged=1)


def test_a_batch_with_one_bad_record_is_not_kept_at_all() -> None:
    store = fresh_store()
    with pytest.raises(InvalidInput):
        store.operator().importer().add([record("one", 1), replace(record("x", 1), key="")])
    assert state(store) == []
    assert store.audit(store.operator().viewer(Level.RESTRICTED)).count() == 0


def test_g10_nothing_above_the_operators_clearance_is_imported() -> None:
    store = fresh_store()
    high = replace(record("x", 1), level=Level.CONFIDENTIAL)
    with pytest.raises(ClassificationViolation):
        store.operator(clearance=Level.INTERNAL).importer().add([high])


def test_g9_each_batch_leaves_one_event_at_each_level_that_it_changed() -> None:
    store = fresh_store()
    importer = store.operator().importer()
    for _ in range(2):
        importer.add([record("one", 1), replace(record("x", 1), level=Level.INTERNAL)])
    events = store.audit(store.operator().viewer(Level.RESTRICTED)).events()
    assert [(event.action, event.level) for event in events] == [
        ("import", Level.INTERNAL),
        ("import", Level.PUBLIC),
    ]
    assert store.operator().examine() == []
