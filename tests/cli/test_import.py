"""``tfmem import``: what it prints where, and its exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.exchange.triggerfish_file import T2, TriggerfishFile
from tests.support import viewer_at
from tfmem_tui.cli.importing import import_command
from tfmem_tui.core.home import agent_path, agents
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def source(tmp_path: Path) -> Iterator[TriggerfishFile]:
    made = TriggerfishFile(tmp_path / "triggerfish.db")
    yield made
    made.connection.close()


def fill(source: TriggerfishFile) -> None:
    """Three memories of one agent, one of them soft-deleted, one memory of another; an event each."""
    source.memory(key="colour")
    source.memory(key="colour", classification="INTERNAL", content="dark teal")
    source.memory(key="gone", expired=True, updatedAt=T2)
    source.memory(agentId="cron:1", key="run")
    source.lineage()
    source.lineage(agent="cron:1")


def run(home: Path, *arguments: object) -> Result:
    return CliRunner().invoke(import_command, [*map(str, arguments), "--home", str(home)])


def test_the_report_counts_by_agent_and_in_all(home: Path, source: TriggerfishFile) -> None:
    fill(source)

    result = run(home, source.path)

    assert result.exit_code == 0
    assert result.stdout.splitlines()[1:] == [
        "  cron:1: 1 memory, 1 event",
        "  main-session: 3 memories (1 soft-deleted), 1 event",
        "total 4 memories for 2 agents, 1 soft-deleted; 2 events",
    ]


def test_a_second_run_reports_nothing_new(home: Path, source: TriggerfishFile) -> None:
    fill(source)
    run(home, source.path)

    result = run(home, source.path)

    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "nothing new: 4 memories and 2 events were here already"


def test_what_came_since_is_told_apart_from_what_was_here(home: Path, source: TriggerfishFile) -> None:
    fill(source)
    run(home, source.path)
    source.memory(key="fresh")

    result = run(home, source.path)

    assert result.stdout.splitlines()[1:] == [
        "  cron:1: nothing new, 1 memory and 1 event were here already",
        "  main-session: 1 memory, 0 events; here already: 3 memories and 1 event",
        "total 1 memory for 1 agent, 0 soft-deleted; 0 events",
    ]


def test_standard_output_holds_data_and_standard_error_the_progress(home: Path, source: TriggerfishFile) -> None:
    fill(source)

    result = run(home, source.path)

    assert "6 of 6 rows" in result.stderr
    assert "rows" not in result.stdout


def test_a_skipped_record_is_named_on_standard_error_and_the_exit_code_says_so(
    home: Path, source: TriggerfishFile
) -> None:
    fill(source)
    source.raw("memory:main-session:PUBLIC:bro\x1bken", '{"agentId": "main-session"}')

    result = run(home, source.path)

    assert result.exit_code == 1
    assert "skipped memory:main-session:PUBLIC:bro␛ken: classification is missing" in result.stderr
    assert "total 4 memories" in result.stdout


def test_json_says_the_same_to_a_script(home: Path, source: TriggerfishFile) -> None:
    fill(source)
    source.raw("memory:x", "{")

    result = run(home, source.path, "--json")

    [answer] = json.loads(result.stdout)["files"]
    assert answer["total"] == {"memories": 4, "soft_deleted": 1, "unchanged": 0, "events": 2, "events_unchanged": 0}
    assert answer["agents"]["cron:1"]["memories"] == 1
    assert answer["skipped"] == [{"row": "memory:x", "reason": "the value is not JSON"}]
    assert answer["skipped_count"] == 1


def test_only_the_agent_asked_for_comes_in(home: Path, source: TriggerfishFile) -> None:
    fill(source)

    result = run(home, source.path, "--agent", "cron:1")

    assert result.exit_code == 0
    assert agents(home) == ["cron:1"]


def test_an_agent_that_the_file_does_not_hold_is_said_so(home: Path, source: TriggerfishFile) -> None:
    fill(source)

    result = run(home, source.path, "--agent", "nobody")

    assert result.exit_code == 1
    assert "holds nothing of agent nobody" in result.stderr
    assert agents(home) == []


@pytest.mark.parametrize("as_json", [False, True])
def test_a_file_that_is_no_triggerfish_database_ends_with_3_and_the_others_go_in(
    home: Path, source: TriggerfishFile, tmp_path: Path, as_json: bool
) -> None:
    fill(source)
    wrong = tmp_path / "notes.txt"
    wrong.write_text("no database " * 100)

    result = run(home, wrong, source.path, *(["--json"] if as_json else []))

    assert result.exit_code == 3
    assert "is no Triggerfish database" in result.stderr
    assert agents(home) == ["cron:1", "main-session"]
    if as_json:
        [failed, done] = json.loads(result.stdout)["files"]
        assert "no Triggerfish database" in failed["error"]["message"]
        assert done["total"]["memories"] == 4


def test_a_missing_file_ends_with_3_and_makes_nothing(home: Path, tmp_path: Path) -> None:
    result = run(home, tmp_path / "none.db")

    assert result.exit_code == 3
    assert "there is no file" in result.stderr
    assert result.stdout == ""
    assert not home.exists()


def test_a_store_that_cannot_be_opened_ends_with_3(home: Path, source: TriggerfishFile) -> None:
    fill(source)
    path = agent_path(home, "main-session")
    path.parent.mkdir(parents=True)
    path.write_text("something else " * 100)

    result = run(home, source.path)

    assert result.exit_code == 3
    assert path.read_text().startswith("something else")


def test_no_file_is_wrong_usage(home: Path) -> None:
    assert run(home).exit_code == 2


def test_no_stored_text_reaches_the_terminal(home: Path, source: TriggerfishFile) -> None:
    source.memory(content="the-hidden-word")
    source.raw("memory:main-session:PUBLIC:x", '{"content": "the-hidden-word", "agentId": 5}')

    result = run(home, source.path)

    assert result.exit_code == 1
    assert "the-hidden-word" not in result.output


def test_what_was_imported_can_be_read_at_each_level(home: Path, source: TriggerfishFile) -> None:
    fill(source)
    run(home, source.path)

    with Store.open(agent_path(home, "main-session"), create=False) as store:
        answers = [viewer_at(store, level).effective("colour") for level in (Level.PUBLIC, Level.INTERNAL)]

    assert [answer.content for answer in answers if answer] == ["teal", "dark teal"]


def test_the_help_teaches() -> None:
    result = CliRunner().invoke(import_command, ["--help"])

    assert result.exit_code == 0
    assert "Triggerfish may be running" in result.output
    assert "Exit codes" in result.output
