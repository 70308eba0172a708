"""Bringing a Triggerfish database into stores: each agent apart, with its own times, the broken left out."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.exchange.import_bench import Bench
from tests.exchange.triggerfish_file import SESSION, T0, T1, T2
from tfmem_tui.core.home import agents
from tfmem_tui.core.importing import ImportCounts, ImportedMemory
from tfmem_tui.core.level import Level
from tfmem_tui.exchange import importing
from tfmem_tui.exchange.importing import import_triggerfish
from tfmem_tui.exchange.triggerfish import Record, SourceUnavailable

EIGHT, NINE, TEN = (datetime(2026, 3, 1, hour, tzinfo=UTC) for hour in (8, 9, 10))


def test_every_agent_comes_into_its_own_store(bench: Bench) -> None:
    for agent in ("main-session", "cron:1", "a/b:c", "100%"):
        bench.source.memory(agentId=agent, content=f"of {agent}")

    report = bench.run()

    assert agents(bench.home) == sorted(["main-session", "cron:1", "a/b:c", "100%"])
    assert list(report.agents) == sorted(report.agents)
    assert [bench.content(agent=agent) for agent in report.agents] == [f"of {agent}" for agent in report.agents]


def test_original_times_and_session_ids_are_kept(bench: Bench) -> None:
    bench.source.memory(createdAt=T0, updatedAt=T1, sourceSessionId="session-7")

    bench.run()

    [version] = bench.versions()
    assert (version.created_at, version.saved_at, version.saved_by) == (EIGHT, NINE, "session-7")


def test_a_soft_deleted_memory_comes_as_a_tombstone_and_uncovers_the_lower_one(bench: Bench) -> None:
    bench.source.memory(content="low")
    bench.source.memory(classification="CONFIDENTIAL", content="high", expired=True, updatedAt=T2)

    report = bench.run()

    assert report.total == ImportCounts(memories=2, deleted=1)
    assert bench.content() == "low"
    [tombstone] = [version for version in bench.versions() if version.end_reason == "deleted"]
    assert (tombstone.content, tombstone.ended_at) == ("high", TEN)


def test_an_expiry_in_the_past_is_kept_and_enforced(bench: Bench) -> None:
    bench.source.memory(expiresAt=T1)

    bench.run()

    assert bench.content() is None
    assert [version.expires_at for version in bench.versions()] == [NINE]


def test_lineage_becomes_audit_history_at_its_own_level_and_time(bench: Bench) -> None:
    bench.source.lineage(level="INTERNAL", at=T1)
    bench.source.lineage(level="RESTRICTED", at=T2)

    report = bench.run()

    with bench.open("main-session") as store:
        trail = store.audit(store.operator().viewer(Level.INTERNAL))
        [event] = [event for event in trail.events() if event.action != "import"]
    assert report.total.events == 2
    assert (event.at, event.action, event.key, event.session) == (NINE, "memory_save", "colour", SESSION)


def test_each_level_that_was_touched_says_once_that_there_was_an_import(bench: Bench) -> None:
    bench.source.memory()
    bench.source.memory(classification="RESTRICTED")

    bench.run()
    bench.run()

    with bench.open("main-session") as store:
        events = store.audit(store.operator().viewer(Level.RESTRICTED)).events()
    assert sorted(event.level for event in events if event.action == "import") == [Level.PUBLIC, Level.RESTRICTED]


def test_a_record_that_cannot_be_read_is_reported_and_the_rest_goes_in(bench: Bench) -> None:
    bench.source.raw("memory:main-session:PUBLIC:broken", "{")
    bench.source.memory()

    report = bench.run()

    assert (report.skipped_count, report.total.memories) == (1, 1)
    assert [record.row for record in report.skipped] == ["memory:main-session:PUBLIC:broken"]


def test_of_very_many_broken_records_a_thousand_are_named_and_all_are_counted(bench: Bench) -> None:
    bench.source.connection.execute("BEGIN")
    for number in range(1_005):
        bench.source.raw(f"memory:main-session:PUBLIC:{number}", "{")
    bench.source.connection.execute("COMMIT")

    report = bench.run()

    assert (len(report.skipped), report.skipped_count) == (1_000, 1_005)


def test_a_record_that_the_store_refuses_takes_no_other_of_its_batch_along(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def record(number: int) -> Record:
        zone = None if number == 5 else UTC
        moment = datetime(2026, 3, 1, tzinfo=zone)
        return "main-session", ImportedMemory(f"k{number}", Level.PUBLIC, "text", (), moment, moment, "s")

    bench.source.memory()
    monkeypatch.setattr(importing, "read_triggerfish", lambda path: (record(number) for number in range(12)))

    report = bench.run()

    assert report.total.memories == 11
    assert [(record.row, record.reason) for record in report.skipped] == [
        ("memory:main-session:PUBLIC:k5", "a time has no time zone")
    ]


def test_only_the_agents_asked_for_are_imported(bench: Bench) -> None:
    bench.source.memory(agentId="one")
    bench.source.memory(agentId="two")
    bench.source.memory("memory:two:PUBLIC:bad", agentId="two", key="bad", content=5)

    report = bench.run(agents={"one"})

    assert (list(report.agents), report.skipped_count) == (["one"], 0)
    assert agents(bench.home) == ["one"]


def test_many_agents_and_small_batches_come_to_the_same(bench: Bench) -> None:
    for number in range(120):
        bench.source.memory(agentId=f"agent-{number % 40}", key=f"k{number}")
        bench.source.lineage(agent=f"agent-{number % 40}", key=f"k{number}")

    report = bench.run(batch=2)

    assert report.total == ImportCounts(memories=120, events=120)
    assert len(agents(bench.home)) == 40
    assert {counts.memories for counts in report.agents.values()} == {3}
    assert bench.run(batch=7).is_unchanged


def test_progress_counts_rows_up_to_all_of_them(bench: Bench) -> None:
    bench.source.connection.execute("BEGIN")
    for number in range(450):
        bench.source.memory(key=f"k{number}")
    bench.source.connection.execute("COMMIT")
    seen: list[tuple[int, int]] = []

    bench.run(progress=lambda done, total: seen.append((done, total)))

    assert seen == [(200, 450), (400, 450), (450, 450)]


def test_a_file_that_cannot_be_read_makes_no_store(bench: Bench, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.db"
    wrong.write_text("no database " * 100)

    with pytest.raises(SourceUnavailable):
        import_triggerfish(wrong, bench.open)

    assert bench.opened == []
    assert not bench.home.exists()
