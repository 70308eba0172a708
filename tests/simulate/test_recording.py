"""What was recorded plays again and holds; on a store where something else happened, it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import fresh_store, session_at
from tfmem_tui.agent.tools import run_tool
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.simulate.recording import Recorder
from tfmem_tui.simulate.runner import Runner
from tfmem_tui.simulate.scenario import read_scenario, write_scenario

CALLS = [
    (Level.PUBLIC, "memory_save", {"key": "k", "content": "falcon", "level": "RESTRICTED"}),
    (Level.INTERNAL, "memory_save", {"key": "k", "content": "falcon two", "tags": ["t"]}),
    (Level.INTERNAL, "memory_get", {"key": "k"}),
    (Level.PUBLIC, "memory_get", {"key": "none"}),
    (Level.PUBLIC, "memory_search", {"query": "falcon"}),
    (Level.INTERNAL, "memory_list", {"tag": "t"}),
    (Level.PUBLIC, "memory_delete", {"key": "k"}),
    (Level.PUBLIC, "memory_delete", {"key": "k"}),
    (Level.PUBLIC, "memory_save", {"key": ""}),
]


def recorded() -> Recorder:
    store, recorder = fresh_store(), Recorder()
    sessions = {level: session_at(store, level) for level in (Level.PUBLIC, Level.INTERNAL)}
    for level, tool, arguments in CALLS:
        recorder.call(level, tool, arguments, run_tool(sessions[level], tool, arguments).payload)
    return recorder


def test_a_recording_is_a_scenario_that_holds_when_it_is_played(tmp_path: Path) -> None:
    scenario = recorded().scenario("recorded", "by hand")
    path = tmp_path / "recorded.yaml"
    path.write_text(write_scenario(scenario))
    assert read_scenario(path) == scenario
    with Store.in_memory() as store:
        played = list(Runner(read_scenario(path), store).play())
    assert [one.failures for one in played] == [()] * len(CALLS)


def test_a_recording_fails_where_the_gate_answers_otherwise() -> None:
    scenario = recorded().scenario("recorded")
    with Store.in_memory() as store:
        session_at(store, Level.PUBLIC).save("other", "falcon too")
        failed = [one.number for one in Runner(scenario, store).play() if not one.passed]
    assert failed == [5]


def test_nothing_recorded_is_no_scenario() -> None:
    with pytest.raises(ValueError, match="nothing"):
        Recorder().scenario("empty")
