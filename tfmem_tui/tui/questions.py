"""What the screen asks of the core: each function makes a job that the gateway runs in a thread.

Everything is asked as the acting session, whose taint the core reads anew; no rule of the gate lives here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from tfmem_tui.core.level import Level
from tfmem_tui.core.records import (
    Activity,
    AuditEvent,
    ChainReport,
    Ladder,
    MemoryVersion,
    TagCount,
    Totals,
    VersionRef,
)
from tfmem_tui.tui.acting import Acting, Setting
from tfmem_tui.tui.safe_text import BLOCK_CHARACTERS, Span

if TYPE_CHECKING:
    from tfmem_tui.agent.tools import ToolAnswer
    from tfmem_tui.core.acting import AgentSession
    from tfmem_tui.core.audit import EventFilters
    from tfmem_tui.core.purging import PurgeReport
    from tfmem_tui.core.session import Operator
    from tfmem_tui.core.store import Store

T = TypeVar("T")
MOST_TAGS_PICTURED = 12
Job = Callable[["Store"], T]
Report = Callable[[int, int | None], None]  # done, and of how many; raises where the act is to stop
LongJob = Callable[["Store", Report], T]


@dataclass(frozen=True, slots=True)
class Pulse:
    """The acting session's taint now, and a text that changes when something it may see does."""

    taint: Level
    token: str


@dataclass(frozen=True, slots=True)
class Detail:
    """A key as the acting session has it: what it gets, and the ladder that says why."""

    key: str
    version: MemoryVersion | None
    ladder: Ladder
    spans: tuple[Span, ...] = ()  # places in the content that the search words match


@dataclass(frozen=True, slots=True)
class Inspected:
    """All that the inspector shows of a key."""

    ladder: Ladder
    versions: tuple[MemoryVersion, ...]


@dataclass(frozen=True, slots=True)
class Pictured:
    """Counts that a person would rather look at than read."""

    activity: Activity | None
    totals: Totals
    tags: tuple[TagCount, ...]


def _operator(store: Store, setting: Setting) -> Operator:
    return store.operator(clearance=setting.clearance)


def as_session(session: AgentSession) -> Acting:
    """The acting value of a stored session."""
    return Acting(session, session.label or session.id, session.taint, session.id)


def act_at(setting: Setting, level: Level) -> Job[Acting]:
    """Acts as the operator's scratch session at ``level``; on a read-only store as a viewer."""

    def job(store: Store) -> Acting:
        operator = _operator(store, setting)
        if store.read_only:
            return Acting(operator.viewer(level), f"viewer-{level.name.lower()}", level)
        return as_session(operator.scratch(level))

    return job


def act_as(setting: Setting, session_id: str) -> Job[Acting]:
    """Acts as a stored session; a read-only store is looked at as that session would."""

    def job(store: Store) -> Acting:
        found = next((one for one in _operator(store, setting).sessions() if one.id == session_id), None)
        return as_session(found or store.session(session_id))

    return job


def sessions(setting: Setting) -> Job[list[AgentSession]]:
    """The sessions that are going on, within the clearance, newest first."""
    return lambda store: _operator(store, setting).sessions()


def start(setting: Setting, level: Level, label: str | None) -> Job[Acting]:
    """Starts an agent session at a level."""
    return lambda store: as_session(_operator(store, setting).start(level, label=label))


def escalate(setting: Setting, session_id: str, level: Level) -> Job[Acting]:
    """Raises a session for good."""
    return lambda store: as_session(_operator(store, setting).escalate(session_id, level))


def reset(setting: Setting, session_id: str) -> Job[Acting]:
    """Ends a session; the answer is the fresh one at PUBLIC."""
    return lambda store: as_session(_operator(store, setting).reset(session_id))


def pulse(acting: Acting) -> Job[Pulse]:
    """What tells whether the views are still true."""

    def job(store: Store) -> Pulse:
        memories = store.memories(acting.session)
        token = memories.change_token()
        return Pulse(memories.taint(), token)

    return job


def detail(acting: Acting, key: str, words: str = "") -> Job[Detail]:
    """A key in full; ``words`` are those it was found by."""

    def job(store: Store) -> Detail:
        ladder = store.memories(acting.session).ladder(key)
        found = ladder.effective
        if found is None or not words.strip():
            return Detail(key, found, ladder)
        from tfmem_tui.core.query import highlights, parse

        spans = highlights(found.content[:BLOCK_CHARACTERS], parse(words, prefix_last=True, operators=True))
        return Detail(key, found, ladder, tuple(spans))

    return job


