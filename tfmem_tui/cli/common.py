"""What the commands share: opening the right store, acting as the right session, printing data."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.cells import cell_len

from tfmem_tui.core.errors import InvalidInput, SessionEnded, StoreUnavailable
from tfmem_tui.core.home import agent_path, agents, default_home
from tfmem_tui.core.level import Level
from tfmem_tui.moments import parse_age, parse_moment
from tfmem_tui.preferences import load_preferences
from tfmem_tui.text import cut, one_line

if TYPE_CHECKING:
    from tfmem_tui.core.store import AgentSession, Store, Viewer

DEFAULT_AGENT = "main"
MOST_AGENTS = 5  # named in an error
GLYPHS = {Level.PUBLIC: "○", Level.INTERNAL: "◔", Level.CONFIDENTIAL: "◑", Level.RESTRICTED: "●"}
WIDTH = 120
Function = TypeVar("Function", bound=Callable[..., Any])


class TextType(click.ParamType[str]):
    """Text that a store can be asked for: bytes that are no UTF-8 come as lone surrogates, and none is stored."""

    name = "TEXT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not is_unicode(str(value)):
            self.fail("this is not text in UTF-8", param, ctx)
        return str(value)


def is_unicode(text: str) -> bool:
    """Whether ``text`` is free of lone surrogates."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


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
        try:
            return parse_moment(str(value), datetime.now(UTC))
        except ValueError as error:
            self.fail(str(error), param, ctx)


LEVEL, MOMENT, AGE, TEXT, PATH = LevelType(), MomentType(), AgeType(), TextType(), click.Path(path_type=Path)


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
    settings = load_preferences()
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
    reading = read_only or load_preferences().read_only
    if (reading or not create) and _missing(place.path):
        raise StoreUnavailable(f"there is no store at {place.path}; {_what_to_do(place)}")
    from tfmem_tui.core.store import Store

    store = Store.open(place.path, agent=place.agent, create=create, read_only=reading)
    for warning in store.warnings:
        say(warning)
    return store


def _missing(path: Path) -> bool:
    try:
        return not path.exists()
    except OSError:
        return False  # there is something, and opening it says what


def _what_to_do(place: Place) -> str:
    folder = place.path.parent
    others = agents(folder.parent) if folder.name == "agents" else []
    if others:
        named = ", ".join(others[:MOST_AGENTS]) + (", …" if len(others) > MOST_AGENTS else "")
        return f"--agent names one of those here: {named}"
    return "`tfmem import`, `tfmem call` and `tfmem sessions start` make one"


def acting_options(function: Function) -> Function:
    """``--taint`` and ``--session``, which exclude each other."""

    @click.option("--taint", type=LEVEL, help="Act as a session at this level.")
    @click.option("--session", "session_id", type=TEXT, metavar="ID", help="Act as this session, by id or label.")
    @wraps(function)
    def wrapped(*args: Any, taint: Level | None, session_id: str | None, **kwargs: Any) -> Any:
        if taint is not None and session_id is not None:
            raise click.UsageError("--taint and --session exclude each other")
        return function(*args, taint=taint, session_id=session_id, **kwargs)

    return wrapped  # type: ignore[return-value]  # the same function with the options taken


def find_session(store: Store, name: str) -> AgentSession:
    """The session with this id, or else with this label. Raises ``SessionEnded``, ``InvalidInput`` for no text."""
    if not is_unicode(name):
        raise InvalidInput("the session's name holds a lone surrogate, which is no Unicode text")
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


def calling(store: Store, taint: Level | None, session_id: str | None) -> AgentSession | Viewer:
    """Who a tool call acts as: the named session, or a new one. Raises ``SessionEnded`` where there never was one.

    A session that has ended is given too: the gate refuses its calls, and the audit is to say so. Where nothing can
    be written no session can start, and the operator's look takes its place.
    """
    if session_id is not None:
        try:
            return find_session(store, session_id)
        except SessionEnded:
            for one in store.operator().sessions(include_ended=True):
                if one.id == session_id:
                    return one
            raise
    operator, level = store.operator(), taint or Level.PUBLIC
    return operator.viewer(level) if store.read_only else operator.start(level)


def json_option(function: Function) -> Function:
    """``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")(function)


def to_json(data: Any) -> str:
    """JSON on one line; what a terminal would obey, nobody would see or standard output cannot hold is escaped."""
    text = json.dumps(data, ensure_ascii=False, separators=(", ", ": "))
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8", "surrogatepass")
    except UnicodeEncodeError:
        return json.dumps(data)
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
