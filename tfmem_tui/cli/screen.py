"""``tfmem``, ``tfmem open`` and ``tfmem demo``: the screen."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import get_args

import click

from tfmem_tui.cli.common import LEVEL, PATH, find_place
from tfmem_tui.core.level import Level
from tfmem_tui.preferences import ThemeName, load_preferences


@click.command("open")
@click.argument("file", type=PATH, required=False)
@click.option("--agent", metavar="NAME", help="Whose memory: the name of the agent.")
@click.option("--home", type=PATH, metavar="DIR", help="The folder that holds the stores.")
@click.option("--db", type=PATH, metavar="FILE", help="The same as FILE.")
@click.option("--clearance", type=LEVEL, help="The highest level that is offered; above it nothing is told apart.")
@click.option("--read-only", is_flag=True, help="Change nothing, whatever is pressed.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters alone.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@click.option("--theme", type=click.Choice(get_args(ThemeName)), help="Colours of the screen.")
@click.pass_context
def open_command(
    context: click.Context,
    file: Path | None = None,
    agent: str | None = None,
    home: Path | None = None,
    db: Path | None = None,
    clearance: Level | None = None,
    read_only: bool = False,
    ascii_only: bool = False,
    no_mouse: bool = False,
    theme: str | None = None,
) -> None:
    """Open the screen on an agent's memory, or on the store in FILE.

    \b
      tfmem open --agent main-session --clearance CONFIDENTIAL
    """
    if file is not None and db is not None:
        raise click.UsageError("FILE and --db are the same thing; give one")
    place = find_place(agent, home, file or db)
    settings = load_preferences()
    _need_terminal()
    from tfmem_tui.tui.app import run
    from tfmem_tui.tui.keymap import make_keymap

    keymap = make_keymap(settings.keys)
    context.exit(
        run(
            place.path,
            agent=place.agent,
            clearance=clearance or settings.clearance,
            read_only=read_only or settings.read_only,
            create=file is None and db is None,
            ascii_only=ascii_only or settings.ascii,
            mouse=settings.mouse and not no_mouse,
            theme=theme or settings.theme,
            keymap=keymap,
            animations=settings.animations,
        )
    )


@click.command()
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters alone.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@click.option("--theme", type=click.Choice(get_args(ThemeName)), help="Colours of the screen.")
@click.pass_context
def demo(context: click.Context, ascii_only: bool, no_mouse: bool, theme: str | None) -> None:
    """Open the screen on a throw-away store with memories at every level; nothing of it stays.

    \b
      tfmem demo --ascii
    """
    import tempfile

    _need_terminal()
    from tfmem_tui.demo import demo_store
    from tfmem_tui.tui.app import run
    from tfmem_tui.tui.keymap import make_keymap

    settings = load_preferences()
    keymap = make_keymap(settings.keys)
    with tempfile.TemporaryDirectory(prefix="tfmem-demo-") as folder:
        with demo_store(Path(folder)) as store:
            path, agent = store.path, store.agent
        assert path is not None
        context.exit(
            run(
                path,
                agent=agent,
                clearance=settings.clearance,
                ascii_only=ascii_only or settings.ascii,
                mouse=settings.mouse and not no_mouse,
                theme=theme or settings.theme,
                keymap=keymap,
                animations=settings.animations,
            )
        )


def _need_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("the screen needs a terminal; scripts use list, show, search and call")