def effective(acting: Acting, key: str) -> Job[MemoryVersion | None]:
    """What the session gets for a key."""
    return lambda store: store.memories(acting.session).effective(key)


def effective_of(acting: Acting, keys: Sequence[str]) -> Job[tuple[MemoryVersion, ...]]:
    """What the session gets for each of the keys."""
    return lambda store: tuple(store.memories(acting.session).of_keys(keys))


def inspect(acting: Acting, key: str) -> Job[Inspected]:
    """A key's ladder and its versions."""

    def job(store: Store) -> Inspected:
        memories = store.memories(acting.session)
        return Inspected(memories.ladder(key), memories.versions(key))

    return job


def total(acting: Acting) -> Job[int]:
    """How many memories the session may see in all; exact."""
    return lambda store: store.memories(acting.session).count()


def tags(acting: Acting, starting_with: str = "") -> Job[tuple[TagCount, ...]]:
    """Tags of effective memories, most frequent first."""
    return lambda store: store.memories(acting.session).tags(limit=200, starting_with=starting_with)


def tombstones(acting: Acting, key: str, skip: int, limit: int) -> Job[tuple[MemoryVersion, ...]]:
    """Deleted versions of keys that contain ``key``, the latest delete first."""
    return lambda store: store.memories(acting.session).tombstones(key_contains=key, skip=skip, limit=limit)


def tombstone_count(acting: Acting, key: str) -> Job[int]:
    """How many of them there are to see."""
    return lambda store: store.memories(acting.session).tombstone_count(key_contains=key)


def events(acting: Acting, filters: EventFilters, skip: int, limit: int) -> Job[tuple[AuditEvent, ...]]:
    """Audit events, newest first."""
    return lambda store: store.audit(acting.session).events(filters, skip=skip, limit=limit)


def event_count(acting: Acting, filters: EventFilters) -> Job[int]:
    """How many of them there are to see."""
    return lambda store: store.audit(acting.session).count(filters)


def pictured(acting: Acting, spans: int) -> Job[Pictured]:
    """What the audit's pictures show: events over time, memories by level and by tag."""

    def job(store: Store) -> Pictured:
        memories = store.memories(acting.session)
        activity = store.audit(acting.session).activity(spans=spans)
        return Pictured(activity, memories.totals(), memories.tags(limit=MOST_TAGS_PICTURED))

    return job


def restore(setting: Setting, acting: Acting, ref: VersionRef) -> Job[MemoryVersion]:
    """Saves a tombstone's text again at its own level; the tombstone stays (G5)."""

    def job(store: Store) -> MemoryVersion:
        operator = _operator(store, setting)
        return operator.restore(_hand(operator, acting), ref)

    return job


def purgeable(setting: Setting, acting: Acting, older_than: timedelta) -> Job[list[MemoryVersion]]:
    """The ended versions that a purge by age would take, as far as the acting session sees."""

    def job(store: Store) -> list[MemoryVersion]:
        found = _operator(store, setting).purgeable(older_than)
        return [one for one in found if one.level <= acting.taint]

    return job


def purge(setting: Setting, acting: Acting, refs: Sequence[VersionRef]) -> Job[PurgeReport]:
    """Removes ended versions for good."""

    def job(store: Store) -> PurgeReport:
        operator = _operator(store, setting)
        return operator.purge(_hand(operator, acting), refs)

    return job


def _hand(operator: Operator, acting: Acting) -> AgentSession:
    """The operator's own session at the acting taint: a trusted act is the person's, whomever the screen acts as."""
    return operator.scratch(acting.taint)


def verify(acting: Acting) -> LongJob[tuple[ChainReport, ...]]:
    """Walks the chain of every visible level."""

    def job(store: Store, report: Report) -> tuple[ChainReport, ...]:
        trail = store.audit(acting.session)
        total = trail.count()
        return trail.verify(progress=lambda done: report(done, total))

    return job


def tool(acting: Acting, name: str, arguments: Mapping[str, object]) -> Job[ToolAnswer]:
    """Plays one tool call through the hook and the gate."""

    def job(store: Store) -> ToolAnswer:
        from tfmem_tui.agent.tools import run_tool

        return run_tool(store.memories(acting.session), name, dict(arguments))

    return job


def snapshot() -> Job[Store]:
    """A throw-away copy of the store as it is."""
    return lambda store: store.snapshot()


def schemas() -> Job[list[dict[str, Any]]]:
    """Name, description and JSON schema of each tool."""

    def job(store: Store) -> list[dict[str, Any]]:
        from tfmem_tui.agent.tools import tool_schemas

        return tool_schemas()

    return job
