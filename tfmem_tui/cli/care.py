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
from tfmem_tui.core.doctor import Finding
from tfmem_tui.core.level import Level

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

    Exit code 0 when all is well, 1 with the findings when not. Says what --compact would give back; that merges the
    full-text indexes and rewrites the file without free pages.

    \b
      tfmem doctor --agent main-session --repair
    """
    with open_store(place) as store:
        operator = store.operator()
        if compact:
            sizes = operator.compact()
            say(f"{_megabytes(sizes.before)} before, {_megabytes(sizes.after)} after")
        elif (free := operator.winnable()) > WORTH_SAYING:
            say(f"--compact would give back {_megabytes(free)} or more")
        found = operator.examine()
        if repair and any(one.repairable for one in found) and confirmed("Rebuild what is derived?", yes):
            kept = _free_name(place.path.with_name(f"{place.path.name}.before-repair"))
            operator.backup(kept)
            say(f"a backup of the state before is in {kept}")
            operator.repair(operator.scratch(Level.RESTRICTED))
            found = operator.examine()
    _print(found, as_json)
    context.exit(1 if found else 0)


def _print(found: list[Finding], as_json: bool) -> None:
    if as_json:
        emit([_data(one) for one in found])
    elif found:
        rows = ((level_word(one.level) if one.level else "", one.what, one.text) for one in found)
        table(("LEVEL", "WHAT", "FINDING"), rows)
        if any(one.repairable for one in found):
            say("--repair rebuilds what is derived")
    else:
        say("all is well")


def _data(finding: Finding) -> dict[str, object]:
    level = finding.level.name if finding.level else None
    return {"what": finding.what, "level": level, "text": finding.text, "repairable": finding.repairable}


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


def _free_name(wanted: Path) -> Path:
    name, number = wanted, 1
    while name.exists():
        number += 1
        name = wanted.with_name(f"{wanted.name}-{number}")
    return name


@click.command()
@click.argument("file", type=PATH)
@store_options
def backup(file: Path, place: Place) -> None:
    """Copy the store to FILE as one consistent state, while agents write. An existing file is never overwritten.

    To restore: stop what uses the store, and put the copy in its place (without -wal and -shm files beside it).

    \b
      tfmem backup memories-before-upgrade.db
    """
    with open_store(place) as store:
        store.operator().backup(file)
    say(f"copied to {file}")
