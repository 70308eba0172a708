"""The five tools: Triggerfish's shapes, clear errors for whatever is sent, one audit event a call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import CountingEntropy, HandClock, fresh_store, session_at
from tfmem_tui.agent.results import RESULTS
from tfmem_tui.agent.tools import LARGEST_ANSWER_BYTES, TOOLS, run_tool, tool_schemas
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

INVALID: list[tuple[str, Any]] = [
    ("memory_save", {"key": "k"}),
    ("memory_save", {"content": "x"}),
    ("memory_save", {"key": 7, "content": "x"}),
    ("memory_save", {"key": "", "content": "x"}),
    ("memory_save", {"key": "  ", "content": "x"}),
    ("memory_save", {"key": "k" * 257, "content": "x"}),
    ("memory_save", {"key": "k\n", "content": "x"}),
    ("memory_save", {"key": "k", "content": None}),
    ("memory_save", {"key": "k", "content": ["x"]}),
    ("memory_save", {"key": "k", "content": "\ud800"}),
    ("memory_save", {"key": "k", "content": "x\x00"}),
    ("memory_save", {"key": "k", "content": "x" * (1024 * 1024 + 1)}),
    ("memory_save", {"key": "k", "content": "x", "tags": "t"}),
    ("memory_save", {"key": "k", "content": "x", "tags": ["t"] * 33}),
    ("memory_save", {"key": "k", "content": "x", "tags": ["t" * 65]}),
    ("memory_save", {"key": "k", "content": "x", "tags": [1]}),
    ("memory_get", {}),
    ("memory_get", {"key": ["k"]}),
    ("memory_search", {}),
    ("memory_search", {"query": 3}),
    ("memory_search", {"query": "x", "max_results": 0}),
    ("memory_search", {"query": "x", "max_results": 101}),
    ("memory_search", {"query": "x", "max_results": 2.0}),
    ("memory_search", {"query": "x", "max_results": True}),
    ("memory_search", {"query": "x", "max_results": "3"}),
    ("memory_list", {"tag": 3}),
    ("memory_list", {"cursor": "not one"}),
    ("memory_delete", {"key": None}),
    ("memory_get", "not an object"),
    ("memory_get", ["k"]),
    ("memory_get", None),
    ("memory_forget", {"key": "k"}),
]


@pytest.mark.parametrize(("name", "arguments"), INVALID, ids=range(len(INVALID)))
def test_an_invalid_call_answers_a_validation_error_and_leaves_one_event(name: str, arguments: Any) -> None:
    store = fresh_store()
    memories = session_at(store, Level.INTERNAL)
    audit = store.audit(store.operator().viewer(Level.RESTRICTED))
    before = audit.count()
    payload = run_tool(memories, name, arguments).payload
    assert payload["error"]["code"] == "VALIDATION_ERROR"
    assert len(payload["error"]["message"]) < 200
    (event,) = audit.events(limit=audit.count() - before)
    assert (event.outcome, event.level) == ("invalid", Level.INTERNAL)
    assert memories.count() == 0


def test_results_have_the_shape_that_prompts_rely_on() -> None:
    memories = session_at(fresh_store(), Level.CONFIDENTIAL)
    save = run_tool(memories, "memory_save", {"key": "k", "content": "falcon", "tags": ["a", "b"]}).payload
    memory = {"key": "k", "content": "falcon", "classification": "CONFIDENTIAL", "tags": ["a", "b"]}
    dated = {**memory, "updated_at": "2026-03-02T09:00:00.000Z"}
    assert save == {"saved": True, "key": "k", "classification": "CONFIDENTIAL"}
    assert run_tool(memories, "memory_get", {"key": "k"}).payload == {"found": True, **dated}
    assert run_tool(memories, "memory_get", {"key": "z"}).payload == {"found": False, "key": "z"}
    assert run_tool(memories, "memory_search", {"query": "falcon"}).payload == {"results": [memory], "query": "falcon"}
    assert run_tool(memories, "memory_list", {}).payload == {"memories": [dated]}
    assert run_tool(memories, "memory_list", {"tag": "b"}).payload == {"memories": [dated]}
    assert run_tool(memories, "memory_delete", {"key": "k"}).payload == {"deleted": True, "key": "k"}
    assert run_tool(memories, "memory_delete", {"key": "k"}).payload["error"]["code"] == "NOT_FOUND"


def test_every_answer_fits_the_schema_that_is_published_for_it() -> None:
    memories = session_at(fresh_store(), Level.PUBLIC)
    calls = [
        ("memory_save", {"key": "k", "content": "falcon", "level": "x"}),
        ("memory_get", {"key": "k"}),
        ("memory_get", {"key": "z"}),
        ("memory_search", {"query": "falcon"}),
        ("memory_list", {}),
        ("memory_delete", {"key": "k"}),
    ]
    for name, arguments in calls:
        RESULTS[name].model_validate(run_tool(memories, name, arguments).payload, strict=True)


def test_an_optional_argument_that_is_null_counts_as_absent() -> None:
    memories = session_at(fresh_store(), Level.PUBLIC)
    assert run_tool(memories, "memory_save", {"key": "k", "content": "x", "tags": None}).payload["saved"]
    assert len(run_tool(memories, "memory_list", {"tag": None, "cursor": None}).payload["memories"]) == 1
    assert run_tool(memories, "memory_search", {"query": "x", "max_results": None}).payload["results"]


def test_a_list_answer_stops_at_256_kib_and_goes_on_at_its_cursor() -> None:
    memories = session_at(fresh_store(), Level.PUBLIC)
    for number in range(10):
        run_tool(memories, "memory_save", {"key": f"k{number}", "content": "é" * 40_000})
    seen: list[str] = []
    arguments: dict[str, Any] = {}
    while True:
        payload = run_tool(memories, "memory_list", arguments).payload
        assert len(json.dumps(payload, ensure_ascii=False).encode()) <= LARGEST_ANSWER_BYTES
        seen += [row["key"] for row in payload["memories"]]
        if "next_cursor" not in payload:
            break
        arguments = {"cursor": payload["next_cursor"]}
    assert seen == [f"k{number}" for number in range(10)]


def test_one_item_always_comes_however_large_and_a_cut_search_says_so() -> None:
    memories = session_at(fresh_store(), Level.PUBLIC)
    for key in ("a", "b"):
        run_tool(memories, "memory_save", {"key": key, "content": "falcon " + "x" * 300_000})
    found = run_tool(memories, "memory_search", {"query": "falcon"}).payload
    assert len(found["results"]) == 1
    assert found["truncated"] is True
    first = run_tool(memories, "memory_list", {}).payload
    second = run_tool(memories, "memory_list", {"cursor": first["next_cursor"]}).payload
    assert [row["key"] for row in first["memories"] + second["memories"]] == ["a", "b"]


def test_on_a_read_only_store_tools_read_unaudited_and_refuse_to_write(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path, clock=HandClock(), entropy=CountingEntropy()) as store:
        session = store.operator().start(Level.PUBLIC)
        store.memories(session).save("k", "falcon")
    with Store.open(path, read_only=True) as store:
        memories = store.memories(session)
        got = run_tool(memories, "memory_get", {"key": "k"}).payload
        assert (got["content"], got["audited"]) == ("falcon", False)
        for name, arguments in (("memory_save", {"key": "k", "content": "x"}), ("memory_delete", {"key": "k"})):
            assert run_tool(memories, name, arguments).payload["error"]["code"] == "STORAGE_ERROR"
        assert run_tool(memories, "memory_get", {}).payload["error"]["code"] == "VALIDATION_ERROR"


def test_a_call_of_an_ended_session_says_so() -> None:
    store = fresh_store()
    session = store.operator().start(Level.PUBLIC)
    store.operator().reset(session.id)
    for name, arguments in (("memory_save", {"key": "k", "content": "x"}), ("memory_get", {"key": "k"}), ("nope", {})):
        assert run_tool(store.memories(session), name, arguments).payload["error"]["code"] == "SESSION_ENDED"


def test_hundreds_of_stripped_arguments_are_named_in_short() -> None:
    memories = session_at(fresh_store(), Level.PUBLIC)
    arguments = {"key": "k", "content": "x"} | {f"level{n}" + "x" * 500: n for n in range(300)}
    answer = run_tool(memories, "memory_save", arguments)
    assert len(answer.payload["ignored"]) == 16
    assert len(json.dumps(answer.payload)) < 2_000


def test_schemas_name_every_argument_with_its_limits_and_a_description() -> None:
    for schema in tool_schemas():
        assert schema["name"] in TOOLS
        assert schema["description"]
        assert schema["inputSchema"]["type"] == "object"
    by_name = {schema["name"]: schema["inputSchema"]["properties"] for schema in tool_schemas()}
    assert by_name["memory_save"]["key"]["maxLength"] == 256
    assert by_name["memory_save"]["tags"]["maxItems"] == 32
    assert by_name["memory_search"]["max_results"] | {"description": ""} == {
        "default": 10,
        "description": "",
        "maximum": 100,
        "minimum": 1,
        "title": "Max Results",
        "type": "integer",
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
ARGUMENTS = st.dictionaries(
    st.sampled_from(["key", "content", "tags", "query", "max_results", "tag", "cursor", "level"]) | st.text(max_size=8),
    JSON,
    max_size=6,
)


@given(st.sampled_from([*TOOLS, "memory_x"]), ARGUMENTS | JSON)
@settings(max_examples=300)
def test_no_arguments_whatever_raise_or_change_a_level(name: str, arguments: Any) -> None:
    store = fresh_store()
    memories = session_at(store, Level.INTERNAL)
    answer = run_tool(memories, name, arguments)
    assert memories.taint() is Level.INTERNAL
    if not answer.failed:
        assert answer.payload.get("classification", "INTERNAL") == "INTERNAL"
    assert store.audit(store.operator().viewer(Level.RESTRICTED)).count() == 2  # the session's start, and this call
