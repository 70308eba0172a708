"""No argument of any kind changes a level, gets what lies above, ends a call without an answer, or goes unaudited."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from mcp import Client

from tests.agent.hostile import CORPUS, SECRET, TOO_DEEP
from tests.support import fresh_store, session_at
from tfmem_tui.agent.mcp_server import make_server
from tfmem_tui.agent.tools import run_tool
from tfmem_tui.cli.call import answer
from tfmem_tui.core.acting import AgentSession
from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.core.records import Outcome
from tfmem_tui.core.store import Store

TAKES = {"key", "content", "tags", "query", "max_results", "tag", "cursor"}


def above(store: Store) -> list[str]:
    """All that stands above INTERNAL."""
    memories = store.memories(store.operator().viewer(Level.RESTRICTED))
    return sorted(repr(one) for one in memories.everything(history=True) if one.level > Level.INTERNAL)


def counts(store: Store) -> dict[Level, int]:
    heads = store.audit(store.operator().viewer(Level.RESTRICTED)).heads()
    return {head.level: head.seq for head in heads}


@contextmanager
def guarded() -> Iterator[tuple[Store, AgentSession]]:
    """A store with secrets above an INTERNAL session; afterwards all of them are there, and the session is INTERNAL."""
    store = fresh_store()
    for level in (Level.CONFIDENTIAL, Level.RESTRICTED):
        memories = session_at(store, level)
        for key in ("k", "K", f"{SECRET}-key", "other"):
            memories.save(key, f"{SECRET} at {level.name}", ["secret", SECRET])
    session = store.operator().start(Level.INTERNAL)
    store.memories(session).save("k", "ours")
    before = above(store)
    yield store, session
    assert above(store) == before
    assert store.session(session.id).taint is Level.INTERNAL
    assert all(one.ok for one in store.audit(store.operator().viewer(Level.RESTRICTED)).verify())
    assert store.operator().examine() == []


def check(store: Store, before: dict[Level, int], name: str, arguments: Any, payload: dict[str, Any]) -> None:
    """One event at the session's level and none elsewhere; nothing in the answer that lies above."""
    after = counts(store)
    assert {level: after[level] - before[level] for level in ALL_LEVELS} == {
        level: int(level is Level.INTERNAL) for level in ALL_LEVELS
    }
    (event,) = store.audit(store.operator().viewer(Level.INTERNAL)).events(limit=1)
    said = json.dumps({name: value for name, value in payload.items() if name not in ("query", "ignored")})
    assert f"{SECRET} at" not in said
    assert payload.get("classification", "INTERNAL") == "INTERNAL"
    if isinstance(arguments, dict) and set(arguments) - TAKES and "error" not in payload:
        assert payload["ignored"]
        assert event.outcome in (Outcome.FORCED, Outcome.MISSED)
        assert event.detail["forced"] == payload["ignored"]
    if "error" in payload:
        assert payload["error"]["code"] in ("VALIDATION_ERROR", "NOT_FOUND")
        assert event.outcome is not Outcome.ALLOWED


def test_the_corpus_is_a_corpus() -> None:
    assert len(CORPUS) >= 150


def test_no_hostile_call_of_a_tool_gets_past_the_gate() -> None:
    with guarded() as (store, session):
        memories = store.memories(session)
        for name, arguments in [*CORPUS, *TOO_DEEP]:
            before = counts(store)
            check(store, before, name, arguments, run_tool(memories, name, arguments).payload)


def as_json(arguments: Any) -> str | None:
    """The arguments as JSON text, or ``None`` where strict JSON cannot hold them."""
    try:
        text = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
    except (ValueError, RecursionError):
        return None
    return text


def test_no_hostile_line_of_a_batch_gets_past_the_gate() -> None:
    with guarded() as (store, session):
        played = 0
        for name, arguments in CORPUS:
            text = as_json(arguments)
            if text is None or not name:
                continue
            played += 1
            line = f'{{"tool": {json.dumps(name)}, "args": {text}, "session": "{session.id}"}}'
            before = counts(store)
            check(store, before, name, arguments, answer(store, line.encode()))
        assert played >= 150


@pytest.mark.parametrize(
    "line",
    [
        '{"tool": "memory_get", "args": {"key": "k"}, "session": "SESSION", "taint": "RESTRICTED"}',
        '{"tool": "memory_get", "args": {"key": "k"}, "session": "SESSION", "level": 4}',
        '{"tool": "memory_get", "op": "escalate", "session": "SESSION", "taint": "RESTRICTED"}',
        '{"tool": "memory_get", "args": {"key": "k"}, "session": ["SESSION"]}',
        '{"tool": "memory_get", "args": {"key": "k"}, "session": "SESSION\\u0000"}',
        '{"tool": "memory_get", "args": {"key": "k"}, "session": "SESSION\' OR 1=1 --"}',
        '{"op": "escalate", "session": "SESSION", "taint": "PUBLIC"}',
        '{"op": "escalate", "session": "SESSION", "taint": 4}',
        '{"op": "sudo", "session": "SESSION"}',
        "[" * 100_000,
        '{"tool": ' * 5_000,
        "\x00",
        "\ufeff{}",
        "null",
        "NaN",
    ],
)
def test_no_line_that_is_no_call_changes_anything(line: str) -> None:
    with guarded() as (store, session):
        given = answer(store, line.replace("SESSION", session.id).encode())
        assert set(given) == {"error"} or given["unchanged"]
        assert SECRET not in json.dumps(given)


async def test_no_hostile_call_over_mcp_gets_past_the_gate() -> None:
    with guarded() as (store, session):
        played = 0
        async with Client(make_server(store, session)) as client:
            for name, arguments in CORPUS:
                if not isinstance(arguments, dict) or as_json(arguments) is None:
                    continue
                played += 1
                before = counts(store)
                result = await client.call_tool(name, arguments)
                payload = json.loads(result.content[0].text)  # type: ignore[union-attr]
                check(store, before, name, arguments, payload)
        assert played >= 150
