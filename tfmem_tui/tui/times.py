"""Moments as the screen shows them: short ages in tables, exact UTC elsewhere."""

from __future__ import annotations

from datetime import UTC, datetime

STEPS = ((60, 1, "s"), (3600, 60, "min"), (86_400, 3600, "h"), (100 * 86_400, 86_400, "d"))


def utc_now() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


def ago(moment: datetime, now: datetime) -> str:
    """The age in at most 8 cells: ``2 min``, ``3 d``; beyond a hundred days, and ahead of ``now``, the month."""
    seconds = int((now - moment).total_seconds())
    if seconds >= 0:
        for limit, unit, name in STEPS:
            if seconds < limit:
                return f"{seconds // unit} {name}"
    return f"{moment:%Y-%m}"


def exact(moment: datetime) -> str:
    """Date and time of day in UTC, to the second."""
    return f"{moment:%Y-%m-%d %H:%M:%S}Z"
