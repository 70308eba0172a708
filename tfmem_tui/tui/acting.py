"""Who the screen acts as, and how the store behind it is doing: frozen values that banner and views are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from tfmem_tui.core.level import Level
from tfmem_tui.tui.answers import Why
from tfmem_tui.tui.keymap import DEFAULT_KEYS, Keymap
from tfmem_tui.tui.signs import Signs

if TYPE_CHECKING:
    from tfmem_tui.core.acting import Session


@dataclass(frozen=True, slots=True)
class Acting:
    """The acting session as it was last read. Calls read the taint anew (G6); this is for showing."""

    session: Session
    name: str  # stored text: a label or an id
    taint: Level
    session_id: str | None = None  # None: a viewer, who writes nothing

    @property
    def writes(self) -> bool:
        """Whether anything can be saved in this session."""
        return self.session_id is not None


class Health(StrEnum):
    """How the store is doing, as the banner says it."""

    OPENING = "opening"
    LIVE = "live"
    BUSY = "busy"
    ENDED = "session ended"
    LOST = "file is gone"
    FAILED = "not open"


@dataclass(frozen=True, slots=True)
class Setting:
    """What stays the same while the screen is open."""

    agent: str
    clearance: Level
    read_only: bool
    signs: Signs
    now: Callable[[], datetime]
    timings: bool = True  # whether measured times are shown
    keymap: Keymap = DEFAULT_KEYS


UNWELL = {
    Why.BUSY: Health.BUSY,
    Why.ENDED: Health.ENDED,
    Why.LOST: Health.LOST,
    Why.UNAVAILABLE: Health.FAILED,
    Why.TOO_NEW: Health.FAILED,
}
