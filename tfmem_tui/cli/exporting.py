"""``tfmem export``: writes out what a session may see."""

from __future__ import annotations

from pathlib import Path

import click

from tfmem_tui.cli.common import PATH, Place, acting_options, looking, open_store, say, store_options
from tfmem_tui.core.level import Level
from tfmem_tui.exchange.exporting import FORMATS, export_lines, written_whole


@click.command()
@click.option("--format", "form", type=click.Choice(FORMATS), default="jsonl", show_default=True)
@click.option("--with-history", is_flag=True, help="Every version, tombstone and audit event up to the taint.")
@click.option("--out", type=PATH, metavar="FILE", help="Write this file instead, whole or not at all.")
@store_options
@acting_options
def export(
    form: str, with_history: bool, out: Path | None, place: Place, taint: Level | None, session_id: str | None
) -> None:
    """Write out what a session may see: effective memories, or with --with-history all that was, never more.

    JSON Lines and YAML come back through `tfmem import` as the same memories; Markdown is for reading.

    \b
      tfmem export --taint INTERNAL --out memories.jsonl
      tfmem export --taint RESTRICTED --with-history --format yaml --out everything.yaml
    """
    with open_store(place) as store:
        memories = store.memories(looking(store, taint, session_id))
        pieces = export_lines(memories, store.agent, form, history=with_history)
        if out is None:
            for piece in pieces:
                click.echo(piece.encode("utf-8"), nl=False)  # a file in the making, whatever the terminal speaks
            return
        with written_whole(out) as file:
            for piece in pieces:
                file.write(piece)
        say(f"written to {out}, up to {memories.taint().name}")
