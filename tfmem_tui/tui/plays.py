"""What the simulator asks beyond a single call: a call at every level, a scenario played, one written to a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.level import Level, readable
from tfmem_tui.tui.acting import Acting, Setting

if TYPE_CHECKING:
    from tfmem_tui.agent.tools import ToolAnswer
    from tfmem_tui.core.records import AuditEvent
    from tfmem_tui.core.store import Store
    from tfmem_tui.simulate.runner import Played
    from tfmem_tui.simulate.scenario import Scenario

T = TypeVar("T")
Job = Callable[["Store"], T]
Made = tuple["ToolAnswer", "AuditEvent | None"]
Compared = tuple[tuple[Level, "ToolAnswer"], ...]


def call(acting: Acting, name: str, arguments: Mapping[str, object]) -> Job[Made]:
    """One call through hook and gate, and the audit event that it left."""

    def job(store: Store) -> Made:
        from tfmem_tui.agent.tools import run_tool

        memories = store.memories(acting.session)
        answer = run_tool(memories, name, dict(arguments))
        events = store.audit(acting.session).events(limit=1) if memories.audited else ()
        return answer, events[0] if events else None

    return job


def compare(setting: Setting, taint: Level, name: str, arguments: Mapping[str, object]) -> Job[Compared]:
    """The same call by a session at each level up to ``taint``, each on a copy of its own: none sees another."""

    def job(store: Store) -> Compared:
        from tfmem_tui.agent.tools import run_tool

        answers = []
        for level in readable(taint):
            with store.snapshot() as copy:
                session = copy.operator(clearance=setting.clearance).start(level)
                answers.append((level, run_tool(copy.memories(session), name, dict(arguments))))
        return tuple(answers)

    return job


@dataclass(slots=True)
class Play:
    """A scenario in the middle of being played, on a store of its own."""

    scenario: Scenario
    store: Store
    steps: Iterator[Played]

    def go_on(self, count: int) -> list[Played]:
        """Plays the next steps, at most ``count``."""
        return list(islice(self.steps, count))


def begin(path: Path) -> Job[Play]:
    """A scenario file, ready to be played on an empty store as ``tfmem simulate`` plays it."""

    def job(_: Store) -> Play:
        from tfmem_tui.core.store import Store
        from tfmem_tui.simulate.runner import Runner, ScenarioClock
        from tfmem_tui.simulate.scenario import BadScenario, read_scenario

        try:
            scenario = read_scenario(path)
        except BadScenario as error:
            raise InvalidInput(str(error)) from None
        clock = ScenarioClock()
        store = Store.in_memory(clock=clock)
        return Play(scenario, store, Runner(scenario, store, clock).play())

    return job


def write(path: Path, scenario: Scenario) -> Job[Path]:
    """Writes a scenario to a new file (0600); one that is there already is never overwritten."""

    def job(_: Store) -> Path:
        from tfmem_tui.simulate.scenario import write_scenario

        try:
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            raise InvalidInput(f"{path} exists already; choose another name") from None
        except OSError as error:
            raise InvalidInput(f"{path} cannot be written: {error.strerror}") from None
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(write_scenario(scenario))
        return path

    return job
