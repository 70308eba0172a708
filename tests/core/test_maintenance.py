"""Purge leaves no trace of a text, doctor finds what was tampered with, repair rebuilds it, a backup is whole."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support import CountingEntropy, HandClock, session_at, viewer_at
from tfmem_tui.core.errors import ClassificationViolation, InvalidInput, NotFound
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import VersionRef
from tfmem_tui.core.store import Store

CANARY = "xylophonic zebraword secretcanary"


def opened(path: Path, clock: HandClock | None = None) -> Store:
    return Store.open(path, clock=clock or HandClock(), entropy=CountingEntropy(), user="tester")


def test_a_purge_leaves_an_event_and_no_trace_of_text_words_or_stems(tmp_path: Path) -> None:
    clock = HandClock()
    with opened(tmp_path / "store.db", clock) as store:
        session = store.operator().start(Level.INTERNAL)
        memories = store.memories(session)
        memories.save("k", CANARY, ["canarytag"])
        memories.save("other", "stays")
        clock.tick()
        memories.delete("k")
        clock.tick(100 * 86_400)
        ended = store.operator().purgeable(timedelta(days=90))
        assert [one.key for one in ended] == ["k"]
        report = store.operator().purge(session, [one.ref for one in ended])
        assert (report.versions, report.wiped) == (1, True)
        (event,) = store.audit(session).events(limit=1)
        assert (event.action, event.key, event.level) == ("purge", "k", Level.INTERNAL)
        assert event.content_hash is not None
        assert all(one.ok for one in store.audit(session).verify())
        assert store.operator().examine() == []
        store.operator().backup(tmp_path / "copy.db")
        for file in tmp_path.iterdir():
            content = file.read_bytes()
            for word in (b"xylophon", b"zebraword", b"secretcanari", b"secretcanary", b"canarytag"):
                assert word not in content, file.name
    assert [one.name for one in tmp_path.iterdir()]


def test_an_open_reader_keeps_old_pages_and_the_purge_says_so(tmp_path: Path) -> None:
    with opened(tmp_path / "store.db") as store:
        session = store.operator().start(Level.PUBLIC)
        memories = store.memories(session)
        memories.save("k", CANARY)
        memories.delete("k")
        reader = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memory").fetchall()
        report = store.operator().purge(session, [one.ref for one in memories.tombstones()])
        assert report.wiped is False
        reader.close()


def test_only_ended_versions_that_the_session_sees_can_be_purged(tmp_path: Path) -> None:
    with opened(tmp_path / "store.db") as store:
        high, low = (store.operator().start(level) for level in (Level.RESTRICTED, Level.PUBLIC))
        live = store.memories(low).save("live", "text")
        store.memories(high).save("secret", "text")
        store.memories(high).delete("secret")
        (tombstone,) = store.memories(high).tombstones()
        for ref, error in (
            (live.ref, InvalidInput),
            (tombstone.ref, NotFound),
            (VersionRef("none", "none"), NotFound),
        ):
            with pytest.raises(error):
                store.operator().purge(low, [ref])
        with pytest.raises(ClassificationViolation):
            store.operator(clearance=Level.INTERNAL).purge(high, [tombstone.ref])
        assert len(store.memories(high).tombstones()) == 1


@pytest.mark.parametrize(
    ("tampering", "what"),
    [
        ("UPDATE memory SET content = 'changed' WHERE key = 'b'", "versions"),
        ("INSERT INTO memory_fts_internal (memory_fts_internal) VALUES ('delete-all')", "full-text rows"),
        ("DELETE FROM memory_tag WHERE tag = 't'", "tag rows"),
        ("UPDATE audit_event SET action = 'memory_get' WHERE level = 2 AND seq = 3", "audit chain"),
        ("UPDATE store_meta SET value = '0/0' WHERE name = 'analyser'", "analyser"),
        ("DELETE FROM memory WHERE key = 'b'", "versions"),
    ],
)
def test_the_doctor_names_what_was_tampered_with(tmp_path: Path, tampering: str, what: str) -> None:
    with opened(tmp_path / "store.db") as store:
        memories = session_at(store, Level.INTERNAL)
        memories.save("a", "falcon", ["t"])
        memories.save("b", "harbor", ["t"])
        assert store.operator().examine() == []
        with sqlite3.connect(tmp_path / "store.db") as connection:
            connection.execute(tampering)
        connection.close()
        found = store.operator().examine()
        assert what in [one.what for one in found]
        assert not any("falcon" in one.text or "harbor" in one.text for one in found)
        if what in ("full-text rows", "tag rows", "analyser"):
            store.operator().repair(store.operator().scratch(Level.RESTRICTED))
            assert store.operator().examine() == []
            assert len(viewer_at(store, Level.INTERNAL).find("falcon")) == 1


def test_a_backup_is_the_whole_store_and_overwrites_nothing(tmp_path: Path) -> None:
    with opened(tmp_path / "store.db") as store:
        session_at(store, Level.RESTRICTED).save("k", "falcon")
        store.operator().backup(tmp_path / "copy.db")
        assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600
        with pytest.raises(InvalidInput, match="exists"):
            store.operator().backup(tmp_path / "copy.db")
        with pytest.raises(ClassificationViolation):
            store.operator(clearance=Level.CONFIDENTIAL).backup(tmp_path / "other.db")
    with opened(tmp_path / "copy.db") as copy:
        assert viewer_at(copy, Level.RESTRICTED).count() == 1
        assert copy.operator().examine() == []
