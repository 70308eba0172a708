"""Brings the records of a Triggerfish database into stores, each agent into its own (G8), batch by batch.

What a record is lies in ``triggerfish``; what it does to a store in ``core/importing``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.importing import ImportCounts, ImportedEvent, ImportedMemory, Importer
from tfmem_tui.core.store import Store
from tfmem_tui.exchange.reading import Origin, add_all, read_records
from tfmem_tui.exchange.triggerfish import OtherRow, Record, count_rows, read_triggerfish
from tfmem_tui.exchange.triggerfish_records import LINEAGE_PREFIX, MEMORY_PREFIX, SkippedRecord, shown_row

MOST_NAMED = 1_000
MOST_OPEN_STORES = 32
MOST_WAITING_CHARACTERS = 16 * 1024 * 1024
MOST_WAITING_BATCHES = 20
ROWS_BETWEEN_REPORTS = 200

Progress = Callable[[int, int], None]
OpenStore = Callable[[str], Store]
Read = TypeVar("Read")


@dataclass(slots=True)
class ImportReport:
    """What became of a file: counts by agent in order of name, and the records that stayed out."""

    agents: dict[str, ImportCounts] = field(default_factory=dict)
    skipped: list[SkippedRecord] = field(default_factory=list)  # the first thousand
    skipped_count: int = 0  # all of them
    other_rows: int = 0  # lineage of other tools, which is no memory's history

    @property
    def total(self) -> ImportCounts:
        """The counts of all agents together."""
        return sum(self.agents.values(), ImportCounts())

    @property
    def is_unchanged(self) -> bool:
        """Whether the file held nothing that was not here already."""
        return not (self.total.memories or self.total.events)

    def skip(self, record: SkippedRecord) -> None:
        """Counts a record that stays out, and names it while there is room."""
        self.skipped_count += 1
        if len(self.skipped) < MOST_NAMED:
            self.skipped.append(record)


def import_triggerfish(
    path: Path,
    open_store: OpenStore,
    *,
    progress: Progress | None = None,
    batch: int = 1_000,
    agents: Collection[str] | None = None,
) -> ImportReport:
    """Imports every record of the database at ``path``, or only those of ``agents``, and says what became of it.

    ``open_store`` gives the store of an agent, which is closed here. ``progress`` gets rows done and rows in all.
    Records that are here already change nothing, so an import that broke off is simply run again. Raises
    ``SourceUnavailable`` for a file that cannot be read and what opening or writing a store raises; records of
    batches before that are kept.
    """
    total = count_rows(path)  # before any store is made
    report = ImportReport()
    with _Batches(open_store, report, batch) as batches, closing(read_triggerfish(path)) as records:
        done = 0
        for done, record in enumerate(records, 1):
            if isinstance(record, SkippedRecord):
                if agents is None or record.agent is None or record.agent in agents:
                    report.skip(record)
            elif isinstance(record, OtherRow):
                report.other_rows += 1
            elif agents is None or record[0] in agents:
                batches.add(record)
            if progress is not None and done % ROWS_BETWEEN_REPORTS == 0 and done < total:
                progress(done, total)
        batches.flush()
    if progress is not None:
        progress(done, done)  # a live file may have grown or shrunk since it was counted
    report.agents = dict(sorted(report.agents.items()))
    return report


def import_export(
    path: Path,
    kind: str,
    agent: str,
    open_store: OpenStore,
    *,
    origin: Origin | None = None,
    progress: Callable[[int, None], None] | None = None,
) -> ImportReport:
    """Imports a file that is no database (``reading.KINDS``) into the store of ``agent``, and says what became of it.

    ``progress`` is told now and then how many records were read; how many there are nobody knows before the end.

    Raises ``InvalidInput`` for a foreign file without an ``origin``, and what opening or writing the store raises.
    """
    report = ImportReport()

    def skip(where: str, reason: str) -> None:
        report.skip(SkippedRecord(where, reason, agent))

    records = _told(read_records(path, kind, origin, skip), progress)
    with open_store(agent) as store:
        report.agents[agent] = add_all(store.operator().importer(), records, skip)
    return report


def _told(records: Iterable[Read], progress: Callable[[int, None], None] | None) -> Iterator[Read]:
    for done, record in enumerate(records, 1):
        yield record
        if progress is not None and done % ROWS_BETWEEN_REPORTS == 0:
            progress(done, None)


class _Batches:
    """Records waiting for their store. Few stores are open at once, and little text waits."""

    def __init__(self, open_store: OpenStore, report: ImportReport, batch: int) -> None:
        self._open_store = open_store
        self._report = report
        self._batch = batch
        self._waiting: dict[str, list[ImportedMemory | ImportedEvent]] = {}
        self._records = self._characters = 0
        self._open: dict[str, tuple[Store, Importer]] = {}  # least recently used first

    def __enter__(self) -> _Batches:
        return self

    def __exit__(self, *error: object) -> None:
        for store, _ in self._open.values():
            store.close()

    def add(self, item: Record) -> None:
        agent, record = item
        waiting = self._waiting.setdefault(agent, [])
        waiting.append(record)
        self._records += 1
        self._characters += _size(record)
        if self._characters > MOST_WAITING_CHARACTERS or self._records >= self._batch * MOST_WAITING_BATCHES:
            self.flush()
        elif len(waiting) >= self._batch:
            self._flush(agent)

    def flush(self) -> None:
        for agent in list(self._waiting):
            self._flush(agent)

    def _flush(self, agent: str) -> None:
        records = self._waiting.pop(agent)
        self._records -= len(records)
        self._characters -= sum(map(_size, records))
        counts = self._add(agent, self._importer(agent), records)
        self._report.agents[agent] = self._report.agents.get(agent, ImportCounts()) + counts

    def _add(self, agent: str, importer: Importer, records: list[ImportedMemory | ImportedEvent]) -> ImportCounts:
        """Adds a batch; one that is refused is halved until the bad record is alone, and only that one stays out."""
        try:
            return importer.add(records)
        except InvalidInput as error:
            if len(records) == 1:
                self._report.skip(SkippedRecord(_row_name(agent, records[0]), error.message, agent))
                return ImportCounts()
        middle = len(records) // 2
        return self._add(agent, importer, records[:middle]) + self._add(agent, importer, records[middle:])

    def _importer(self, agent: str) -> Importer:
        if agent in self._open:
            self._open[agent] = self._open.pop(agent)
            return self._open[agent][1]
        if len(self._open) >= MOST_OPEN_STORES:
            store, _ = self._open.pop(next(iter(self._open)))
            store.close()
        store = self._open_store(agent)
        self._open[agent] = store, store.operator().importer()
        return self._open[agent][1]


def _size(record: ImportedMemory | ImportedEvent) -> int:
    return len(record.content) if isinstance(record, ImportedMemory) else 0


def _row_name(agent: str, record: ImportedMemory | ImportedEvent) -> str:
    if isinstance(record, ImportedEvent):
        return shown_row(LINEAGE_PREFIX + record.source_id)
    return shown_row(f"{MEMORY_PREFIX}{agent}:{record.level.name}:{record.key}")
