"""The operator's acts on memories (G10): restore and purge."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from tfmem_tui.cli.common import (
    AGE,
    TEXT,
    Place,
    acting_options,
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
    typed,
)
from tfmem_tui.cli.read import version_data
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import MemoryVersion

if TYPE_CHECKING:
    from tfmem_tui.core.purging import PurgeReport
    from tfmem_tui.core.session import Operator

MOST_VERSIONS = 10_000  # of one key


@click.command()
@click.argument("key", type=TEXT)
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_options
@acting_options
@json_option
@click.pass_context
def restore(
    context: click.Context,
    key: str,
    yes: bool,
    place: Place,
    taint: Level | None,
    session_id: str | None,
    as_json: bool,
) -> None:
    """Save the latest deleted version of KEY again, at its own level, as a new version; the tombstone stays.

    \b
      tfmem restore deploy-window --taint INTERNAL
    """
    with open_store(place) as store:
        operator = store.operator()
        who = find_session(store, session_id) if session_id else operator.scratch(taint or Level.PUBLIC)
        found = _latest_delete(store.memories(who).versions(key, limit=MOST_VERSIONS))
        if found is None:
            say("no deleted memory of this key is visible")
            context.exit(1)
        deleted = moment_word(found.ended_at) if found.ended_at else "?"
        if not confirmed(f"Restore the version deleted {deleted} at {level_word(found.level)}?", yes):
            context.exit(1)
        restored = operator.restore(who, found.ref)
    if as_json:
        emit(version_data(restored))
    else:
        say(f"restored at {restored.level.name}")


def _latest_delete(versions: Sequence[MemoryVersion]) -> MemoryVersion | None:
    deleted = [one for one in versions if one.end_reason == "deleted"]
    return max(deleted, key=lambda one: (one.ended_at or one.saved_at, one.level), default=None)


@click.command()
@click.option("--older-than", type=AGE, required=True, help="What ended so long ago: 90d, 12w, 3h.")
@click.option("--searches", is_flag=True, help="Instead of versions, what was searched for, in the audit.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_options
@json_option
@click.pass_context
def purge(
    context: click.Context,
    older_than: timedelta,
    searches: bool,
    dry_run: bool,
    yes: bool,
    place: Place,
    as_json: bool,
) -> None:
    """Remove versions that ended long ago, and every trace of their text; audit events stay.

    Only deleted, replaced and expired versions go, never a live one. Each leaves an event with its key, its level and
    a hash whose salt is destroyed with the text. With --searches the texts of old searches go from the audit instead;
    their events stay, and the chains hold.

    \b
      tfmem purge --older-than 90d --dry-run
      tfmem purge --older-than 30d --searches
    """
    with open_store(place) as store:
        operator = store.operator()
        if searches:
            _purge_searches(context, operator, older_than, dry_run, yes, as_json)
            return
        ended = operator.purgeable(older_than)
        if dry_run or not ended:
            _print_ended(ended, as_json)
            return
        if not yes:
            _print_ended(ended, as_json=False)
            if not typed(f"purge {len(ended)}", f"This removes {len(ended)} versions for good."):
                context.exit(1)
        report = operator.purge(operator.scratch(operator.clearance), [one.ref for one in ended])
    _print_report(report, as_json)


def _purge_searches(
    context: click.Context, operator: Operator, older_than: timedelta, dry_run: bool, yes: bool, as_json: bool
) -> None:
    found = operator.purgeable_searches(older_than)
    count = sum(found.values())
    if dry_run or not count:
        if as_json:
            emit({level.name: number for level, number in found.items()})
        else:
            say(", ".join(f"{level.name}: {number}" for level, number in found.items()) or "nothing to purge")
        return
    if not yes and not typed(f"purge {count}", f"This destroys the texts of {count} searches for good."):
        context.exit(1)
    _print_report(operator.purge_searches(operator.scratch(operator.clearance), older_than), as_json)


def _print_report(report: PurgeReport, as_json: bool) -> None:
    if as_json:
        emit({"purged": report.versions, "wiped": report.wiped})
    else:
        say(f"purged {report.versions}")
    if not report.wiped:
        say("an open reader kept old pages in the write-ahead log; purge or close it again to wipe them")


def _print_ended(ended: list[MemoryVersion], as_json: bool) -> None:
    if as_json:
        emit([{"key": v.key, "level": v.level.name, "end_reason": v.end_reason, "id": v.id} for v in ended])
    elif ended:
        rows = ((level_word(v.level), v.key, v.end_reason or "", _when(v)) for v in ended)
        table(("LEVEL", "KEY", "STATE", "ENDED"), rows, widest={1: 48})
    else:
        say("nothing to purge")


def _when(version: MemoryVersion) -> str:
    return moment_word(version.ended_at) if version.ended_at else ""
