"""Scenarios: every shipped one holds and is red when its rule is broken; files are refused by line and column."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from tests.support import session_at, viewer_at
from tfmem_tui.cli.main import tfmem
from tfmem_tui.cli.simulate import shipped_scenarios
from tfmem_tui.core.home import agent_path
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.simulate.runner import Played, Runner, ScenarioClock
from tfmem_tui.simulate.scenario import BadScenario, Scenario, json_schema, read_scenario, write_scenario

SHIPPED = shipped_scenarios()


def play(scenario: Scenario) -> list[Played]:
    clock = ScenarioClock()
    with Store.in_memory(clock=clock) as store:
        return list(Runner(scenario, store, clock).play())


def run(*arguments: str) -> Result:
    return CliRunner().invoke(tfmem, ["simulate", *arguments])


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_there_is_a_scenario_for_each_rule_and_for_the_example() -> None:
    assert [path.name[:2] for path in SHIPPED] == ["g1", "g2", "g3", "g4", "g5", "g6", "us"]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_scenario_holds(path: Path) -> None:
    assert [one.failures for one in play(read_scenario(path)) if not one.passed] == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_scenario_that_was_written_reads_back_as_the_same(path: Path, tmp_path: Path) -> None:
    scenario = read_scenario(path)
    assert read_scenario(written(tmp_path / "copy.yaml", write_scenario(scenario))) == scenario


BASE = "name: x\nsessions: {a: PUBLIC}\nsteps:\n"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("name: x\nsessions: {a: SECRET}\nsteps: []\n", 2, 12),
        (BASE + "  - call: memory_nope\n    as: a\n", 4, 5),
        (BASE + "  - call: memory_get\n    as: a\n    argz: {}\n", 6, 5),
        (BASE + "  - call: memory_get\n", 4, 5),
        (BASE + "  - call: memory_get\n    as: a\n    reset: a\n", 4, 5),
        (BASE + "  - escalate: a\n", 4, 5),
        (BASE + "  - call: memory_get\n    as: nobody\n", 1, 1),
        (BASE + "  - wait: -1\n", 4, 5),
        ("name: [\n", 2, 1),
        ("- a\n", 1, 1),
        ("", 1, 1),
    ],
)
def test_a_wrong_file_is_refused_with_line_and_column(tmp_path: Path, text: str, line: int, column: int) -> None:
    path = written(tmp_path / "x.yaml", text)
    with pytest.raises(BadScenario) as caught:
        read_scenario(path)
    assert (caught.value.line, caught.value.column) == (line, column)
    result = run(str(path))
    assert result.exit_code == 2
    assert f"x.yaml:{line}:{column}:" in result.stderr


FAILING = BASE + (
    "  - call: memory_save\n    as: a\n    args: {key: k, content: falcon}\n"
    "    expect: {answer: {classification: RESTRICTED}}\n"
    "  - call: memory_list\n    as: a\n    expect: {keys: [other]}\n"
    "  - call: memory_get\n    as: a\n    args: {key: k}\n    expect: {found: false, error: NOT_FOUND}\n"
)


def test_a_failed_expectation_says_expected_and_got_and_exits_1(tmp_path: Path) -> None:
    result = run(str(written(tmp_path / "x.yaml", FAILING)))
    assert result.exit_code == 1
    assert "expected classification: 'RESTRICTED', got 'PUBLIC'" in result.stdout
    assert "expected keys ['other'], got ['k']" in result.stdout
    assert "expected error NOT_FOUND, got no error" in result.stdout


def test_the_outcome_is_json_for_machines_and_junit_for_ci(tmp_path: Path) -> None:
    junit = tmp_path / "out.xml"
    result = run(str(written(tmp_path / "x.yaml", FAILING)), "--json", "--junit", str(junit))
    (outcome,) = json.loads(result.stdout)
    assert [step["failures"] == [] for step in outcome["steps"]] == [False, False, False]
    suite = ET.parse(junit).getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("3", "3")


def test_on_a_copy_the_real_store_is_never_changed(tmp_path: Path) -> None:
    path = agent_path(tmp_path, "main")
    with Store.open(path) as store:
        session_at(store, Level.PUBLIC).save("k", "falcon")
    before = path.read_bytes()
    scenario = BASE + "  - call: memory_delete\n    as: a\n    args: {key: k}\n    expect: {answer: {deleted: true}}\n"
    result = run(str(written(tmp_path / "x.yaml", scenario)), "--on-copy", "--home", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert path.read_bytes() == before
    with Store.open(path) as store:
        assert viewer_at(store, Level.PUBLIC).count() == 1


def test_the_schema_for_editors_names_every_key_of_a_step() -> None:
    step = json_schema()["$defs"]["Step"]["properties"]
    acts = {"call", "args", "escalate", "to", "reset", "restore", "purge", "wait", "expect", "as", "note"}
    assert set(step) == acts
