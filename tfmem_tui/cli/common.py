"""What the commands share: opening the right store, acting as the right session, printing data."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.cells import cell_len

from tfmem_tui.config import load_settings
from tfmem_tui.core.errors import InvalidInput, SessionEnded
from tfmem_tui.core.home import agent_path, agents, default_home
from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.core.store import AgentSession, Store, Viewer
from tfmem_tui.text import cut, one_line

DEFAULT_AGENT = "main"
GLYPHS = {Level.PUBLIC: "○", Level.INTERNAL: "◔", Level.CONFIDENTIAL: "◑", Level.RESTRICTED: "●"}
WIDTH = 120
Function = TypeVar("Function", bound=Callable[..., Any])


class LevelType(click.ParamType[Level]):
    """A level by name, in any case."""

    name = "LEVEL"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Level:
        if isinstance(value, Level):
            return value
        try:
            return Level.parse(value)
        except InvalidInput as error:
            self.fail(error.message, param, ctx)


UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


def parse_age(text: str) -> timedelta | None:
    """A length of time such as ``90s``, ``5m``, ``3h``, ``7d``, ``2w``; ``None`` for any other text."""
    if text[-1:] in UNITS and text[:-1].isdecimal() and len(text) <= 9:
        return timedelta(seconds=int(text[:-1]) * UNITS[text[-1]])
    return None


class AgeType(click.ParamType[timedelta]):
    """A length of time."""

    name = "AGE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        age = value if isinstance(value, timedelta) else parse_age(str(value).strip())
        if age is None:
            self.fail("expected a length of time such as 90d, 12w or 3h", param, ctx)
        return age


class MomentType(click.ParamType[datetime]):
    """A time: ISO 8601, or how long ago (``90s``, ``5m``, ``3h``, ``7d``, ``2w``). Without a zone it is UTC."""

    name = "TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        if isinstance(value, datetime):
            return value
        text = str(value).strip()
        try:
            age = parse_age(text)
            moment = datetime.now(UTC) - age if age is not None else datetime.fromisoformat(text)
        except (ValueError, OverflowError):
            self.fail("expected a time such as 2026-03-01, 2026-03-01T14:00Z, 7d or 3h", param, ctx)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


LEVEL, MOMENT, AGE, PATH = LevelType(), MomentType(), AgeType(), click.Path(path_type=Path)


@dataclass(frozen=True)
class Place:
    """Which store a command is about."""

    path: Path
    agent: str


def store_options(function: Function) -> Function:
    """``--agent``, ``--home`` and ``--db``, handed on as one ``place``."""

    @click.option("--agent", metavar="NAME", help="Whose memory: the name of the agent.")
    @click.option("--home", type=PATH, metavar="DIR", help="The folder that holds the stores.")
    @click.option("--db", type=PATH, metavar="FILE", help="A store by its file, instead of by its agent.")
    @wraps(function)
    def wrapped(*args: Any, agent: str | None, home: Path | None, db: Path | None, **kwargs: Any) -> Any:
        return function(*args, place=find_place(agent, home, db), **kwargs)

    return wrapped  # type: ignore[return-value]  # the same function with the options taken


def find_place(agent: str | None, home: Path | None, db: Path | None) -> Place:
    """The store that is meant: by file, else the named agent, else the only one there is, else ``main``."""
    settings = load_settings()
    if db is not None:
        if home is not None or agent is not None:
            raise click.UsageError("--db names a file; --agent and --home do not go with it")
        return Place(db, db.stem)
    folder = home or settings.home or default_home()
    name = agent or settings.agent
    if name is None:
        there = agents(folder)
        name = there[0] if len(there) == 1 else DEFAULT_AGENT
    return Place(agent_path(folder, name), name)


def open_store(place: Place, *, create: bool = False, read_only: bool = False) -> Store:
    """The store at ``place``. Raises ``StoreUnavailable`` where it is missing and not to be made."""
    return Store.open(place.path, agent=place.agent, create=create, read_only=read_only or load_settings().read_only)


def acting_options(function: Function) -> Function:
    """``--taint`` and ``--session``, which exclude each other."""

    @click.option("--taint", type=LEVEL, help="Act as a session at this level.")
    @click.option("--session", "session_id", metavar="ID", help="Act as this session, by id or label.")
    @wraps(function)
    def wrapped(*args: Any, taint: Level | None, session_id: str | None, **kwargs: Any) -> Any:
        if taint is not None and session_id is not None:
            raise click.UsageError("--taint and --session exclude each other")
        return function(*args, taint=taint, session_id=session_id, **kwargs)

    return wrapped  # type: ignore[return-value]  # the same function with the options taken


def find_session(store: Store, name: str) -> AgentSession:
    """The session with this id, or else with this label. Raises ``SessionEnded``."""
    try:
        return store.session(name)
    except SessionEnded:
        found = store.operator().labelled(name)
        if found is None:
            raise
        return found


def looking(store: Store, taint: Level | None, session_id: str | None) -> AgentSession | Viewer:
    """Who a read acts as: the named session, or the operator looking at a level, PUBLIC unless told otherwise."""
    if session_id is not None:
        return find_session(store, session_id)
    return store.operator().viewer(taint or Level.PUBLIC)


def json_option(function: Function) -> Function:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")(function)


def to_json(data: Any) -> str:
    """JSON on one line; characters that a terminal would obey or nobody would see are escaped."""
    text = json.dumps(data, ensure_ascii=False, separators=(", ", ": "))
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def emit(data: Any) -> None:
    """Prints data as one JSON document."""
    click.echo(to_json(data))


def say(text: str) -> None:
    """Words for the person, on standard error."""
    click.echo(one_line(text), err=True)


def level_word(level: Level) -> str:
    """Glyph and name: never told by colour alone."""
    return f"{GLYPHS[level]} {level.name}"


def moment_word(moment: datetime) -> str:
    """Date and time in UTC, to the second."""
    return f"{moment:%Y-%m-%d %H:%M:%S}Z"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, widest: Mapping[int, int] | None = None) -> None:
    """Prints aligned columns, measured in terminal cells; stored text is made safe and cut to its column."""
    limits = widest or {}
    made = [[cut(cell, limits.get(at, WIDTH)) for at, cell in enumerate(row)] for row in rows]
    widths = [max([len(head), *(cell_len(row[at]) for row in made)]) for at, head in enumerate(headings)]
    for row in [list(headings), *made]:
        cells = [cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())


def confirmed(question: str, yes: bool) -> bool:
    """Asks on a terminal; elsewhere ``--yes`` must have been given."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise click.UsageError("this needs --yes where there is no terminal to ask on")
    return click.confirm(question, err=True)


def typed(word: str, warning: str) -> bool:
    """Asks that ``word`` be typed, on a terminal; elsewhere ``--yes`` must have been given."""
    if not sys.stdin.isatty():
        raise click.UsageError("this needs --yes where there is no terminal to ask on")
    return str(click.prompt(f"{warning} Type {word!r} to go on", err=True, default="", show_default=False)) == word


LEVEL_NAMES = ", ".join(level.name for level in ALL_LEVELS)
