"""``tfmem mcp``, ``spine`` and ``context``: what an agent's host runs or pastes."""

from __future__ import annotations

import click

from tfmem_tui.cli.common import (
    Place,
    acting_options,
    calling,
    find_session,
    looking,
    open_store,
    say,
    store_options,
)
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Viewer


@click.command()
@acting_options
@store_options
@click.pass_context
def mcp(context: click.Context, taint: Level | None, session_id: str | None, place: Place) -> None:
    """Offer the five tools over MCP, on standard input and output, until the client closes them.

    Every call acts as --session, or as one new session that starts at --taint (PUBLIC where neither is given). Its
    taint is read anew on each call; nothing that a client sends can name or move it.

    \b
      claude mcp add memory -- tfmem mcp --agent main --taint INTERNAL
    """
    try:
        from tfmem_tui.agent.mcp_server import serve
    except ImportError:
        say("the MCP server needs the extra: pip install 'tfmem-tui[mcp]'")
        context.exit(2)
    with open_store(place, create=True) as store:
        session = find_session(store, session_id) if session_id is not None else calling(store, taint, None)
        who = "a mere reader" if isinstance(session, Viewer) else f"session {session.id}"
        say(f"serving {place.agent} as {who} at {session.taint.name}")
        serve(store, session)


@click.command()
def spine() -> None:
    """Print the section for an agent's SPINE.md: what to save unasked, how, and that the level is automatic.

    \b
      tfmem spine >> SPINE.md
    """
    from tfmem_tui.agent.recall import spine_text

    click.echo(spine_text(), nl=False)


@click.command()
@click.option("--max-chars", type=click.IntRange(1), default=4_000, show_default=True, help="The budget.")
@acting_options
@store_options
def context(max_chars: int, taint: Level | None, session_id: str | None, place: Place) -> None:
    """Print the recall block for a system prompt: rules first, then preferences, persona and project.

    \b
      tfmem context --taint INTERNAL --max-chars 2000
    """
    from tfmem_tui.agent.recall import recall_block

    with open_store(place) as store:
        click.echo(recall_block(store.memories(looking(store, taint, session_id)), max_chars), nl=False)
