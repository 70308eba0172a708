"""The 4 x 4 matrix of writer and reader levels, through all five tools, and the rules that tools can show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import fresh_store, session_at
from tfmem_tui.agent.tools import TOOLS, run_tool, tool_schemas
from tfmem_tui.core.audit import EventFilters
from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.core.records import Outcome
from tfmem_tui.core.store import Store

ROOT = Path(__file__).parents[2]
PAIRS = [(writer, reader) for writer in ALL_LEVELS for reader in ALL_LEVELS]
LEVEL_NAMES = [
    "classification",
    "level",
    "Level",
    "LEVEL",
    "taint",
    "clearance",
    "classification_level",
    "sensitivity",
    "ｌｅｖｅｌ",
    "clаssification",  # with a Cyrillic a
    "level\u200b",
    "agentId",
    "session",
    "__proto__",
    "level\x1b[31m",
]


@pytest.mark.parametrize(("writer", "reader"), PAIRS)
def test_g2_what_a_writer_saved_reaches_exactly_the_readers_at_or_above(writer: Level, reader: Level) -> None:
    store = fresh_store()
    run_tool(session_at(store, writer), "memory_save", {"key": "k", "content": "falcon", "tags": ["t"]})
    memories = session_at(store, reader)
    visible = reader >= writer
    assert run_tool(memories, "memory_get", {"key": "k"}).payload["found"] is visible
    assert len(run_tool(memories, "memory_search", {"query": "falcon"}).payload["results"]) == visible
    assert len(run_tool(memories, "memory_list", {}).payload["memories"]) == visible
    assert len(run_tool(memories, "memory_list", {"tag": "t"}).payload["memories"]) == visible


@pytest.mark.parametrize(("writer", "deleter"), PAIRS)
def test_g4_a_delete_ends_a_memory_only_from_its_own_level(writer: Level, deleter: Level) -> None:
    store = fresh_store()
    owner = session_at(store, writer)
    run_tool(owner, "memory_save", {"key": "k", "content": "falcon"})
    answer = run_tool(session_at(store, deleter), "memory_delete", {"key": "k"}).payload
    if writer is deleter:
        assert answer == {"deleted": True, "key": "k"}
    else:
        assert answer["error"]["code"] == "NOT_FOUND"
    assert run_tool(owner, "memory_get", {"key": "k"}).payload["found"] is (writer is not deleter)


@pytest.mark.parametrize(("lower", "upper"), [(a, b) for a, b in PAIRS if a < b])
def test_g3_each_session_gets_the_highest_version_it_may_see(lower: Level, upper: Level) -> None:
    store = fresh_store()
    for level in (lower, upper):
        run_tool(session_at(store, level), "memory_save", {"key": "k", "content": f"falcon at {level.name}"})
    for reader in ALL_LEVELS:
        expected = upper if reader >= upper else lower if reader >= lower else None
        memories = session_at(store, reader)
        listed = run_tool(memories, "memory_list", {}).payload["memories"]
        found = run_tool(memories, "memory_search", {"query": "falcon"}).payload["results"]
        assert [row["classification"] for row in listed] == ([expected.name] if expected else [])
        assert [row["content"] for row in found] == ([f"falcon at {expected.name}"] if expected else [])


@pytest.mark.parametrize("level", ALL_LEVELS)
@pytest.mark.parametrize("name", LEVEL_NAMES)
def test_g1_a_level_argument_is_stripped_and_recorded_as_forced(level: Level, name: str) -> None:
    store = fresh_store()
    arguments = {"key": "k", "content": "text", name: {"value": "PUBLIC-or-worse"}}
    answer = run_tool(session_at(store, level), "memory_save", arguments)
    assert answer.payload["classification"] == level.name
    assert len(answer.payload["ignored"]) == 1
    assert all(text.isprintable() for text in answer.payload["ignored"])
    (event,) = store.audit(store.operator().viewer(level)).events(EventFilters(outcome=Outcome.FORCED))
    assert event.detail == {"forced": answer.payload["ignored"]}
    assert "PUBLIC-or-worse" not in repr(event)


def test_g1_no_tool_declares_anything_like_a_level() -> None:
    declared = {name for schema in tool_schemas() for name in schema["inputSchema"]["properties"]}
    assert declared == {"key", "content", "tags", "query", "max_results", "tag", "cursor"}


RAISE = """
import sys
from pathlib import Path
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

Store.open(Path(sys.argv[1])).operator().escalate(sys.argv[2], Level.RESTRICTED)
"""


def test_g6_the_next_save_after_a_raise_in_another_process_answers_the_new_level(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        session = store.operator().start(Level.PUBLIC)
        memories = store.memories(session)
        first = run_tool(memories, "memory_save", {"key": "a", "content": "x"}).payload
        subprocess.run([sys.executable, "-c", RAISE, str(path), session.id], cwd=ROOT, check=True)
        second = run_tool(memories, "memory_save", {"key": "b", "content": "x"}).payload
    assert (first["classification"], second["classification"]) == ("PUBLIC", "RESTRICTED")


def test_g8_no_tool_can_name_an_agent_or_a_session() -> None:
    for model in TOOLS.values():
        assert not {"agent", "agentId", "agent_id", "session", "sessionId", "session_id"} & set(model.model_fields)
