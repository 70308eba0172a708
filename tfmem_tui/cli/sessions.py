"""``tfmem sessions``: the operator's acts on sessions (G10)."""

from __future__ import annotations

from typing import Any

import click

from tfmem_tui.agent.tools import iso
from tfmem_tui.cli.common import (
    LEVEL,
    TEXT,
    Place,
    confirmed,
    emit,
    find_session,
    json_option,
    level_word,
    moment_word,
    open_store,
    say,
    store_options,
    table,
)
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import AgentSession


def session_data(session: AgentSession) -> dict[str, Any]:
    """A session as JSON has it."""
    data = {
        "id": session.id,
        "label": session.label,
        "kind": session.kind,
        "taint": session.taint.name,
        "started_at": iso(session.started_at),
    }
    return data if session.ended_at is None else data | {"ended_at": iso(session.ended_at)}


@click.group()
def sessions() -> None:
    """List, start, escalate and reset sessions: the operator's acts, each one recorded.

    \b
      tfmem sessions start --taint INTERNAL --label chat
      tfmem sessions escalate chat CONFIDENTIAL
      tfmem sessions reset chat
    """


@sessions.command("list")
@click.option("--ended", is_flag=True, help="Ended sessions too.")
@json_option
@store_options
def list_command(ended: bool, as_json: bool, place: Place) -> None:
    """List sessions, newest first.

    \b
      tfmem sessions list --ended
    """
    with open_store(place) as store:
        found = store.operator().sessions(include_ended=ended)
    if as_json:
        emit([session_data(one) for one in found])
    elif found:
        rows = (
            (one.id, one.label or "", one.kind, level_word(one.taint), moment_word(one.started_at), _end(one))
            for one in found
        )
        table(("ID", "LABEL", "KIND", "TAINT", "STARTED", "ENDED"), rows, widest={1: 32})
    else:
        say("no sessions")


def _end(session: AgentSession) -> str:
    return moment_word(session.ended_at) if session.ended_at else ""


@sessions.command()
@click.option("--taint", type=LEVEL, default="PUBLIC", show_default=True, help="The level it starts at.")
@click.option("--label", type=TEXT, metavar="TEXT", help="A name for it; one in use moves here.")
@json_option
@store_options
def start(taint: Level, label: str | None, as_json: bool, place: Place) -> None:
    """Start a session for an agent and print its id, which is all that the agent is to hold.

    \b
      tfmem sessions start --taint INTERNAL --label chat --json
    """
    with open_store(place, create=True) as store:
        session = store.operator().start(taint, label=label)
    _print(session, as_json)


@sessions.command()
@click.argument("session_id", type=TEXT, metavar="ID")
@click.argument("level", type=LEVEL)
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@store_options
@click.pass_context
def escalate(context: click.Context, session_id: str, level: Level, yes: bool, as_json: bool, place: Place) -> None:
    """Raise the taint of session ID (or its label) to LEVEL. It holds from the very next call on and for good.

    \b
      tfmem sessions escalate chat CONFIDENTIAL
    """
    with open_store(place) as store:
        session = find_session(store, session_id)
        if level <= session.taint:
            say(f"the session is at {session.taint.name} already; a taint only rises")
            _print(session, as_json)
            return
        question = f"Raise {session.label or session.id} from {session.taint.name} to {level.name}, for good?"
        if not confirmed(question, yes):
            context.exit(1)
        _print(store.operator().escalate(session.id, level), as_json)


@sessions.command()
@click.argument("session_id", type=TEXT, metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
@store_options
@click.pass_context
def reset(context: click.Context, session_id: str, yes: bool, as_json: bool, place: Place) -> None:
    """End session ID (or its label) and begin a fresh one at PUBLIC, under the same label; prints the new one.

    \b
      tfmem sessions reset chat
    """
    with open_store(place) as store:
        session = find_session(store, session_id)
        question = f"End {session.label or session.id} ({session.taint.name}) and begin afresh at PUBLIC?"
        if not confirmed(question, yes):
            context.exit(1)
        _print(store.operator().reset(session.id), as_json)


def _print(session: AgentSession, as_json: bool) -> None:
    if as_json:
        emit(session_data(session))
    else:
        table(
            ("ID", "LABEL", "KIND", "TAINT"),
            [(session.id, session.label or "", session.kind, level_word(session.taint))],
        )
