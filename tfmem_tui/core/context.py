"""What every part of the core is handed: the storage, the clock, the source of ids and the operator's name."""

from __future__ import annotations

import base64
import getpass
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

from tfmem_tui.core.errors import StoreUnavailable
from tfmem_tui.core.level import Level

if TYPE_CHECKING:
    from tfmem_tui.core.storage import StorageProvider

Clock = Callable[[], datetime]
Word = TypeVar("Word", bound=Enum)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class Entropy(Protocol):
    """A source of ids and salts, one sequence per level, so that a history can be replayed exactly (G7)."""

    def id(self, level: Level) -> str:
        """A fresh id for something made at ``level``."""

    def salt(self, level: Level) -> bytes:
        """16 fresh bytes for a hash made at ``level``."""


class SystemEntropy:
    """Ids and salts from the operating system: the same unguessable source for every level."""

    def id(self, level: Level) -> str:
        return base64.b32encode(secrets.token_bytes(10)).decode().lower()

    def salt(self, level: Level) -> bytes:
        return secrets.token_bytes(16)


def system_clock() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


def to_micros(moment: datetime) -> int:
    """Microseconds since 1970 UTC, as the store keeps every time."""
    return (moment - EPOCH) // MICROSECOND


def from_micros(micros: int) -> datetime:
    """The UTC moment that the store keeps as ``micros``."""
    return EPOCH + micros * MICROSECOND


def stored(kind: type[Word], value: object) -> Word:
    """A level or outcome as a row holds it. Raises ``StoreUnavailable`` for one that no tfmem has written."""
    try:
        return kind(value)
    except ValueError:
        raise StoreUnavailable("a stored row is damaged; a backup, or `tfmem doctor`, may help") from None


def optional_time(micros: int | None) -> datetime | None:
    """Like ``from_micros``, for a time that may be absent."""
    return None if micros is None else from_micros(micros)


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user id without an entry, as in some containers
        return "unknown"


@dataclass(frozen=True)
class StoreContext:
    """The parts that a store hands to its repositories."""

    agent: str
    storage: StorageProvider
    clock: Clock
    entropy: Entropy
    given_user: str | None = None

    @cached_property
    def user(self) -> str:
        """The operating system's user name, for the audit (G10)."""
        return self.given_user or _user_name()

    def now(self) -> int:
        """The store's clock in microseconds."""
        return to_micros(self.clock())
