"""Filters as people type them and as chips show them: ``tag``, ``level:INTERNAL``, ``since:7d``, ``action:purge``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import Filters, Outcome
from tfmem_tui.moments import parse_moment

if TYPE_CHECKING:
    from tfmem_tui.core.audit import EventFilters


class FilterError(ValueError):
    """What was typed is no filter; the text says what would be."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One condition: what it is about, and its value as it was typed."""

    kind: str
    value: str

    @property
    def words(self) -> str:
        """As a chip shows it."""
        return f"{self.kind}: {self.value}"


MEMORY_KINDS = ("tag", "level", "since", "before", "session")
EVENT_KINDS = ("session", "action", "outcome", "key", "level", "since", "before")
DELETED_KINDS = ("key",)
MANY = ("tag",)  # of these several may hold at once; a second one of any other kind takes the first one's place


def parse_chip(text: str, kinds: Sequence[str], now: datetime) -> Chip:
    """The condition that was typed; without a kind it is of the first. Raises ``FilterError``."""
    kind, colon, value = text.partition(":")
    kind = kind.strip().lower()
    if not colon or kind not in kinds:
        kind, value = kinds[0], text
    value = value.strip()
    if not value:
        raise FilterError(f"{kind}: what should it be?")
    check = CHECKS.get(kind)
    if check is not None:
        value = check(value, now)
    return Chip(kind, value)


def _level(value: str, _: datetime) -> str:
    try:
        return Level.parse(value).name
    except InvalidInput as error:
        raise FilterError(error.message) from None


def _moment(value: str, now: datetime) -> str:
    try:
        parse_moment(value, now)
    except ValueError as error:
        raise FilterError(str(error)) from None
    return value


def _outcome(value: str, _: datetime) -> str:
    if value.lower() not in set(Outcome):
        raise FilterError(f"an outcome is one of {', '.join(Outcome)}")
    return value.lower()


CHECKS: dict[str, Callable[[str, datetime], str]] = {
    "level": _level,
    "since": _moment,
    "before": _moment,
    "outcome": _outcome,
}


def with_chip(chips: tuple[Chip, ...], chip: Chip) -> tuple[Chip, ...]:
    """The conditions with one more, or with it in the place of another of its kind."""
    if chip in chips:
        return chips
    kept = chips if chip.kind in MANY else tuple(one for one in chips if one.kind != chip.kind)
    return (*kept, chip)


def memory_filters(chips: Sequence[Chip], now: datetime) -> Filters:
    """The core's filters for the chips. ``7d`` is reckoned from ``now``."""
    found = Filters(tags=tuple(one.value for one in chips if one.kind == "tag"))
    for one in chips:
        if one.kind == "level":
            found = replace(found, levels=frozenset({Level.parse(one.value)}))
        elif one.kind == "since":
            found = replace(found, since=parse_moment(one.value, now))
        elif one.kind == "before":
            found = replace(found, before=parse_moment(one.value, now))
        elif one.kind == "session":
            found = replace(found, session=one.value)
    return found


def event_filters(chips: Sequence[Chip], now: datetime) -> EventFilters:
    """The same for audit events."""
    from tfmem_tui.core.audit import EventFilters

    held = {one.kind: one.value for one in chips}
    return EventFilters(
        session=held.get("session"),
        action=held.get("action"),
        outcome=Outcome(held["outcome"]) if "outcome" in held else None,
        key=held.get("key"),
        since=parse_moment(held["since"], now) if "since" in held else None,
        before=parse_moment(held["before"], now) if "before" in held else None,
        level=Level.parse(held["level"]) if "level" in held else None,
    )
