"""The four classification levels and the one rule that every read passes."""

from __future__ import annotations

from enum import IntEnum

from tfmem_tui.core.errors import InvalidInput


class Level(IntEnum):
    """A classification level; the value is its rank, so levels compare as the rules do."""

    PUBLIC = 1
    INTERNAL = 2
    CONFIDENTIAL = 3
    RESTRICTED = 4

    def __str__(self) -> str:
        return self.name

    @classmethod
    def parse(cls, text: str) -> Level:
        """The level named by ``text``, in any case. Raises ``InvalidInput`` for any other text."""
        try:
            return cls[text.strip().upper()]
        except KeyError:
            names = ", ".join(level.name for level in cls)
            raise InvalidInput(f"not a level: expected one of {names}") from None


ALL_LEVELS: tuple[Level, ...] = tuple(Level)


def can_flow_to(source: Level, target: Level) -> bool:
    """Whether what is classified ``source`` may reach a session tainted ``target`` (canFlowTo; G2)."""
    return target >= source


def readable(taint: Level) -> tuple[Level, ...]:
    """The levels that a session at ``taint`` may read, lowest first (G2)."""
    return tuple(level for level in ALL_LEVELS if can_flow_to(level, taint))
