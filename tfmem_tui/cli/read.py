"""The screen's reads for scripts and screen readers: list, show, search, history, deleted, tags. All gated."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import click

from tfmem_tui.agent.tools import iso
from tfmem_tui.cli.common import (
    LEVEL,
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
from tfmem_tui.core.level import Level
from tfmem_tui.core.memory import MemoryRepository
from tfmem_tui.core.records import Filters, MemorySummary, MemoryVersion, Order
from tfmem_tui.text import visible

WIDTHS = {1: 40, 2: 56, 3: 28}
LIMIT = click.IntRange(1, 1_000_000)


def reading(function: Any) -> Any:
    """The options of every read."""
    return store_options(acting_options(json_option(function)))


def version_data(version: MemoryVersion) -> dict[str, Any]:
    """A version as JSON has it; what it has not is left out."""
    data: dict[str, Any] = {
        "key": version.key,
        "level": version.level.name,
        "content": version.content,
        "tags": list(version.tags),
        "id": version.id,
        "created_at": iso(version.created_at),
        "saved_at": iso(version.saved_at),
        "saved_by": version.saved_by,
    }
    optional = {
        "expires_at": version.expires_at and iso(version.expires_at),
        "ended_at": version.ended_at and iso(version.ended_at),
        "ended_by": version.ended_by,
        "end_reason": version.end_reason,
    }
    return data | {name: value for name, value in optional.items() if value is not None}


def _memory_rows(memories: MemoryRepository, rows: tuple[MemorySummary, ...]) -> Iterator[tuple[str, ...]]:
    for row in rows:
        yield level_word(row.level), row.key, row.preview, ", ".join(row.tags), moment_word(row.saved_at)


def _print_memories(memories: MemoryRepository, rows: tuple[MemorySummary, ...], as_json: bool) -> None:
    if as_json:
        emit([version_data(memories.version(row.ref)) for row in rows])
    elif rows:
        table(("LEVEL", "KEY", "CONTENT", "TAGS", "SAVED"), _memory_rows(memories, rows), widest=WIDTHS)


@click.command("list")
@click.option("--tag", "tags", type=TEXT, multiple=True, help="Only memories with this tag; may be repeated.")
@click.option("--level", "levels", type=LEVEL, multiple=True, help="Only memories of this level; may be repeated.")
@click.option("--since", type=MOMENT, help="Only those saved at or after this time.")
@click.option("--before", type=MOMENT, help="Only those saved before this time.")
@click.option("--saved-by", type=TEXT, metavar="ID", help="Only those saved by this session.")
@click.option("--order", type=click.Choice([one.value for one in Order]), default="saved", show_default=True)
@click.option("--reverse", is_flag=True, help="The other way round.")
@click.option("--limit", type=LIMIT, default=100, show_default=True)
@reading
def list_command(
    place: Place,
    taint: Level | None,
    session_id: str | None,
    as_json: bool,
    tags: tuple[str, ...],
    levels: tuple[Level, ...],
    since: datetime | None,
    before: datetime | None,
    saved_by: str | None,
    order: str,
    reverse: bool,
    limit: int,
) -> None:
    """List effective memories, newest first.

    \b
      tfmem list --taint INTERNAL --tag project --since 7d
    """
    filters = Filters(tags, frozenset(levels) or None, since, before, saved_by)
    ordered = Order(order)
    # newest and highest first, but names and texts from A to Z
    descending = (ordered in (Order.SAVED, Order.LEVEL)) != reverse
    with open_store(place) as store:
        memories = store.memories(looking(store, taint, session_id))
        page = memories.page(ordered, descending=descending, filters=filters, limit=limit)
        _print_memories(memories, page.rows, as_json)
        if not page.rows:
            say("no memories")
        elif not page.at_end:
            say(f"the first {limit} of {memories.count(filters)}; --limit shows more")


@click.command()
@click.argument("key", type=TEXT)
@reading
@click.pass_context
def show(
    context: click.Context, key: str, place: Place, taint: Level | None, session_id: str | None, as_json: bool
) -> None:
    """Show what a session gets for KEY.

    \b
      tfmem show user-name --taint CONFIDENTIAL
    """
    with open_store(place) as store:
        memories = store.memories(looking(store, taint, session_id))
        found = memories.effective(key)
        if found is None:
            say(f"no memory of this key is visible at {memories.taint().name}")
            context.exit(1)
        if as_json:
            emit(version_data(found))
            return
        shadowed = [rung for rung in memories.ladder(key).rungs if rung.status == "shadowed"]
    click.echo(f"{visible(found.key)}  {level_word(found.level)}")
    click.echo(f"saved {moment_word(found.saved_at)} by {visible(found.saved_by)}")
    if found.tags:
        click.echo(f"tags {visible(', '.join(found.tags))}")
    if shadowed:
        click.echo(f"shadows {', '.join(level_word(rung.level) for rung in shadowed)}")
    click.echo()
    click.echo(visible(found.content, lines=True))


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--tag", "tags", type=TEXT, multiple=True, help="Only memories with this tag; may be repeated.")
@click.option("--limit", type=LIMIT, default=20, show_default=True)
@reading
@click.pass_context
def search(
    context: click.Context,
    words: tuple[str, ...],
    tags: tuple[str, ...],
    limit: int,
    place: Place,
    taint: Level | None,
    session_id: str | None,
    as_json: bool,
) -> None:
    """Search memories by words, best match first. Any word may match; exit code 1 where none does.

    \b
      tfmem search "what's the user's name?" --taint INTERNAL
    """
    with open_store(place) as store:
        memories = store.memories(looking(store, taint, session_id))
        found = memories.find(" ".join(words), filters=Filters(tags=tags), limit=limit)
        _print_memories(memories, memories.rows(found, 0, limit), as_json)
        if not found.complete:
            say(f"the best {limit}; --limit shows more")
    if not len(found):
        say("nothing found")
        context.exit(1)


@click.command()
@click.argument("key", type=TEXT)
@click.option("--limit", type=LIMIT, default=200, show_default=True)
@reading
@click.pass_context
def history(
    context: click.Context,
    key: str,
    limit: int,
    place: Place,
    taint: Level | None,
    session_id: str | None,
    as_json: bool,
) -> None:
    """Show every version of KEY up to the taint, ended ones included, newest first.

    \b
      tfmem history user-name --taint RESTRICTED
    """
    with open_store(place) as store:
        versions = store.memories(looking(store, taint, session_id)).versions(key, limit=limit)
    if as_json:
        emit([version_data(version) for version in versions])
    elif versions:
        rows = (
            (level_word(v.level), v.end_reason or "live", moment_word(v.saved_at), v.saved_by, v.content, _end(v))
            for v in versions
        )
        table(("LEVEL", "STATE", "SAVED", "BY", "CONTENT", "ENDED"), rows, widest={3: 24, 4: 48})
    if not versions:
        say("no version of this key is visible")
        context.exit(1)


def _end(version: MemoryVersion) -> str:
    if version.ended_at is None:
        return ""
    return moment_word(version.ended_at) + (f" by {version.ended_by}" if version.ended_by else "")


@click.command()
@click.option("--key", type=TEXT, default="", help="Only keys that contain this.")
@click.option("--limit", type=LIMIT, default=100, show_default=True)
@reading
def deleted(key: str, limit: int, place: Place, taint: Level | None, session_id: str | None, as_json: bool) -> None:
    """List soft-deleted memories up to the taint, the latest delete first.

    \b
      tfmem deleted --taint INTERNAL --key deploy
    """
    with open_store(place) as store:
        tombstones = store.memories(looking(store, taint, session_id)).tombstones(key_contains=key, limit=limit)
    if as_json:
        emit([version_data(version) for version in tombstones])
    elif tombstones:
        rows = ((level_word(v.level), v.key, v.content, ", ".join(v.tags), _end(v)) for v in tombstones)
        table(("LEVEL", "KEY", "CONTENT", "TAGS", "DELETED"), rows, widest=WIDTHS)
    else:
        say("nothing deleted")


@click.command()
@click.option("--limit", type=LIMIT, default=200, show_default=True)
@reading
def tags(limit: int, place: Place, taint: Level | None, session_id: str | None, as_json: bool) -> None:
    """List the tags of effective memories with their counts, most frequent first.

    \b
      tfmem tags --taint INTERNAL
    """
    with open_store(place) as store:
        counts = store.memories(looking(store, taint, session_id)).tags(limit=limit)
    if as_json:
        emit([{"tag": one.tag, "count": one.count} for one in counts])
    elif counts:
        table(("TAG", "MEMORIES"), ((one.tag, str(one.count)) for one in counts))
    else:
        say("no tags")
