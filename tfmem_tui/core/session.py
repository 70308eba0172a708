"""The life of sessions, and the operator's trusted acts on them (G10): start, escalate, reset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from tfmem_tui.core import compacting, doctor, purging, salvage
from tfmem_tui.core.acting import AgentSession, Viewer, acting, ended_error
from tfmem_tui.core.audit import Draft, append
from tfmem_tui.core.context import MICROSECOND, StoreContext, from_micros, optional_time, stored
from tfmem_tui.core.errors import ClassificationViolation, InvalidInput, StoreUnavailable
from tfmem_tui.core.importing import Importer
from tfmem_tui.core.level import Level, can_flow_to, readable
from tfmem_tui.core.migrate import back_up
from tfmem_tui.core.records import MemoryVersion, VersionRef
from tfmem_tui.core.saving import restore_version
from tfmem_tui.core.schema import AgentSessionRow
from tfmem_tui.core.storage import StorageProvider, Transaction
from tfmem_tui.core.validation import check_label

KINDS = ("agent", "operator", "import")


def _session(row: Any) -> AgentSession:
    return AgentSession(
        row.id, row.label, row.kind, stored(Level, row.taint), from_micros(row.started_at), optional_time(row.ended_at)
    )


GOING_ON = select(AgentSessionRow).where(col(AgentSessionRow.ended_at).is_(None))


def read_session(tx: Transaction, session_id: str) -> AgentSession:
    """A session that is going on. Raises ``SessionEnded`` for any other id."""
    row = tx.sqlalchemy.execute(GOING_ON.where(col(AgentSessionRow.id) == session_id)).first()
    if row is None:
        raise ended_error()
    return _session(row)


class Operator:
    """The person at the terminal: trusted, up to a clearance, and recorded under the system's user name (G10)."""

    def __init__(self, context: StoreContext, clearance: Level) -> None:
        self._context = context
        self.clearance = clearance
        self.user = context.user

    def start(self, taint: Level, *, label: str | None = None, kind: str = "agent") -> AgentSession:
        """Starts a session at ``taint``; a label in use moves to the new session.

        Raises ``ClassificationViolation`` above the clearance, ``InvalidInput`` for an unusable label.
        """
        self._within_clearance(taint)
        if kind not in KINDS:
            raise InvalidInput(f"kind must be one of {', '.join(KINDS)}")
        with self._context.storage.write() as tx:
            return self._start(tx, taint, None if label is None else check_label(label), kind)

    def _start(self, tx: Transaction, taint: Level, label: str | None, kind: str) -> AgentSession:
        now = self._context.now()
        session_id = self._context.entropy.id(taint)
        if label is not None:
            tx.run("UPDATE agent_session SET label = NULL WHERE label = ? AND ended_at IS NULL", (label,))
        row = AgentSessionRow(id=session_id, label=label, kind=kind, taint=int(taint), started_at=now)
        tx.run(
            "INSERT INTO agent_session (id, label, kind, taint, started_at) VALUES (?, ?, ?, ?, ?)",
            (session_id, label, kind, int(taint), now),
        )
        self._record(tx, taint, "session_start", session_id, {"kind": kind, "label": label})
        return _session(row)

    def escalate(self, session_id: str, taint: Level) -> AgentSession:
        """Raises a session's taint for good; at or below its present taint nothing changes.

        It is an act at the level that is reached, and recorded there alone: below it, nothing tells of it (G7).
        Raises ``SessionEnded``, and ``ClassificationViolation`` above the clearance.
        """
        self._within_clearance(taint)
        with self._context.storage.write() as tx:
            session = read_session(tx, session_id)
            self._within_clearance(session.taint)
            if can_flow_to(taint, session.taint):
                return session
            tx.run("UPDATE agent_session SET taint = ? WHERE id = ?", (int(taint), session_id))
            detail = {"from": session.taint.name, "to": taint.name}
            self._record(tx, taint, "session_escalate", session_id, detail)
            return read_session(tx, session_id)

    def reset(self, session_id: str) -> AgentSession:
        """Ends a session and starts a fresh one at PUBLIC under the same label; returns the new one.

        Two levels are touched: the end is recorded at the old taint, the start at PUBLIC without a word of the
        old session. Raises as ``escalate`` does.
        """
        with self._context.storage.write() as tx:
            session = read_session(tx, session_id)
            self._within_clearance(session.taint)
            tx.run("UPDATE agent_session SET ended_at = ? WHERE id = ?", (self._context.now(), session_id))
            self._record(tx, session.taint, "session_reset", session_id, {})
            return self._start(tx, Level.PUBLIC, session.label, session.kind)

    def sessions(self, *, include_ended: bool = False) -> list[AgentSession]:
        """The sessions whose taint is within the clearance, newest first."""
        which = select(AgentSessionRow) if include_ended else GOING_ON
        statement = which.where(col(AgentSessionRow.taint) <= int(self.clearance)).order_by(
            col(AgentSessionRow.started_at).desc(), col(AgentSessionRow.id)
        )
        with self._context.storage.read() as tx:
            return [_session(row) for row in tx.sqlalchemy.execute(statement)]

    def labelled(self, label: str) -> AgentSession | None:
        """The session that holds ``label`` now, if it is within the clearance."""
        statement = GOING_ON.where(
            col(AgentSessionRow.label) == label, col(AgentSessionRow.taint) <= int(self.clearance)
        )
        with self._context.storage.read() as tx:
            row = tx.sqlalchemy.execute(statement).first()
        return None if row is None else _session(row)

    def scratch(self, taint: Level) -> AgentSession:
        """The operator's own session at ``taint``, started on first use; four separate ones, so none ever falls."""
        self._within_clearance(taint)
        label = f"scratch-{taint.name.lower()}"
        found = self.labelled(label)
        if found is not None and found.kind == "operator" and found.taint == taint:
            return found
        return self.start(taint, label=label, kind="operator")

    def viewer(self, taint: Level) -> Viewer:
        """The operator looking as a session at ``taint`` would; reads only. Raises above the clearance."""
        self._within_clearance(taint)
        return Viewer(taint)

    def restore(self, session: AgentSession, ref: VersionRef) -> MemoryVersion:
        """Saves a tombstone's text again at its own level, as a new version; the tombstone stays (G5).

        ``session`` names who acts and must be able to see the tombstone. Raises ``NotFound`` where it cannot,
        ``ClassificationViolation`` above the clearance, ``InvalidInput`` where the version is no tombstone.
        """
        with self._context.storage.write() as tx:
            self._within_clearance(acting(tx, session).taint)
            return restore_version(tx, self._context, session, ref)

    def purgeable(self, older_than: timedelta) -> list[MemoryVersion]:
        """Deleted, replaced and expired versions within the clearance that ended longer ago than that."""
        now = self._context.now()
        with self._context.storage.read() as tx:
            return purging.ended_before(tx, readable(self.clearance), now - older_than // MICROSECOND, now)

    def purge(self, session: AgentSession, refs: Iterable[VersionRef]) -> purging.PurgeReport:
        """Removes ended versions for good, and their traces from the files (G5: the audit says so).

        ``session`` names who acts and must be able to see them. Raises ``NotFound``, ``InvalidInput`` for a live
        version, ``ClassificationViolation`` above the clearance; nothing is purged then.
        """
        named = list(refs)
        with self._context.storage.write() as tx:
            taint = acting(tx, session).taint
            self._within_clearance(taint)
            purging.purge(tx, self._context, readable(taint), named, session.id)
        return purging.PurgeReport(len(named), purging.wipe(self._context.storage))

    def purgeable_searches(self, older_than: timedelta) -> Mapping[Level, int]:
        """How many search texts older than that the audit holds, by level, within the clearance."""
        before = self._context.now() - older_than // MICROSECOND
        with self._context.storage.read() as tx:
            return purging.searches_before(tx, readable(self.clearance), before)

    def purge_searches(self, session: AgentSession, older_than: timedelta) -> purging.PurgeReport:
        """Destroys the texts of searches older than that in the audit; the events stay and the chains hold.

        ``session`` names who acts; levels above its taint are left alone. Raises ``ClassificationViolation`` above
        the clearance.
        """
        before = self._context.now() - older_than // MICROSECOND
        with self._context.storage.write() as tx:
            taint = acting(tx, session).taint
            self._within_clearance(taint)
            count = purging.purge_searches(tx, self._context, readable(taint), before, session.id)
        return purging.PurgeReport(count, purging.wipe(self._context.storage))

    def backup(self, target: Path) -> None:
        """One consistent copy of the whole store at ``target``, made while agents write; needs full clearance.

        Raises ``InvalidInput`` where something is there already.
        """
        self._within_clearance(max(Level))
        if target.exists() or target.is_symlink():
            raise InvalidInput(f"{target} exists already; a backup never overwrites")
        back_up(self._context.storage, target)

    def winnable(self) -> int:
        """Bytes that ``compact`` gives back for certain; it may win more."""
        return compacting.winnable(self._context.storage)

    def compact(self) -> compacting.Sizes:
        """Makes the file as small as it can be; needs full clearance, for it touches every level's rows."""
        self._within_clearance(max(Level))
        return compacting.compact(self._context.storage)

    def examine(self) -> list[doctor.Finding]:
        """What is wrong with the store, within the clearance; an empty list where all is well."""
        with self._context.storage.read() as tx:
            found = list(doctor.examine(tx, self.clearance))
            tx.roll_back()  # a full-text table that was found damaged fails at the commit too
            return found

    def repair(self, session: AgentSession) -> None:
        """Rebuilds what is derived from the live versions, at every level within the clearance."""
        with self._context.storage.write() as tx:
            acting(tx, session)
            doctor.rebuild(tx, self._context, self.clearance, session.id)

    def make_anew(self) -> None:
        """Makes the file anew from what was said, where pages of what is derived are damaged; needs full clearance.

        The new file is looked over before it takes the old one's place; an event at each level records it. Raises
        ``StoreBusy`` where another connection is open, ``StoreUnavailable`` where more than that is damaged; the
        store is left as it was then.
        """
        self._within_clearance(max(Level))
        path = self._context.storage.path
        if path is None:
            raise InvalidInput("a store in memory has no file")
        self._context.storage.close()  # no connection of ours in the way of the lock
        salvage.make_anew(path, self._finish)

    def _finish(self, fresh: StorageProvider) -> None:
        context = replace(self._context, storage=fresh)
        session = Operator(context, self.clearance).scratch(self.clearance)
        with fresh.write() as tx:
            doctor.rebuild(tx, context, self.clearance, session.id)
        with fresh.read() as tx:
            wrong = [one for one in doctor.examine(tx, self.clearance) if one.repairable or one.what == salvage.FILE]
            tx.roll_back()
        if wrong:
            raise StoreUnavailable(f"{wrong[0].what}: {wrong[0].text}; the store was left as it was")

    def importer(self) -> Importer:
        """Takes in records of another store at their own levels, up to the clearance."""
        return Importer(self._context, self.clearance)

    def _within_clearance(self, level: Level) -> None:
        if not can_flow_to(level, self.clearance):
            raise ClassificationViolation(f"this is above the operator's clearance, {self.clearance.name}")

    def _record(
        self, tx: Transaction, level: Level, action: str, session_id: str, detail: Mapping[str, object]
    ) -> None:
        append(tx, self._context, level, Draft(action, session_id, self.user, detail=detail))
