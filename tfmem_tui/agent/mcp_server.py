"""The five tools over MCP. The session is bound when the server starts; its taint is read anew on every call (G6).

No tool, argument or message of a client can name a session or a level. Standard output carries protocol only.
"""

from __future__ import annotations

import json
import logging
from typing import Any

import anyio
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from tfmem_tui import __version__
from tfmem_tui.agent.recall import spine_text
from tfmem_tui.agent.results import RESULTS
from tfmem_tui.agent.tools import TOOLS, description, run_tool, tool_schemas
from tfmem_tui.core.store import AgentSession, Store, Viewer

NAME = "tfmem"
PROMPT = "memory-instructions"
READS = ("memory_get", "memory_search", "memory_list")
TITLES = {
    "memory_save": "Save a memory",
    "memory_get": "Get a memory",
    "memory_search": "Search memories",
    "memory_list": "List memories",
    "memory_delete": "Delete a memory",
}
Context = ServerRequestContext[Any]


def _tool(schema: dict[str, Any]) -> types.Tool:
    name = schema["name"]
    return types.Tool(
        name=name,
        title=TITLES[name],
        description=description(TOOLS[name]),
        input_schema=schema["inputSchema"],
        output_schema=RESULTS[name].model_json_schema(),
        annotations=types.ToolAnnotations(
            title=TITLES[name],
            read_only_hint=name in READS,
            destructive_hint=name == "memory_delete",
            idempotent_hint=name in READS,
            open_world_hint=False,
        ),
    )


def make_server(store: Store, session: AgentSession | Viewer) -> Server[Any]:
    """An MCP server whose every call acts as ``session``, at the taint that the store has for it then."""

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(schema) for schema in tool_schemas()])

    async def call_tool(_: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        arguments = params.arguments if params.arguments is not None else {}
        answer = await anyio.to_thread.run_sync(run_tool, store.memories(session), params.name, arguments)
        content: list[types.ContentBlock] = [types.TextContent(text=json.dumps(answer.payload, ensure_ascii=False))]
        if answer.failed:  # no structured content: clients hold it against the schema of a success
            return types.CallToolResult(content=content, is_error=True)
        return types.CallToolResult(content=content, structured_content=answer.payload)

    async def list_prompts(_: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        prompt = types.Prompt(name=PROMPT, title="How to use memory", description="What to save, and how to find it")
        return types.ListPromptsResult(prompts=[prompt])

    async def get_prompt(_: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != PROMPT:
            raise ValueError(f"there is no such prompt; expected {PROMPT}")
        message = types.PromptMessage(role="user", content=types.TextContent(text=spine_text()))
        return types.GetPromptResult(messages=[message])

    return Server(
        NAME,
        version=__version__,
        title="tfmem: classified memory",
        instructions=spine_text(),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def serve(store: Store, session: AgentSession | Viewer) -> None:
    """Serves over standard input and output until the client closes them."""
    # The SDK's own log may quote a client's message, which may hold memory text: only its warnings' kind is kept.
    logging.getLogger("mcp").setLevel(logging.CRITICAL)

    async def run() -> None:
        server = make_server(store, session)
        async with stdio_server() as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())

    anyio.run(run)
