"""What the core hands out: frozen values, no rows, no integer row ids, nothing above the asker's taint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from tfmem_tui.core.level import Level


class Status(StrEnum):
    """How a version stands towards a session."""

    EFFECTIVE = "effective"
    SHADOWED = "shadowed"
    REPLACED = "replaced"
    DELETED = "deleted"
    EXPIRED = "expired"
    EMPTY = "empty"  # a rung with no version at all


@dataclass(frozen=True, slots=True)
class VersionRef:
    """Names one version: the key it belongs to and its random id."""

    key: str
    id: str


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """One saved text of a key at a level, immutable once written (G5). Times are UTC."""

    id: str
    key: str
    level: Level
    content: str
    tags: tuple[str, ...]
    created_at: datetime
    saved_at: datetime
    saved_by: str
    expires_at: datetime | None = None
    ended_at: datetime | None = None
    ended_by: str | None = None
    end_reason: str | None = None  # replaced, deleted, expired

    @property
    def ref(self) -> VersionRef:
        """The name under which the repository finds this version again."""
        return VersionRef(self.key, self.id)


@dataclass(frozen=True, slots=True)
class MemorySummary:
    """A row of a table: like a version, with at most ``PREVIEW_CHARACTERS`` of its content."""

    id: str
    key: str
    level: Level
    preview: str
    size: int  # characters of the whole content
    tags: tuple[str, ...]
    created_at: datetime
    saved_at: datetime
    saved_by: str

    @property
    def ref(self) -> VersionRef:
        """The name under which the repository finds the whole version."""
        return VersionRef(self.key, self.id)


PREVIEW_CHARACTERS = 400


class Order(StrEnum):
    """Columns that a page of memories can be ordered by; ties are newer first, then by key."""

    SAVED = "saved"
    KEY = "key"
    LEVEL = "level"
    CONTENT = "content"
    TAGS = "tags"


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions on *effective* memories (G3: applied after shadowing). All must hold."""

    tags: tuple[str, ...] = ()  # every one of these, exactly
    levels: frozenset[Level] | None = None
    since: datetime | None = None  # saved at or after
    before: datetime | None = None  # saved before
    session: str | None = None  # saved by this session id
    without_tags: tuple[str, ...] = ()  # none of these

    @property
    def is_empty(self) -> bool:
        """Whether no condition is set."""
        return self == Filters()


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in an ordered list: the sort value, saved time (µs) and key of the row it stands on."""

    value: str | int
    saved_at: int
    key: str


@dataclass(frozen=True, slots=True)
class Page:
    """Consecutive effective memories in the asked order."""

    rows: tuple[MemorySummary, ...]
    cursors: tuple[Cursor, ...]  # one for each row
    at_start: bool
    at_end: bool


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search, best first unless another order was asked: opaque places, fetched by ``rows``."""

    places: tuple[int, ...] = field(repr=False)
    query: str = field(repr=False)
    scores: tuple[float, ...] = field(repr=False, default=())  # of the places, where the order is by rank
    complete: bool = True  # False: there are more matches than were collected

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, slots=True)
class Listing:
    """What ``memory_list`` and ``memory_search`` return, in order."""

    memories: tuple[MemoryVersion, ...]
    next_cursor: str | None = None  # list: where the next call goes on
    truncated: bool = False  # search: more would have matched, but the answer was full


@dataclass(frozen=True, slots=True)
class Totals:
    """Exact counts of what a session may see."""

    effective: int
    by_level: Mapping[Level, int]  # effective memories by their own level
    tombstones: int


@dataclass(frozen=True, slots=True)
class TagCount:
    """A tag and the number of effective memories that carry it."""

    tag: str
    count: int


@dataclass(frozen=True, slots=True)
class Rung:
    """One level of a key's ladder as a session sees it."""

    level: Level
    status: Status
    version: MemoryVersion | None  # the live version, else the newest ended one, else None
    versions: int  # how many versions this level holds


@dataclass(frozen=True, slots=True)
class Ladder:
    """A key at every level up to the session's taint, highest first."""

    key: str
    taint: Level
    rungs: tuple[Rung, ...]
    effective: MemoryVersion | None
    uncovers: MemoryVersion | None  # what a delete at the taint would uncover

    @property
    def deletable(self) -> bool:
        """Whether a delete by this session would end a version (G4: only at its own level)."""
        return bool(self.rungs) and self.rungs[0].status is Status.EFFECTIVE


class Outcome(StrEnum):
    """How an act ended, in the audit."""

    ALLOWED = "allowed"
    FORCED = "forced"
    MISSED = "missed"
    INVALID = "invalid"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One link of a level's audit chain. ``at`` is UTC; hashes are lower-case hexadecimal."""

    level: Level
    seq: int
    at: datetime
    session: str
    user: str
    action: str
    key: str | None
    outcome: Outcome
    detail: Mapping[str, object]
    content_hash: str | None
    prev_hash: str
    hash: str


@dataclass(frozen=True, slots=True)
class Activity:
    """Audit events counted: in spans of equal length from the first to the last (UTC), and by action."""

    first: datetime
    last: datetime
    counts: tuple[int, ...]
    actions: tuple[tuple[str, int], ...]  # most frequent first


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The last event of a level's chain, to be kept elsewhere."""

    level: Level
    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What a verification of one level's chain found; ``broken_at`` is the first event that does not hold."""

    level: Level
    events: int
    ok: bool
    broken_at: int | None = None
    reason: str | None = None
