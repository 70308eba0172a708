"""Versions and events as plain data and back: what JSON Lines and YAML share. Times are ISO 8601 in UTC, to the µs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.importing import ImportedEvent, ImportedVersion
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import AuditEvent, MemoryVersion

FORMAT = 1
END_REASONS = ("replaced", "deleted", "expired")


def header(agent: str, taint: Level, history: bool) -> dict[str, Any]:
    """The first record of an export: what this is, and up to which level."""
    return {"type": "tfmem", "format": FORMAT, "agent": agent, "taint": taint.name, "history": history}


def to_plain(record: MemoryVersion | AuditEvent) -> dict[str, Any]:
    """A record as JSON has it; what it has not is left out."""
    return _event(record) if isinstance(record, AuditEvent) else _memory(record)


def _memory(version: MemoryVersion) -> dict[str, Any]:
    data: dict[str, Any] = {
        "type": "memory",
        "id": version.id,
        "key": version.key,
        "level": version.level.name,
        "content": version.content,
        "tags": list(version.tags),
        "created_at": _time(version.created_at),
        "saved_at": _time(version.saved_at),
        "saved_by": version.saved_by,
    }
    optional = {
        "expires_at": version.expires_at and _time(version.expires_at),
        "ended_at": version.ended_at and _time(version.ended_at),
        "ended_by": version.ended_by,
        "end_reason": version.end_reason,
    }
    return data | {name: value for name, value in optional.items() if value is not None}


def _event(event: AuditEvent) -> dict[str, Any]:
    return {
        "type": "event",
        "level": event.level.name,
        "seq": event.seq,
        "at": _time(event.at),
        "session": event.session,
        "user": event.user,
        "action": event.action,
        "key": event.key,
        "outcome": str(event.outcome),
        "detail": dict(event.detail),
        "hash": event.hash,
    }


def from_plain(data: object) -> ImportedVersion | ImportedEvent | None:
    """The record that ``to_plain`` made ``data`` of; ``None`` for a header. Raises ``InvalidInput``, saying why."""
    if not isinstance(data, Mapping):
        raise InvalidInput("not an object")
    kind = data.get("type")
    if kind == "tfmem":
        if data.get("format") != FORMAT:
            raise InvalidInput(f"made by a newer tfmem: format {data.get('format')!r}, this one reads {FORMAT}")
        return None
    if kind == "memory":
        return ImportedVersion(_version_of(data))
    if kind == "event":
        return _event_of(data)
    raise InvalidInput("type must be tfmem, memory or event")


def _version_of(data: Mapping[str, Any]) -> MemoryVersion:
    tags = data.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise InvalidInput("tags must be a list of texts")
    ended_at, reason = _optional_moment(data, "ended_at"), data.get("end_reason")
    if (ended_at is None) != (reason is None) or reason not in (None, *END_REASONS):
        raise InvalidInput(f"ended_at and end_reason go together, and the reason is one of {', '.join(END_REASONS)}")
    ended_by = data.get("ended_by")
    return MemoryVersion(
        id=_text(data, "id"),
        key=_text(data, "key"),
        level=Level.parse(_text(data, "level")),
        content=_text(data, "content"),
        tags=tuple(tags),
        created_at=_moment(data, "created_at"),
        saved_at=_moment(data, "saved_at"),
        saved_by=_text(data, "saved_by"),
        expires_at=_optional_moment(data, "expires_at"),
        ended_at=ended_at,
        ended_by=None if ended_by is None else _text(data, "ended_by"),
        end_reason=reason,
    )


def _event_of(data: Mapping[str, Any]) -> ImportedEvent:
    detail, seq, key = data.get("detail") or {}, data.get("seq"), data.get("key")
    if not isinstance(detail, dict):
        raise InvalidInput("detail must be an object")
    if not isinstance(seq, int) or isinstance(seq, bool):
        raise InvalidInput("seq must be a whole number")
    return ImportedEvent(
        source_id=f"{seq}:{_text(data, 'hash')[:64]}",
        level=Level.parse(_text(data, "level")),
        at=_moment(data, "at"),
        session=_text(data, "session"),
        user=_text(data, "user"),
        action=_text(data, "action"),
        key=None if key is None else _text(data, "key"),
        detail=detail | ({"outcome": data["outcome"]} if data.get("outcome") not in (None, "allowed") else {}),
    )


def _text(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a text")
    return value


def _moment(data: Mapping[str, Any], name: str) -> datetime:
    try:
        moment = datetime.fromisoformat(_text(data, name))
    except ValueError as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{name} is no time in ISO 8601") from None
    if moment.tzinfo is None:
        raise InvalidInput(f"{name} has no time zone")
    return moment.astimezone(UTC)


def _optional_moment(data: Mapping[str, Any], name: str) -> datetime | None:
    return None if data.get(name) is None else _moment(data, name)


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")
