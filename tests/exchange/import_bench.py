"""A source file, a home, and the import of the one into the other, with all that can be seen of the outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.exchange.triggerfish_file import TriggerfishFile
from tests.support import viewer_at
from tfmem_tui.core.home import agent_path, agents
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import MemoryVersion
from tfmem_tui.core.store import Store
from tfmem_tui.exchange.importing import ImportReport, import_triggerfish


@dataclass
class Bench:
    """A source file, a home, and the import of the one into the other."""

    home: Path
    source: TriggerfishFile
    opened: list[str] = field(default_factory=list)

    def open(self, agent: str) -> Store:
        self.opened.append(agent)
        return Store.open(agent_path(self.home, agent), agent=agent)

    def run(self, **options: Any) -> ImportReport:
        return import_triggerfish(self.source.path, self.open, **options)

    def act(self, act: Callable[[Store], object]) -> None:
        """Does something to the owner's store between two imports."""
        with self.open("main-session") as store:
            act(store)

    def content(self, key: str = "colour", level: Level = Level.RESTRICTED, agent: str = "main-session") -> str | None:
        with self.open(agent) as store:
            found = viewer_at(store, level).effective(key)
        return None if found is None else found.content

    def versions(self, key: str = "colour", agent: str = "main-session") -> list[MemoryVersion]:
        with self.open(agent) as store:
            return list(viewer_at(store, Level.RESTRICTED).versions(key))

    def everything(self) -> dict[str, object]:
        """All that a person could see of all agents but for ids and the import's own events."""
        return {agent: self._all_of(agent) for agent in agents(self.home)}

    def _all_of(self, agent: str) -> object:
        with self.open(agent) as store:
            operator = store.operator()
            memories = store.memories(operator.viewer(Level.RESTRICTED))
            keys = {row.key for row in memories.page(limit=1000).rows}
            keys |= {one.key for one in memories.tombstones(limit=1000)}
            trail = store.audit(operator.viewer(Level.RESTRICTED))
            events = [event for event in trail.events(limit=1000) if event.action != "import"]
            versions = [
                (v.key, v.level, v.content, v.tags, v.saved_at, v.ended_at, v.end_reason, v.saved_by)
                for key in sorted(keys)
                for v in memories.versions(key)
            ]
            assert all(report.ok for report in trail.verify())
            return (
                versions,
                [(e.level, e.at, e.session, e.user, e.action, e.key) for e in events],
                memories.totals(),
            )
