"""Importing the same source again, changed or not, beside what was done here since: nothing doubled, nothing lost."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.exchange.import_bench import Bench
from tests.exchange.triggerfish_file import T0, T1, T2, T3, TriggerfishFile
from tests.support import session_at
from tfmem_tui.core.importing import ImportCounts
from tfmem_tui.core.level import Level

TEN = datetime(2026, 3, 1, 10, tzinfo=UTC)


def test_the_same_file_again_brings_nothing_new(bench: Bench) -> None:
    for level in Level:
        bench.source.memory(classification=level.name, content=level.name)
        bench.source.lineage(level=level.name)
    bench.source.memory(key="gone", expired=True, updatedAt=T2)
    bench.run()
    before = bench.everything()

    report = bench.run()

    assert report.is_unchanged
    assert report.total == ImportCounts(unchanged=5, events_unchanged=4)
    assert bench.everything() == before


def test_what_was_updated_in_the_source_becomes_a_new_version(bench: Bench) -> None:
    bench.source.memory(content="teal", updatedAt=T0)
    bench.run()
    bench.source.memory(content="dark teal", updatedAt=T1)

    report = bench.run()

    assert report.total.memories == 1
    assert [(version.content, version.end_reason) for version in bench.versions()] == [
        ("dark teal", None),
        ("teal", "replaced"),
    ]


def test_what_was_deleted_in_the_source_is_deleted_and_not_doubled(bench: Bench) -> None:
    bench.source.memory(content="teal", updatedAt=T0)
    bench.run()
    bench.source.memory(content="teal", updatedAt=T2, expired=True)

    report = bench.run()

    assert report.total.deleted == 1
    assert [(version.content, version.end_reason, version.ended_at) for version in bench.versions()] == [
        ("teal", "deleted", TEN)
    ]


def test_what_was_updated_and_then_deleted_in_the_source_does_not_stay_live(bench: Bench) -> None:
    bench.source.memory(content="teal", updatedAt=T0)
    bench.run()
    ident = bench.source.lineage(at=T1)
    bench.source.memory(content="dark teal", updatedAt=T2, expired=True, lineageId=ident)

    bench.run()

    assert bench.content() is None
    assert [(version.content, version.end_reason) for version in bench.versions()] == [
        ("dark teal", "deleted"),
        ("teal", "replaced"),
    ]


def test_what_was_deleted_and_saved_again_in_the_source_keeps_its_tombstone(bench: Bench) -> None:
    bench.source.memory(content="first life", updatedAt=T1, expired=True)
    bench.run()
    bench.source.memory(content="second life", updatedAt=T2)

    bench.run()

    assert [(version.content, version.end_reason) for version in bench.versions()] == [
        ("second life", None),
        ("first life", "deleted"),
    ]


def test_what_was_saved_here_since_stays_live_and_the_older_text_becomes_history(bench: Bench) -> None:
    bench.source.memory(content="teal", updatedAt=T0)
    bench.run()
    bench.act(lambda store: session_at(store, Level.PUBLIC).save("colour", "saved here"))
    bench.source.memory(content="dark teal", updatedAt=T1)

    report = bench.run()

    assert report.total.memories == 1
    assert bench.content() == "saved here"
    assert {version.content for version in bench.versions()} == {"saved here", "teal", "dark teal"}
    assert bench.run().is_unchanged


def test_what_was_deleted_here_since_stays_deleted(bench: Bench) -> None:
    bench.source.memory(content="teal")
    bench.run()
    bench.act(lambda store: session_at(store, Level.PUBLIC).delete("colour"))

    report = bench.run()

    assert report.is_unchanged
    assert bench.content() is None


def test_what_was_saved_here_since_outlives_a_delete_in_the_source(bench: Bench) -> None:
    bench.source.memory(content="teal", updatedAt=T0)
    bench.run()
    bench.act(lambda store: session_at(store, Level.PUBLIC).save("colour", "saved here"))
    bench.source.memory(content="teal", updatedAt=T2, expired=True)

    bench.run()

    assert bench.content() == "saved here"
    assert bench.run().is_unchanged


TIMES = st.sampled_from([T0, T1, T2, T3])
KEYS = st.sampled_from(["a", "b:c"])
AGENTS = st.sampled_from(["main-session", "cron:1"])
LEVELS = st.sampled_from([level.name for level in Level])
MEMORY = st.fixed_dictionaries(
    {
        "key": KEYS,
        "agentId": AGENTS,
        "classification": LEVELS,
        "content": st.sampled_from(["teal", "dark teal"]),
        "tags": st.sampled_from([[], ["x"], ["x", "x"]]),
        "createdAt": TIMES,
        "updatedAt": TIMES,
        "expired": st.booleans(),
    }
)
LINEAGE = st.fixed_dictionaries({"key": KEYS, "agent": AGENTS, "level": LEVELS, "at": TIMES})
CONTENTS = st.tuples(st.lists(MEMORY, max_size=6), st.lists(LINEAGE, max_size=3))


@settings(max_examples=40)
@given(contents=st.lists(CONTENTS, min_size=1, max_size=3))
def test_importing_twice_is_importing_once_whatever_happened_to_the_source_before(contents: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder) / "home", TriggerfishFile(Path(folder) / "triggerfish.db"))
        for memories, lineage in contents:
            for fields in memories:
                bench.source.memory(**fields)
            for fields in lineage:
                bench.source.lineage(**fields)
            bench.run()
            once = bench.everything()

            again = bench.run(batch=3)

            assert again.is_unchanged
            assert bench.everything() == once
        bench.source.connection.close()
