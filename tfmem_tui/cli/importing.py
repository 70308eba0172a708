"""``tfmem import``: parses, shows progress and reports. What goes into which store is decided in ``exchange``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from tfmem_tui.cli.common import LEVEL, PATH, Place, emit, find_place, json_option, open_store, say
from tfmem_tui.cli.main import DONE, REFUSED, UNAVAILABLE, exit_code
from tfmem_tui.core.errors import StoreUnavailable, TfmemError
from tfmem_tui.core.home import agent_path, default_home
from tfmem_tui.core.importing import ImportCounts
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.exchange.importing import ImportReport, import_export, import_triggerfish
from tfmem_tui.exchange.reading import Origin, kind_of
from tfmem_tui.preferences import load_preferences
from tfmem_tui.text import cut, one_line

AGENT_CELLS = 48
ROWS_PER_LINE = 50_000  # between two lines of progress where there is no terminal


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=PATH)
@click.option("--home", type=PATH, metavar="DIR", help="The folder that holds the stores.")
@click.option("--agent", "agents", metavar="NAME", multiple=True, help="Only this agent of the file; may be repeated.")
@click.option("--level", type=LEVEL, help="The level for files that say none: notes, the MCP memory server's.")
@json_option
@click.pass_context
def import_command(
    context: click.Context,
    files: tuple[Path, ...],
    home: Path | None,
    agents: tuple[str, ...],
    level: Level | None,
    as_json: bool,
) -> None:
    """Bring in memories: Triggerfish databases, exports, notes.

    A Triggerfish database is usually ~/.triggerfish/data/triggerfish.db. It is only read, and Triggerfish may be
    running. Each agent goes into its own store; live and soft-deleted memories keep their times and session ids; the
    lineage rows become audit history. Importing the same file again brings what is new and doubles nothing.

    Also read, into the store of --agent: what `tfmem export` wrote (JSON Lines, YAML); and, at the --level that you
    name, the JSON file of the reference MCP memory server, and a Markdown note or a folder of them.

    \b
    Exit codes: 0 all went in, 1 some records were skipped (standard error says which and why),
    3 a file cannot be read or a store cannot be opened.
    """
    folder = home or load_preferences().home or default_home()
    results: list[dict[str, Any]] = []
    code = DONE
    for file in files:
        code = max(code, _import_file(file, folder, agents, level, as_json, results))
    if as_json:
        emit({"files": results})
    context.exit(code)


def _import_file(
    file: Path,
    home: Path,
    agents: tuple[str, ...],
    level: Level | None,
    as_json: bool,
    results: list[dict[str, Any]],
) -> int:
    def store_of(agent: str) -> Store:
        return open_store(Place(agent_path(home, agent), agent), create=True)

    try:
        report = _report(file, home, agents, level, store_of)
    except TfmemError as error:
        again = "" if isinstance(error, StoreUnavailable) else "; what went in before is kept, so import it again"
        say(f"{error.message}{again}")
        results.append({"file": click.format_filename(file), "error": {"code": error.code, "message": error.message}})
        return UNAVAILABLE if exit_code(error) == UNAVAILABLE else REFUSED
    missing = [agent for agent in agents if agent not in report.agents]
    _name_what_stayed_out(file, report, missing)
    if as_json:
        results.append(_as_json(file, report))
    else:
        _print(file, report)
    return REFUSED if report.skipped_count or missing else DONE


def _report(
    file: Path, home: Path, agents: tuple[str, ...], level: Level | None, store_of: Callable[[str], Store]
) -> ImportReport:
    kind = kind_of(file)
    if kind == "triggerfish":
        with _progress(file) as progress:
            return import_triggerfish(file, store_of, progress=progress, agents=set(agents) or None)
    if len(agents) > 1:
        raise click.UsageError("this file holds the memory of one agent; name one --agent")
    agent = find_place(agents[0] if agents else None, home, None).agent
    origin = None if level is None else Origin(level, f"import:{kind}")
    return import_export(file, kind, agent, store_of, origin=origin)


# What a person reads.


def _print(file: Path, report: ImportReport) -> None:
    click.echo(_name(file))
    for agent, counts in report.agents.items():
        click.echo(f"  {cut(agent, AGENT_CELLS)}: {_words(counts)}")
    click.echo(_total(report))


def _words(counts: ImportCounts) -> str:
    if not (counts.memories or counts.events):
        return f"nothing new, {_here_already(counts)}"
    deleted = f" ({counts.deleted} soft-deleted)" if counts.deleted else ""
    words = f"{_number(counts.memories, 'memory', 'memories')}{deleted}, {_number(counts.events, 'event', 'events')}"
    known = counts.unchanged or counts.events_unchanged
    return f"{words}; here already: {_here(counts)}" if known else words


def _total(report: ImportReport) -> str:
    total = report.total
    if report.is_unchanged:
        return f"nothing new: {_here_already(total)}" if report.agents else "nothing new: the file holds no memories"
    new = sum(1 for counts in report.agents.values() if counts.memories or counts.events)
    return (
        f"total {_number(total.memories, 'memory', 'memories')} for {_number(new, 'agent', 'agents')}, "
        f"{total.deleted} soft-deleted; {_number(total.events, 'event', 'events')}"
    )


def _here_already(counts: ImportCounts) -> str:
    return f"{_here(counts)} were here already"


def _here(counts: ImportCounts) -> str:
    memories = _number(counts.unchanged, "memory", "memories")
    return f"{memories} and {_number(counts.events_unchanged, 'event', 'events')}"


def _number(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _name_what_stayed_out(file: Path, report: ImportReport, missing: list[str]) -> None:
    for record in report.skipped:
        say(f"skipped {record.row}: {record.reason}")
    if report.skipped_count > len(report.skipped):
        say(f"and {report.skipped_count - len(report.skipped):,} more were skipped")
    if report.other_rows:
        say(f"{_number(report.other_rows, 'lineage row', 'lineage rows')} of other tools left aside: no memories")
    for agent in missing:
        say(f"{_name(file)} holds nothing of agent {cut(agent, AGENT_CELLS)}")


def _name(file: Path) -> str:
    return one_line(click.format_filename(file))


# What a script reads.


def _as_json(file: Path, report: ImportReport) -> dict[str, Any]:
    return {
        "file": click.format_filename(file),
        "agents": {agent: _counts(counts) for agent, counts in report.agents.items()},
        "total": _counts(report.total),
        "skipped": [{"row": record.row, "reason": record.reason} for record in report.skipped],
        "skipped_count": report.skipped_count,
        "other_rows": report.other_rows,
    }


def _counts(counts: ImportCounts) -> dict[str, int]:
    return {
        "memories": counts.memories,
        "soft_deleted": counts.deleted,
        "unchanged": counts.unchanged,
        "events": counts.events,
        "events_unchanged": counts.events_unchanged,
    }


# Progress, always on standard error.


@contextmanager
def _progress(file: Path) -> Iterator[Callable[[int, int], None]]:
    name = cut(file.name, AGENT_CELLS)
    if not sys.stderr.isatty():
        yield _lines(name)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _lines(name: str) -> Callable[[int, int], None]:
    said = 0

    def tell(done: int, total: int) -> None:
        nonlocal said
        if done == total or done - said >= ROWS_PER_LINE:
            said = done
            say(f"{name}: {done:,} of {total:,} rows")

    return tell
