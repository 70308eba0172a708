"""What the screen writes to files and takes in from them, as jobs for the gateway. A file is new, and 0600."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.records import AuditEvent, MemoryVersion
from tfmem_tui.tui.acting import Acting, Setting
from tfmem_tui.tui.questions import LongJob, Report

if TYPE_CHECKING:
    from tfmem_tui.core.audit import EventFilters
    from tfmem_tui.core.store import Store
    from tfmem_tui.tui.sources import MemoryQuestion

MEMORY_ENDINGS = {".jsonl": "jsonl", ".yaml": "yaml", ".yml": "yaml", ".md": "md"}
EVENT_ENDINGS = (".jsonl", ".csv")
PAGE = 500
BETWEEN_REPORTS = 200
COLUMNS = ("level", "seq", "at", "session", "user", "action", "key", "outcome", "detail", "content_hash", "hash")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would carry out a cell that begins so


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What an import brought in, and what stayed out."""

    memories: int
    events: int
    unchanged: int
    skipped: int


def new_file_problem(path: Path, endings: Iterable[str]) -> str | None:
    """Why nothing can be written to ``path``, or ``None``."""
    if path.suffix.lower() not in endings:
        return f"the name must end in {', '.join(endings)}"
    if path.exists() or path.is_symlink():
        return f"{path.name} exists already; choose another name"
    if not path.parent.is_dir():
        return "there is no such folder"
    return None


@contextmanager
def _new_file(path: Path, endings: Iterable[str]) -> Iterator[TextIO]:
    from tfmem_tui.exchange.exporting import written_whole

    problem = new_file_problem(path, endings)
    if problem is not None:
        raise InvalidInput(problem)
    try:
        with written_whole(path) as file:
            yield file
    except OSError as error:
        raise InvalidInput(f"{path.name} cannot be written: {error.strerror}") from None


def write_memories(
    acting: Acting, setting: Setting, path: Path, keys: Sequence[str] | None, question: MemoryQuestion
) -> LongJob[int]:
    """Writes the memories of ``keys``, or those that ``question`` shows; how many that were."""

    def job(store: Store, report: Report) -> int:
        from tfmem_tui.exchange.exporting import record_lines
        from tfmem_tui.exchange.plain import header

        memories = store.memories(acting.session)
        if keys is not None:
            found = memories.of_keys(keys)
        else:
            asked = question
            found = memories.in_full(
                asked.words, filters=asked.filters, order=asked.order, descending=asked.descending, prefix_last=True
            )
        count = 0

        def counted() -> Iterator[MemoryVersion]:
            nonlocal count
            for one in found:
                yield one
                count += 1
                if count % BETWEEN_REPORTS == 0:
                    report(count, len(keys) if keys is not None else None)

        form = MEMORY_ENDINGS.get(path.suffix.lower(), "")
        with _new_file(path, MEMORY_ENDINGS) as file:
            for piece in record_lines(counted(), header(setting.agent, memories.taint(), False), form):
                file.write(piece)
        return count

    return job


def write_deleted(
    acting: Acting, setting: Setting, path: Path, marked: Sequence[MemoryVersion] | None, key: str
) -> LongJob[int]:
    """Writes the marked deleted records, or all of keys that contain ``key``, with when and by whom they ended."""

    def job(store: Store, report: Report) -> int:
        from tfmem_tui.exchange.exporting import record_lines
        from tfmem_tui.exchange.plain import header

        memories = store.memories(acting.session)
        total = len(marked) if marked is not None else memories.tombstone_count(key_contains=key)
        count = 0

        def found() -> Iterator[MemoryVersion]:
            nonlocal count
            pages = (
                memories.tombstones(key_contains=key, skip=skip, limit=min(PAGE, total - skip))
                for skip in range(0, total, PAGE)
            )
            for one in marked if marked is not None else (one for page in pages for one in page):
                yield one
                count += 1
                if count % BETWEEN_REPORTS == 0:
                    report(count, total)

        form = MEMORY_ENDINGS.get(path.suffix.lower(), "")
        with _new_file(path, MEMORY_ENDINGS) as file:
            for piece in record_lines(found(), header(setting.agent, memories.taint(), True), form):
                file.write(piece)
        return count

    return job


def write_events(
    acting: Acting, path: Path, marked: Sequence[AuditEvent] | None, filters: EventFilters
) -> LongJob[int]:
    """Writes the marked events, or all that ``filters`` leave, newest first: JSON Lines or CSV."""

    def job(store: Store, report: Report) -> int:
        trail = store.audit(acting.session)
        total = len(marked) if marked is not None else trail.count(filters)
        count = 0

        def found() -> Iterator[AuditEvent]:
            if marked is not None:
                yield from marked
                return
            for skip in range(0, total, PAGE):
                yield from trail.events(filters, skip=skip, limit=min(PAGE, total - skip))

        as_csv = path.suffix.lower() == ".csv"
        with _new_file(path, EVENT_ENDINGS) as file:
            if as_csv:
                file.write(_csv_line(COLUMNS))
            for event in found():
                file.write(_csv_line(_cells(event)) if as_csv else _json_line(event))
                count += 1
                if count % BETWEEN_REPORTS == 0:
                    report(count, total)
        return count

    return job


def _json_line(event: AuditEvent) -> str:
    from tfmem_tui.exchange.plain import to_plain

    return json.dumps(to_plain(event), ensure_ascii=False, separators=(",", ":")) + "\n"


def _cells(event: AuditEvent) -> tuple[str, ...]:
    from tfmem_tui.exchange.plain import to_plain

    plain = to_plain(event)
    values = (plain.get(name) for name in COLUMNS)
    texts = (json.dumps(one, ensure_ascii=False) if isinstance(one, dict) else str(one or "") for one in values)
    return tuple(f"'{text}" if text.startswith(FORMULA) else text for text in texts)


def _csv_line(cells: Sequence[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()


def take_in(acting: Acting, setting: Setting, path: Path) -> LongJob[TakenIn]:
    """Imports a file into this store; what names no level comes in at the acting session's.

    Of a Triggerfish database only this store's agent is taken. Importing again brings what is new.
    """

    def job(store: Store, report: Report) -> TakenIn:
        from tfmem_tui.core.store import Store as Opened
        from tfmem_tui.exchange.importing import import_export, import_triggerfish
        from tfmem_tui.exchange.reading import Origin, kind_of

        if store.path is None:
            raise InvalidInput("a store in memory takes nothing in")
        where = store.path
        report(0, None)
        kind = kind_of(path)

        def store_of(agent: str) -> Opened:
            return Opened.open(where, agent=agent)

        if kind == "triggerfish":
            made = import_triggerfish(path, store_of, progress=report, agents={setting.agent})
        else:
            origin = Origin(acting.taint, f"import:{kind}")
            made = import_export(path, kind, setting.agent, store_of, origin=origin, progress=report)
        total = made.total
        return TakenIn(total.memories, total.events, total.unchanged + total.events_unchanged, made.skipped_count)

    return job
