"""``tfmem audit``: the event log, the state of its chains, and their heads. All of it ends at the acting level."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from tfmem_tui.agent.tools import iso
from tfmem_tui.cli.common import (
    MOMENT,
    TEXT,
    Place,
    acting_options,
    emit,
    json_option,
    level_word,
    looking,
    moment_word,
    open_store,
    say,
    store_options,
    table,
)
from tfmem_tui.core.audit import EventFilters
from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import AuditEvent, ChainHead, ChainReport, Outcome


def event_data(event: AuditEvent) -> dict[str, Any]:
    """An event as JSON has it."""
    return {
        "level": event.level.name,
        "seq": event.seq,
        "at": iso(event.at),
        "session": event.session,
        "user": event.user,
        "action": event.action,
        "key": event.key,
        "outcome": str(event.outcome),
        "detail": dict(event.detail),
        "content_hash": event.content_hash,
        "prev_hash": event.prev_hash,
        "hash": event.hash,
    }


@click.group()
def audit() -> None:
    """List and verify the audit, and print its heads, up to the acting level.

    \b
      tfmem audit list --taint RESTRICTED --outcome forced --since 1d
      tfmem audit verify --taint RESTRICTED
    """


@audit.command("list")
@click.option("--by", type=TEXT, metavar="ID", help="Only events of this session.")
@click.option("--action", type=TEXT, help="Only this action, such as memory_save.")
@click.option("--outcome", type=click.Choice([one.value for one in Outcome]))
@click.option("--key", type=TEXT, help="Only events about exactly this key.")
@click.option("--since", type=MOMENT)
@click.option("--before", type=MOMENT)
@click.option("--limit", type=click.IntRange(1, 1_000_000), default=100, show_default=True)
@store_options
@acting_options
@json_option
def list_command(
    place: Place,
    taint: Level | None,
    session_id: str | None,
    as_json: bool,
    by: str | None,
    action: str | None,
    outcome: str | None,
    key: str | None,
    since: datetime | None,
    before: datetime | None,
    limit: int,
) -> None:
    """List audit events, newest first.

    \b
      tfmem audit list --taint RESTRICTED --action memory_delete --since 7d
    """
    filters = EventFilters(by, action, Outcome(outcome) if outcome else None, key, since, before)
    with open_store(place) as store:
        events = store.audit(looking(store, taint, session_id)).events(filters, limit=limit)
    if as_json:
        emit([event_data(event) for event in events])
    elif events:
        table(
            ("LEVEL", "SEQ", "AT", "ACTION", "OUTCOME", "KEY", "SESSION", "DETAIL"),
            map(_row, events),
            widest={5: 32, 7: 48},
        )
    else:
        say("no events")


def _row(event: AuditEvent) -> tuple[str, ...]:
    detail = json.dumps(event.detail, ensure_ascii=False) if event.detail else ""
    return (
        level_word(event.level),
        str(event.seq),
        moment_word(event.at),
        event.action,
        str(event.outcome),
        event.key or "",
        event.session,
        detail,
    )


class HeadType(click.ParamType[tuple[ChainHead, ...]]):
    """A head that was kept: ``LEVEL:SEQ:HASH``, or a file with what ``tfmem audit head --json`` printed."""

    name = "HEAD"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[ChainHead, ...]:
        try:
            parts = str(value).split(":")
            if len(parts) == 3:
                return (_head(*parts),)
            lines = Path(str(value)).read_text("utf-8").splitlines()
            rows = [row for line in lines if line.strip() for row in _rows(json.loads(line))]
            return tuple(_head(row["level"], row["seq"], row["hash"]) for row in rows)
        except OSError as error:
            self.fail(f"{value}: {error.strerror}", param, ctx)
        except (ValueError, KeyError, TypeError, InvalidInput, RecursionError):
            self.fail("expected LEVEL:SEQ:HASH, or a file that `tfmem audit head --json` wrote", param, ctx)


def _rows(found: Any) -> list[Any]:
    return found if isinstance(found, list) else [found]


def _head(level: Any, seq: Any, digest: Any) -> ChainHead:
    if not re.fullmatch(r"[0-9a-f]{64}", str(digest)) or int(seq) < 0:
        raise ValueError
    return ChainHead(Level.parse(str(level)), int(seq), str(digest))


@audit.command()
@click.option("--since", "heads", type=HeadType(), multiple=True, help="A head that was kept elsewhere; repeatable.")
@store_options
@acting_options
@json_option
@click.pass_context
def verify(
    context: click.Context,
    place: Place,
    taint: Level | None,
    session_id: str | None,
    as_json: bool,
    heads: tuple[tuple[ChainHead, ...], ...],
) -> None:
    """Check the chain of each level up to the taint; exit code 1 where one does not hold, and which event.

    Also found is a version whose text no longer matches its event and, with --since, a tail that was cut off or
    written anew after `tfmem audit head --json` printed a head. HEAD is LEVEL:SEQ:HASH or a file of such output.

    \b
      tfmem audit verify --taint RESTRICTED --since heads.jsonl
    """
    since = [head for given in heads for head in given]
    with open_store(place) as store:
        reports = store.audit(looking(store, taint, session_id)).verify(since)
    if as_json:
        emit(
            [
                {
                    "level": one.level.name,
                    "events": one.events,
                    "ok": one.ok,
                    "broken_at": one.broken_at,
                    "reason": one.reason,
                }
                for one in reports
            ]
        )
    else:
        rows = (
            (
                level_word(one.level),
                str(one.events),
                "holds" if one.ok else _broken(one),
            )
            for one in reports
        )
        table(("LEVEL", "EVENTS", "CHAIN"), rows)
    context.exit(0 if all(one.ok for one in reports) else 1)


def _broken(report: ChainReport) -> str:
    where = "" if report.broken_at is None else f" at event {report.broken_at}"
    return f"broken{where}: {report.reason}"


@audit.command()
@store_options
@acting_options
@json_option
def head(place: Place, taint: Level | None, session_id: str | None, as_json: bool) -> None:
    """Print the head of each chain up to the taint, to be kept elsewhere.

    \b
      tfmem audit head --taint RESTRICTED --json >> heads.jsonl
    """
    with open_store(place) as store:
        heads = store.audit(looking(store, taint, session_id)).heads()
    if as_json:
        emit([{"level": one.level.name, "seq": one.seq, "hash": one.hash} for one in heads])
    else:
        table(("LEVEL", "SEQ", "HASH"), ((one.level.name, str(one.seq), one.hash) for one in heads))
