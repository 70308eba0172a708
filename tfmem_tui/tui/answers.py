"""What the gateway answers: the value, that it failed and how, or that nobody waits for it any more."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from tfmem_tui.core import errors
from tfmem_tui.tui.crash import place

T = TypeVar("T")


class Why(StrEnum):
    """The kinds of failure that the screen tells apart."""

    BUSY = "busy"
    ENDED = "session ended"
    READ_ONLY = "read-only"
    REFUSED = "refused"
    UNAVAILABLE = "store unavailable"
    TOO_NEW = "newer store"
    LOST = "file is gone"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """The act was done; ``milliseconds`` is the time it took in its thread."""

    value: T
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Failed:
    """The act was not done; ``message`` speaks to a person and holds no stored text."""

    why: Why
    message: str


@dataclass(frozen=True, slots=True)
class Stale:
    """A newer question was asked meanwhile."""


Answer = Done[T] | Failed | Stale

KINDS: tuple[tuple[type[errors.TfmemError], Why], ...] = (
    (errors.StoreBusy, Why.BUSY),
    (errors.StoreReadOnly, Why.READ_ONLY),
    (errors.StoreTooNew, Why.TOO_NEW),
    (errors.StoreUnavailable, Why.UNAVAILABLE),
    (errors.SessionEnded, Why.ENDED),
)


def failure(error: Exception) -> Failed | Stale:
    """The answer for an exception; one that is not the core's own is named by its place alone."""
    if isinstance(error, errors.StoreInterrupted):
        return Stale()
    if isinstance(error, errors.TfmemError):
        why = next((why for kind, why in KINDS if isinstance(error, kind)), Why.REFUSED)
        return Failed(why, error.message)
    return Failed(Why.FAULT, f"a fault of the program ({type(error).__name__} at {place(error)}); please report it")
