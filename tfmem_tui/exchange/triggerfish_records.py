"""One row of a Triggerfish database, its JSON, as one record to import. What cannot be read is refused with a reason.

Nothing here opens a file; reasons name fields and limits and never repeat stored text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.home import encode_agent
from tfmem_tui.core.importing import ImportedEvent, ImportedMemory
from tfmem_tui.core.level import Level
from tfmem_tui.core.validation import check_content, check_key, check_tags
from tfmem_tui.text import cut

MEMORY_PREFIX = "memory:"
LINEAGE_PREFIX = "lineage:"
LONGEST_NAME = 256  # of a session, a user, an action: they are shown in one line
LONGEST_QUERY = 1_000  # as much of a search as the audit keeps
SHOWN_ROW_CELLS = 120
MEMORY_ACCESS = "memory_access"
KEYED = frozenset({"memory_save", "memory_get", "memory_delete"})


@dataclass(frozen=True, slots=True)
class SkippedRecord:
    """A record that stays out: its row key, made safe for a terminal and cut, and why. Never content."""

    row: str
    reason: str
    agent: str | None = None  # whose it says to be, where it says so


@dataclass(frozen=True, slots=True)
class Origin:
    """An event of the memory tools, and what it says about whose it is."""

    event: ImportedEvent
    agent: str | None  # named by the memory tools themselves
    accessed_by: str


def shown_row(row_key: str) -> str:
    """A row key as it may be printed."""
    return cut(row_key, SHOWN_ROW_CELLS)


class Fields:
    """The fields of one JSON object, each read with the type that it must have."""

    def __init__(self, values: Mapping[str, object], inside: str = "") -> None:
        self._values = values
        self._inside = inside

    @classmethod
    def parse(cls, value: object) -> Fields:
        """The object in a row's value. Raises ``InvalidInput`` where there is none."""
        if isinstance(value, bytes):
            try:
                value = value.decode("utf-8")
            except UnicodeDecodeError:
                raise InvalidInput("the value is not UTF-8 text") from None
        if not isinstance(value, str):
            raise InvalidInput("the value is not text")
        try:
            parsed = json.loads(value)
        except (ValueError, RecursionError):
            raise InvalidInput("the value is not JSON") from None
        if not isinstance(parsed, dict):
            raise InvalidInput("the value is not a JSON object")
        return cls(parsed)

    def required(self, name: str) -> object:
        """Any value but none at all."""
        if self._values.get(name) is None:
            raise InvalidInput(f"{self._inside}{name} is missing")
        return self._values[name]

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self._values.get(name) is not None

    def text(self, name: str) -> str:
        """A text without lone surrogates and NUL, of any length."""
        value = self.required(name)
        if not isinstance(value, str):
            raise InvalidInput(f"{self._inside}{name} is not text")
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise InvalidInput(f"{self._inside}{name} holds a lone surrogate, which is no Unicode text") from None
        if "\x00" in value:
            raise InvalidInput(f"{self._inside}{name} holds a NUL character")
        return value

    def name(self, name: str) -> str:
        """A text that names something: in one line, not blank, at most 256 characters."""
        value = self.text(name)
        if not value.strip():
            raise InvalidInput(f"{self._inside}{name} is empty or blank")
        if len(value) > LONGEST_NAME:
            raise InvalidInput(f"{self._inside}{name} is too long: {len(value)} of at most {LONGEST_NAME} characters")
        if any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in value):
            raise InvalidInput(f"{self._inside}{name} holds a control character")
        return value

    def agent(self, name: str) -> str:
        """The name of an agent that can have a store. Raises ``InvalidInput`` for any other."""
        value = self.text(name)
        encode_agent(value)
        return value

    def flag(self, name: str) -> bool:
        """True or false, as JSON has them."""
        value = self.required(name)
        if not isinstance(value, bool):
            raise InvalidInput(f"{self._inside}{name} is neither true nor false")
        return value

    def time(self, name: str) -> datetime:
        """A time as JavaScript writes it, in UTC; one without a zone is refused, for it could mean anything."""
        value = self.text(name)
        try:
            moment = datetime.fromisoformat(value)
            if moment.tzinfo is None:
                raise InvalidInput(f"{self._inside}{name} has no time zone")
            return moment.astimezone(UTC)
        except (ValueError, OverflowError) as error:
            if isinstance(error, InvalidInput):
                raise
            raise InvalidInput(f"{self._inside}{name} is not a time") from None

    def level(self, name: str) -> Level:
        """A level, spelled exactly as Triggerfish does."""
        value = self.text(name)
        if value not in Level.__members__:
            raise InvalidInput(f"{self._inside}{name} is not a level")
        return Level[value]

    def object(self, name: str) -> Fields:
        """The fields of an object inside this one."""
        value = self.required(name)
        if not isinstance(value, dict):
            raise InvalidInput(f"{self._inside}{name} is not an object")
        return Fields(value, f"{self._inside}{name}.")


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A memory row as it was read, before the time of a deleted one's last save is known."""

    agent: str
    memory: ImportedMemory
    lineage_id: str | None


