"""The MCP server: in memory and over a real stdio process, with the SDK's own client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.support import fresh_store, viewer_at
from tfmem_tui import __version__
from tfmem_tui.agent.mcp_server import make_server
from tfmem_tui.agent.recall import spine_text
from tfmem_tui.core.audit import EventFilters
from tfmem_tui.core.home import agent_path
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import Outcome
from tfmem_tui.core.store import Store

ROOT = Path(__file__).parents[2]


async def test_the_tools_are_offered_with_schemas_and_honest_annotations() -> None:
    store = fresh_store()
    async with Client(make_server(store, store.operator().start(Level.PUBLIC))) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"memory_save", "memory_get", "memory_search", "memory_list", "memory_delete"}
    for name, tool in tools.items():
        assert tool.description
        assert tool.output_schema is not None
        hints = tool.annotations
        assert hints is not None
        assert hints.read_only_hint is (name in ("memory_get", "memory_search", "memory_list"))
        assert hints.destructive_hint is (name == "memory_delete")
        assert hints.open_world_hint is False
        assert not {"level", "classification", "taint", "session"} & set(tool.input_schema["properties"])


async def test_each_tool_and_each_error_reaches_the_client_structured() -> None:
    store = fresh_store()
    async with Client(make_server(store, store.operator().start(Level.INTERNAL))) as client:
        calls: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
            (
                "memory_save",
                {"key": "k", "content": "falcon", "level": "PUBLIC"},
                {"saved": True, "key": "k", "classification": "INTERNAL", "ignored": ["level"]},
            ),
            ("memory_get", {"key": "z"}, {"found": False, "key": "z"}),
            ("memory_delete", {"key": "k"}, {"deleted": True, "key": "k"}),
        ]
        for name, arguments, expected in calls:
            result = await client.call_tool(name, arguments)
            assert result.structured_content == expected
            assert json.loads(result.content[0].text) == expected
            assert not result.is_error
        for name, arguments, code in (
            ("memory_get", {}, "VALIDATION_ERROR"),
            ("memory_delete", {"key": "k"}, "NOT_FOUND"),
            ("memory_forget", {}, "VALIDATION_ERROR"),
        ):
            result = await client.call_tool(name, arguments)
            assert result.is_error
            error = json.loads(result.content[0].text)["error"]
            assert error["code"] == code
            assert error["message"]
            assert result.structured_content is None  # clients hold it against the schema of a success
    forced = store.audit(store.operator().viewer(Level.INTERNAL)).events(EventFilters(outcome=Outcome.FORCED))
    assert [event.detail for event in forced] == [{"forced": ["level"]}]


async def test_the_server_says_who_it_is_and_how_to_use_memory() -> None:
    store = fresh_store()
    async with Client(make_server(store, store.operator().start(Level.PUBLIC))) as client:
        assert client.server_info.name == "tfmem"
        assert client.server_info.version == __version__
        assert client.instructions == spine_text()
        (prompt,) = (await client.list_prompts()).prompts
        message = (await client.get_prompt(prompt.name)).messages[0]
    assert message.content.text == spine_text()


async def test_a_session_that_the_operator_raises_changes_the_very_next_call() -> None:
    store = fresh_store()
    session = store.operator().start(Level.INTERNAL)
    async with Client(make_server(store, session)) as client:
        await client.call_tool("memory_save", {"key": "a", "content": "x"})
        store.operator().escalate(session.id, Level.CONFIDENTIAL)
        after = await client.call_tool("memory_save", {"key": "b", "content": "x"})
        assert after.structured_content["classification"] == "CONFIDENTIAL"
        store.operator().reset(session.id)
        ended = await client.call_tool("memory_get", {"key": "a"})
        assert ended.is_error
        assert json.loads(ended.content[0].text)["error"]["code"] == "SESSION_ENDED"
    assert viewer_at(store, Level.PUBLIC).count() == 0


def parameters(home: Path, *options: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "tfmem_tui", "mcp", "--home", str(home), *options],
        cwd=ROOT,
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
    )


ESCALATE = ["sessions", "escalate", "chat", "CONFIDENTIAL", "--yes"]


async def test_over_stdio_a_raise_by_a_second_process_counts_from_the_next_call_on(tmp_path: Path) -> None:
    with Store.open(agent_path(tmp_path, "main")) as store:
        store.operator().start(Level.INTERNAL, label="chat")
    async with Client(stdio_client(parameters(tmp_path, "--session", "chat"))) as client:
        first = await client.call_tool("memory_save", {"key": "a", "content": "x"})
        subprocess.run([sys.executable, "-m", "tfmem_tui", *ESCALATE, "--home", str(tmp_path)], cwd=ROOT, check=True)
        second = await client.call_tool("memory_save", {"key": "b", "content": "x"})
    levels = [result.structured_content["classification"] for result in (first, second)]
    assert levels == ["INTERNAL", "CONFIDENTIAL"]
    with Store.open(agent_path(tmp_path, "main")) as store:
        assert viewer_at(store, Level.PUBLIC).count() == 0
        assert viewer_at(store, Level.CONFIDENTIAL).count() == 2


def test_no_line_however_malformed_ends_the_server_or_reaches_standard_output_unasked(tmp_path: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    save = {"name": "memory_save", "arguments": {"key": "k", "content": "canary-text"}}
    lines = [
        json.dumps(hello).encode(),
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b"not json, with a canary-text in it",
        b"\xff\xfe\x00",
        b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "\\ud800"}}',
        b"[" * 50_000,
        json.dumps({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": 7}}).encode(),
        b'{"jsonrpc": "2.0", "id": 9, "method": "x", "params": {"a": "' + b"y" * 5_000_000 + b'"}}',
        json.dumps({"jsonrpc": "2.0", "id": 10, "method": "tools/call", "params": save}).encode(),
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "tfmem_tui", "mcp", "--home", str(tmp_path)],
        cwd=ROOT,
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"\n".join(lines) + b"\n")
        process.stdin.flush()
        answers = []
        while not answers or answers[-1].get("id") != 10:
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        rest, said = process.stdout.read(), process.stderr.read()
    assert answers[-1]["result"]["structuredContent"]["saved"] is True
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert rest == b""
    assert b"canary-text" not in said
