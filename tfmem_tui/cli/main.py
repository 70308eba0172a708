"""The ``tfmem`` command: its groups of commands, imported only when they are called, and its exit codes."""

from __future__ import annotations

import importlib
import io
import os
import sys
from pathlib import Path
from typing import Any

import click

from tfmem_tui import __version__
from tfmem_tui.core.errors import StorageError, StoreReadOnly, TfmemError

DONE, REFUSED, USAGE, UNAVAILABLE, CRASHED, INTERRUPTED = 0, 1, 2, 3, 70, 130

# name -> (module, function, one line of help): what `--help` needs without importing the engine
COMMANDS: dict[str, tuple[str, str, str]] = {
    "demo": ("screen", "demo", "Open the screen on a throw-away store with sample memories."),
    "open": ("screen", "open_command", "Open the screen on a store."),
    "call": ("call", "call", "Call one of the agent's five tools, or many as a co-process."),
    "list": ("read", "list_command", "List effective memories, newest first."),
    "show": ("read", "show", "Show what a session gets for a key."),
    "search": ("read", "search", "Search memories by words, best match first."),
    "history": ("read", "history", "Show every version of a key, deleted ones included."),
    "deleted": ("read", "deleted", "List soft-deleted memories."),
    "tags": ("read", "tags", "List tags with their counts."),
    "sessions": ("sessions", "sessions", "List, start, escalate and reset sessions."),
    "audit": ("audit", "audit", "List and verify the audit, print its heads."),
    "restore": ("acts", "restore", "Save a deleted memory again, at its own level."),
    "purge": ("acts", "purge", "Remove deleted and replaced versions for good."),
    "import": ("importing", "import_command", "Bring in memories: Triggerfish databases, exports, notes."),
    "export": ("exporting", "export", "Write out what a session may see."),
    "simulate": ("simulate", "simulate", "Play scenario files; exit 1 where an expectation fails."),
    "mcp": ("agent", "mcp", "Offer the five tools over MCP, on standard input and output."),
    "spine": ("agent", "spine", "Print the section that teaches an agent what to save."),
    "context": ("agent", "context", "Print the recall block for a system prompt."),
    "doctor": ("care", "doctor", "Check file, full-text rows and audit chains; rebuild what is derived."),
    "backup": ("care", "backup", "Copy the store while agents write."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called; its help comes from ``COMMANDS``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, function, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(f"tfmem_tui.cli.{module}"), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, _, text) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS:
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            ctx.fail(f"there is no command {args[0]!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--agent", metavar="NAME", help="Whose memory: the name of the agent.")
@click.option("--home", type=click.Path(), metavar="DIR", help="The folder that holds the stores.")
@click.option("--db", type=click.Path(), metavar="FILE", help="A store by its file, instead of by its agent.")
@click.version_option(__version__, "--version", "-V", message="tfmem %(version)s")
@click.pass_context
def tfmem(context: click.Context, agent: str | None, home: str | None, db: str | None) -> None:
    """An AI agent's classified memory: browse it, search it, prove it.

    Without a command the screen opens on the default agent's memory. A session reads nothing above its taint and
    writes at exactly its taint; levels are PUBLIC < INTERNAL < CONFIDENTIAL < RESTRICTED.

    \b
      tfmem demo                                  look around, on a throw-away store
      tfmem import ~/.triggerfish/data/triggerfish.db
      tfmem open --agent main-session             the screen on an agent's memory
      tfmem search "when is the deadline" --taint INTERNAL
      tfmem call memory_get '{"key": "user-name"}' --taint PUBLIC

    \b
    Exit codes: 0 done, 1 refused or not found, 2 wrong usage, 3 the store cannot be opened or used.
    Standard output is data, standard error is words; --json wherever a table would be printed.

    --agent, --home and --db may stand before the command or after it; what stands after it counts.
    """
    given = {name: value for name, value in (("--agent", agent), ("--home", home), ("--db", db)) if value is not None}
    if context.invoked_subcommand is None:
        from tfmem_tui.cli.screen import open_command

        command: click.Command | None = open_command
    else:
        command = tfmem.get_command(context, context.invoked_subcommand)
    assert command is not None  # an unknown name was refused before
    defaults = _handed_down(command, given) if given else {}
    if context.invoked_subcommand is not None:
        context.default_map = {context.invoked_subcommand: defaults}
        return
    as_path = {name: value if name == "agent" else Path(value) for name, value in defaults.items()}
    context.invoke(command, **as_path)


def _handed_down(command: click.Command, given: dict[str, str]) -> dict[str, Any]:
    """Options given before the command, as defaults of its own; a command that takes one of them not refuses it."""
    if isinstance(command, click.Group):
        return {name: _handed_down(inner, given) for name, inner in command.commands.items()}
    taken = {option: one for one in command.params for option in one.opts}
    for option in given:
        if option not in taken:
            raise click.UsageError(f"{command.name} takes no {option}")
    values = ((taken[option], value) for option, value in given.items())
    return {str(one.name): (value,) if getattr(one, "multiple", False) else value for one, value in values}


def main(arguments: list[str] | None = None) -> Any:
    """Runs the command line and ends the process with its exit code; no stored text in any message of failure."""
    _never_lack_a_character()
    try:
        code = tfmem.main(args=arguments, prog_name="tfmem", standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(INTERRUPTED)
    except click.exceptions.Exit as ended:
        sys.exit(ended.exit_code)
    except click.ClickException as error:
        _show(error)
        sys.exit(error.exit_code)
    except TfmemError as error:
        _say(error.message)
        sys.exit(exit_code(error))
    except SystemExit:
        # click has met a closed pipe: the reader of our output went away, and nothing is wrong
        sys.exit(DONE if "PacifyFlush" in type(sys.stdout).__name__ else REFUSED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:
        _say(f"{error.strerror or type(error).__name__}{f': {error.filename}' if error.filename else ''}")
        sys.exit(REFUSED)
    except Exception as error:
        _say(_crash(error))
        sys.exit(CRASHED)
    sys.exit(code if isinstance(code, int) else DONE)


def exit_code(error: TfmemError) -> int:
    """Wrong usage, a store that cannot be opened or used, or else refused."""
    if isinstance(error, StorageError) and not isinstance(error, StoreReadOnly):
        return UNAVAILABLE
    return USAGE if error.code == "VALIDATION_ERROR" else REFUSED


def _never_lack_a_character() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # where the terminal's encoding has none, its code is shown
            stream.reconfigure(errors="backslashreplace")


def _say(text: str) -> None:
    from tfmem_tui.text import one_line

    click.echo(f"tfmem: {one_line(text)}", err=True)


def _show(error: click.ClickException) -> None:
    """What click says of wrong usage; it may quote an argument, and an argument may hold anything."""
    from tfmem_tui.text import visible

    said = io.StringIO()
    error.show(file=said)
    click.echo(visible(said.getvalue(), lines=True), err=True, nl=False)


def _crash(error: BaseException) -> str:
    """Where it happened and what kind of thing it was: an exception's own text may quote a memory."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else "?"  # noqa: PTH119
    return f"this is a fault of tfmem's own: {type(error).__name__} at {where}"