def read_memory(row_key: str, value: object) -> MemoryRow:
    """The memory in one row. Every field comes from the JSON; the row key only may not contradict it.

    ``expired`` is Triggerfish's soft delete, and ``updatedAt`` the time of it. Raises ``InvalidInput``.
    """
    fields = Fields.parse(value)
    agent, level = fields.agent("agentId"), fields.level("classification")
    if not row_key.startswith(f"{MEMORY_PREFIX}{agent}:{level.name}:"):
        # A value that claims another agent or a lower level than the row it lies in must not slip through (G2, G8).
        raise InvalidInput("agentId and classification contradict the row key")
    created, updated = fields.time("createdAt"), fields.time("updatedAt")
    deleted = fields.flag("expired")
    memory = ImportedMemory(
        key=check_key(fields.text("key")),
        level=level,
        content=check_content(fields.text("content")),
        tags=check_tags(fields.required("tags")),
        created_at=created,
        saved_at=min(created, updated) if deleted else updated,
        saved_by=fields.name("sourceSessionId"),
        expires_at=fields.time("expiresAt") if fields.has("expiresAt") else None,
        deleted_at=updated if deleted else None,
    )
    return MemoryRow(agent, memory, fields.text("lineageId") if fields.has("lineageId") else None)


def time_of_save(memory: ImportedMemory, lineage: object) -> datetime:
    """When a soft-deleted memory was last saved, by its lineage row; its creation where that says nothing usable.

    A lineage row of another key, level or act proves nothing, and one of a higher level may not be told of (G7).
    """
    try:
        fields = Fields.parse(lineage)
        origin, level = fields.object("origin"), fields.object("classification").level("level")
        saved = max(origin.time("accessed_at"), memory.created_at)
        ours = (origin.text("source_name"), level, origin.text("access_method"))
    except InvalidInput:
        return memory.saved_at
    if ours != (memory.key, memory.level, "memory_save") or memory.deleted_at is None or saved > memory.deleted_at:
        return memory.saved_at
    return saved


def read_lineage(row_key: str, value: object) -> Origin | None:
    """The act of a memory tool in one lineage row; ``None`` for a row about anything else than memory.

    Triggerfish records an act on memory twice: the memory tools with the key (or query) as ``source_name`` and the
    agent as ``accessed_by``, the tool dispatcher with the tool's name and the user. Raises ``InvalidInput``.
    """
    fields = Fields.parse(value)
    origin = fields.object("origin")
    action = origin.name("access_method")
    if not action.startswith("memory_"):
        return None
    ident = row_key.removeprefix(LINEAGE_PREFIX)
    if fields.text("lineage_id") != ident:
        raise InvalidInput("lineage_id contradicts the row key")
    classification = fields.object("classification")
    reason = classification.text("reason") if classification.has("reason") else ""
    by_tools = (
        reason.startswith("Memory ") and origin.has("source_type") and origin.text("source_type") == MEMORY_ACCESS
    )
    subject = origin.text("source_name")
    key, detail = _subject(action, subject, dispatched=reason.startswith("Tool call:"))
    event = ImportedEvent(
        source_id=ident,
        level=classification.level("level"),
        at=origin.time("accessed_at"),
        session=fields.name("sessionId"),
        user=origin.name("accessed_by"),
        action=action,
        key=key,
        detail={"imported": "Triggerfish", **detail},
    )
    return Origin(event, origin.agent("accessed_by") if by_tools else None, event.user)


def _subject(action: str, subject: str, *, dispatched: bool) -> tuple[str | None, dict[str, object]]:
    if dispatched:
        return None, {"recorded": "tool call"}
    if action in KEYED:
        return check_key(subject), {}
    return None, {"query" if action == "memory_search" else "about": subject[:LONGEST_QUERY]}
