"""``tfmem call``: the agent's five tools from a shell, one call or many as a co-process."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import click

from tfmem_tui.agent.tools import run_tool
from tfmem_tui.cli.common import acting_options, calling, find_session, open_store, store_options, to_json
from tfmem_tui.cli.main import REFUSED, UNAVAILABLE
from tfmem_tui.core.errors import InvalidInput, SessionEnded, TfmemError
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import AgentSession, Store, Viewer

LONGEST_LINE = 16 * 1024 * 1024  # bytes; content of 1 MiB takes at most 6 MiB as JSON
OPERATIONS = ("start", "escalate", "reset")
CALL, ACT = {"tool", "args", "session"}, {"op", "session", "taint"}  # what a line of a batch may hold
Acts = AgentSession | Viewer


@click.command()
@click.argument("tool", required=False)
@click.argument("arguments", metavar="[JSON]", required=False)
@click.option("--batch", is_flag=True, help="Read JSON Lines from standard input, answer each with one line.")
@acting_options
@store_options
@click.pass_context
def call(
    context: click.Context,
    tool: str | None,
    arguments: str | None,
    batch: bool,
    taint: Level | None,
    session_id: str | None,
    place: Any,
) -> None:
    """Call one agent tool and print its answer as one JSON object.

    The call acts as --session, or as a new session that starts at --taint (PUBLIC where neither is given). JSON may
    be - for standard input. The exit code is 1 where the answer is an error, 3 where the store is the cause.

    \b
      tfmem call memory_save '{"key": "user-name", "content": "Sam"}' --taint INTERNAL
      tfmem call memory_get '{"key": "user-name"}' --taint INTERNAL

    With --batch each line of standard input is a call or an operator's act on a session, and each gets one line:

    \b
      {"session": "chat", "op": "start", "taint": "PUBLIC"}
      {"tool": "memory_save", "args": {"key": "a", "content": "b"}, "session": "chat"}
      {"session": "chat", "op": "escalate", "taint": "INTERNAL"}
      {"session": "chat", "op": "reset"}
    """
    if batch == (tool is not None):
        raise click.UsageError("name a tool, or give --batch")
    given = None if batch else _given(arguments)  # before a store is made for a call that cannot be
    with open_store(place, create=True) as store:
        if batch:
            default = calling(store, taint, session_id) if session_id or taint else None
            for line in lines(sys.stdin.buffer):
                click.echo(to_json(answer(store, line, default)))
                sys.stdout.flush()
            return
        try:
            payload = run_tool(store.memories(calling(store, taint, session_id)), tool or "", given).payload
        except SessionEnded as error:
            payload = _error(error)
    click.echo(to_json(payload))
    if "error" not in payload:
        context.exit(0)
    context.exit(UNAVAILABLE if payload["error"]["code"] == "STORAGE_ERROR" and not store.read_only else REFUSED)


def _given(arguments: str | None) -> Any:
    try:
        return _parsed(sys.stdin.read() if arguments == "-" else arguments or "{}")
    except ValueError:
        raise click.UsageError("the arguments are not JSON") from None


def _error(error: TfmemError) -> dict[str, Any]:
    return {"error": {"code": error.code, "message": error.message}}


def lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream as they come; ``None`` for one that is longer than any call can be."""
    while line := stream.readline(LONGEST_LINE):
        if line.endswith(b"\n") or len(line) < LONGEST_LINE:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE)
        yield None


def answer(store: Store, line: bytes | None, default: Acts | None = None) -> dict[str, Any]:
    """The one answer to one line of a batch; whatever is wrong with the line is an answer too."""
    try:
        if line is None:
            raise InvalidInput(f"the line is longer than {LONGEST_LINE} bytes")
        request = _request(line)
        if "op" in request:
            return _operate(store, request)
        session = _named(store, request, default)
        return run_tool(store.memories(session), _word(request, "tool"), request.get("args", {})).payload
    except TfmemError as error:
        return _error(error)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _request(line: bytes) -> dict[str, Any]:
    try:
        request = _parsed(line.decode("utf-8"))
    except ValueError:
        raise InvalidInput("the line is not JSON in UTF-8") from None
    if not isinstance(request, dict):
        raise InvalidInput("a line must be a JSON object")
    if ("tool" in request) == ("op" in request):
        raise InvalidInput("a line holds either a tool or an op")
    if set(request) - (CALL if "tool" in request else ACT):
        raise InvalidInput("a line may hold tool, args and session, or session, op and taint; nothing else")
    return request


def _word(request: dict[str, Any], name: str) -> str:
    value = request.get(name)
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"{name} must be a text")
    return value


def _named(store: Store, request: dict[str, Any], default: Acts | None) -> Acts:
    if "session" not in request:
        if default is None:
            raise InvalidInput("the line names no session, and none was given by --session or --taint")
        return default
    return calling(store, None, _word(request, "session"))


def _operate(store: Store, request: dict[str, Any]) -> dict[str, Any]:
    operation, label = request["op"], _word(request, "session")
    if operation not in OPERATIONS:
        raise InvalidInput(f"op must be one of {', '.join(OPERATIONS)}")
    operator = store.operator()
    if operation == "reset":
        if "taint" in request:
            raise InvalidInput("a reset takes no taint: it always begins at PUBLIC")
        session = operator.reset(find_session(store, label).id)
        return _session_answer(label, session)
    taint = Level.parse(_word(request, "taint")) if "taint" in request or operation == "escalate" else Level.PUBLIC
    if operation == "start":
        return _session_answer(label, operator.start(taint, label=label))
    before = find_session(store, label)
    made = _session_answer(label, operator.escalate(before.id, taint))
    if taint <= before.taint:
        made["unchanged"] = True
        made["message"] = f"the session was at {before.taint.name} already; a taint only rises"
    return made


def _session_answer(label: str, session: AgentSession) -> dict[str, Any]:
    return {"session": label, "id": session.id, "taint": session.taint.name}
