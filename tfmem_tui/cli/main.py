"""The ``tfmem`` command: its groups of commands, imported only when they are called, and its exit codes."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from tfmem_tui import __version__
from tfmem_tui.core.errors import StoreUnavailable, TfmemError

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
@click.version_option(__version__, "--version", "-V", message="tfmem %(version)s")
@click.pass_context
def tfmem(context: click.Context) -> None:
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
    Exit codes: 0 done, 1 refused or not found, 2 wrong usage, 3 the store cannot be opened.
    Standard output is data, standard error is words; --json wherever a table would be printed.
    """
    if context.invoked_subcommand is None:
        from tfmem_tui.cli.screen import open_command

        context.invoke(open_command)


def main(arguments: list[str] | None = None) -> Any:
    """Runs the command line and ends the process with its exit code; no stored text in any message of failure."""
    try:
        code = tfmem.main(args=arguments, prog_name="tfmem", standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(INTERRUPTED)
    except click.exceptions.Exit as ended:
        sys.exit(ended.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except StoreUnavailable as error:
        _say(error.message)
        sys.exit(UNAVAILABLE)
    except TfmemError as error:
        _say(error.message)
        sys.exit(USAGE if error.code == "VALIDATION_ERROR" else REFUSED)
    except SystemExit:
        # click has met a closed pipe: the reader of our output went away, and nothing is wrong
        sys.exit(DONE if "PacifyFlush" in type(sys.stdout).__name__ else REFUSED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except Exception as error:
        _say(_crash(error))
        sys.exit(CRASHED)
    sys.exit(code if isinstance(code, int) else DONE)


def _say(text: str) -> None:
    from tfmem_tui.text import one_line

    click.echo(f"tfmem: {one_line(text)}", err=True)


def _crash(error: BaseException) -> str:
    """Where it happened and what kind of thing it was: an exception's own text may quote a memory."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else "?"  # noqa: PTH119
    return f"this is a fault of tfmem's own: {type(error).__name__} at {where}"
