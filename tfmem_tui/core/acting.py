"""Who acts in a transaction: the session's taint as the store has it at this very moment (G6)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tfmem_tui.core.context import stored
from tfmem_tui.core.errors import SessionEnded
from tfmem_tui.core.level import Level
from tfmem_tui.core.storage import Transaction


@dataclass(frozen=True, slots=True)
class AgentSession:
    """A session as the store had it when it was read; every call reads its taint anew. Times are UTC."""

    id: str
    label: str | None
    kind: str  # agent, operator, import
    taint: Level
    started_at: datetime
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Viewer:
    """The operator looking at a level: reads only, is not stored, leaves nothing behind.

    Only ``Operator.viewer`` makes one that is checked against the clearance; an agent holds a session id and
    never one of these (G10).
    """

    taint: Level


Session = AgentSession | Viewer


@dataclass(frozen=True, slots=True)
class Acting:
    """The acting session inside one transaction."""

    id: str
    taint: Level
    ended: bool


def look_up(tx: Transaction, session: Session) -> Acting:
    """The session as it is now, ended or not. Raises ``SessionEnded`` if there never was one."""
    if isinstance(session, Viewer):
        return Acting("viewer", session.taint, ended=False)
    row = tx.row("SELECT taint, ended_at FROM agent_session WHERE id = ?", (session.id,))
    if row is None:
        raise ended_error()
    return Acting(session.id, stored(Level, row[0]), ended=row[1] is not None)


def acting(tx: Transaction, session: Session) -> Acting:
    """Like ``look_up``, for a session that must be going on."""
    found = look_up(tx, session)
    if found.ended:
        raise ended_error()
    return found


def ended_error() -> SessionEnded:
    """The one answer for a session that has ended and one that never was."""
    return SessionEnded("the session has ended or does not exist; ask the operator to start a new one")
