"""``tfmem doctor`` and ``backup``: looking after the store."""

from __future__ import annotations

from pathlib import Path

import click

from tfmem_tui.cli.common import (
    PATH,
    Place,
    confirmed,
    emit,
    json_option,
    level_word,
    open_store,
    say,
    store_options,
    table,
)
from tfmem_tui.core.doctor import Finding, examine_file
from tfmem_tui.core.errors import StoreTooNew, StoreUnavailable
from tfmem_tui.core.level import Level
from tfmem_tui.core.migrate import free_name
from tfmem_tui.core.salvage import DERIVED_ONLY, FILE

WORTH_SAYING = 1_000_000  # bytes


@click.command()
@click.option("--repair", is_flag=True, help="Rebuild the full-text and tag rows from the versions, after a backup.")
@click.option("--compact", is_flag=True, help="Make the file as small as it can be, and say what that won.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_options
@json_option
@click.pass_context
def doctor(context: click.Context, repair: bool, compact: bool, yes: bool, place: Place, as_json: bool) -> None:
    """Check the file, the full-text and tag rows, the audit chains and the versions' texts.

    Exit code 0 when all is well, 1 with the findings when not, 3 where the file cannot be opened as a store. Says
    what --compact would give back; that merges the full-text indexes and rewrites the file without free pages.

    --repair keeps a backup and rebuilds what can be made from the versions; where pages of it are damaged the file is
    made anew from what was said, which needs that nothing else has the store open.

    \b
      tfmem doctor --agent main-session --repair
    """
    try:
        store = open_store(place)
    except StoreUnavailable as error:
        found = list(examine_file(place.path)) if place.path.is_file() and not isinstance(error, StoreTooNew) else []
        if found:
            _print(found, as_json)
        raise
    with store:
        operator = store.operator()
        if compact:
            sizes = operator.compact()
            say(f"{_megabytes(sizes.before)} before, {_megabytes(sizes.after)} after")
        elif (free := operator.winnable()) > WORTH_SAYING:
            say(f"--compact would give back {_megabytes(free)} or more")
        found = operator.examine()
        if repair and _worth_a_repair(found) and confirmed("Rebuild what is derived?", yes):
            kept = free_name(place.path.with_name(f"{place.path.name}.before-repair"))
            operator.backup(kept)
            say(f"a backup of the state before is in {kept}")
            if any(one.what == DERIVED_ONLY for one in found):
                operator.make_anew()
            else:
                operator.repair(operator.scratch(Level.RESTRICTED))
            found = operator.examine()
    _print(found, as_json)
    context.exit(1 if found else 0)


def _worth_a_repair(found: list[Finding]) -> bool:
    """Whether a repair would mend something; a file whose own rows are damaged is not written to."""
    return any(one.repairable for one in found) and not any(one.what == FILE for one in found)


def _print(found: list[Finding], as_json: bool) -> None:
    if as_json:
        emit([_data(one) for one in found])
    elif found:
        rows = ((level_word(one.level) if one.level else "", one.what, one.text) for one in found)
        table(("LEVEL", "WHAT", "FINDING"), rows)
        if _worth_a_repair(found):
            say("--repair rebuilds what is derived")
        elif any(one.what == FILE for one in found):
            say("put a backup in its place; `tfmem export` and `tfmem list` give what can still be read")
    else:
        say("all is well")


def _data(finding: Finding) -> dict[str, object]:
    level = finding.level.name if finding.level else None
    return {"what": finding.what, "level": level, "text": finding.text, "repairable": finding.repairable}


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


@click.command()
@click.argument("file", type=PATH)
@store_options
def backup(file: Path, place: Place) -> None:
    """Copy the store to FILE as one consistent state, while agents write. An existing file is never overwritten.

    To restore: stop what uses the store, move its file and the -wal and -shm files beside it away, and put the copy
    in its place.

    \b
      tfmem backup memories-before-upgrade.db
    """
    with open_store(place) as store:
        store.operator().backup(file)
    say(f"copied to {file}")
