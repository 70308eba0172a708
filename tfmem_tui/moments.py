"""Moments and lengths of time as people type them, on the command line and on the screen alike."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
EXPECTED = "expected a time such as 2026-03-01, 2026-03-01T14:00Z, 7d or 3h"


def parse_age(text: str) -> timedelta | None:
    """A length of time such as ``90s``, ``5m``, ``3h``, ``7d``, ``2w``; ``None`` for any other text."""
    if text[-1:] in UNITS and text[:-1].isdecimal() and len(text) <= 9:
        return timedelta(seconds=int(text[:-1]) * UNITS[text[-1]])
    return None


def parse_moment(text: str, now: datetime) -> datetime:
    """A time in ISO 8601, or how long before ``now``; without a zone it is UTC. Raises ``ValueError``."""
    try:
        age = parse_age(text.strip())
        moment = now - age if age is not None else datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        raise ValueError(EXPECTED) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
