"""The operator's acts on memories (G10): restore."""

from __future__ import annotations

import click

from tfmem_tui.cli.common import (
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
)
from tfmem_tui.cli.read import version_data
from tfmem_tui.core.level import Level


@click.command()
@click.argument("key")
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
        tombstones = store.memories(who).tombstones(key_contains=key, limit=10_000)
        found = next((one for one in tombstones if one.key == key), None)
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
