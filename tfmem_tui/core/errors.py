"""The errors that leave the core. Their text speaks to a person and never repeats stored memory text."""

from __future__ import annotations

from typing import ClassVar


class TfmemError(Exception):
    """Base of all errors of the core; ``code`` is the word that tools answer with."""

    code: ClassVar[str] = "STORAGE_ERROR"

    @property
    def message(self) -> str:
        """What happened, to what, and what to do next."""
        return str(self.args[0]) if self.args else self.code


class InvalidInput(TfmemError, ValueError):
    """An argument breaks a limit or a form; nothing was changed."""

    code = "VALIDATION_ERROR"


class NotFound(TfmemError, LookupError):
    """Nothing that this session may see (and end) answers to the key; one answer for every cause (G4)."""

    code = "NOT_FOUND"


class SessionEnded(TfmemError):
    """The session was reset or ended, or never existed: one answer for both."""

    code = "SESSION_ENDED"


class ClassificationViolation(TfmemError):
    """An operator's act above the operator's clearance; nothing was changed."""

    code = "CLASSIFICATION_VIOLATION"


class StorageError(TfmemError):
    """The store could not do what was asked; nothing of the act is kept (G9)."""


class StoreBusy(StorageError):
    """Another writer held the store longer than the busy timeout (5 seconds)."""


class StoreInterrupted(StorageError):
    """The read was interrupted by ``Store.interrupt``."""


class StoreReadOnly(StorageError):
    """A write was asked of a store that was opened read-only."""


class StoreUnavailable(StorageError):
    """The store cannot be opened: missing, no database, corrupt, or no permission."""


class StoreTooNew(StoreUnavailable):
    """The store was written by a newer tfmem; it was left untouched."""
