"""Playing a scenario on a store: every call through hook and gate, every expectation held against its answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tfmem_tui.agent.tools import run_tool
from tfmem_tui.core.errors import NotFound, TfmemError
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import AgentSession, Store
from tfmem_tui.simulate.scenario import Expectation, Scenario, Step


@dataclass
class ScenarioClock:
    """The scenario's own time: it starts at the real one and moves by a second a step, so that order is certain."""

    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        """Lets time pass."""
        self.now += timedelta(seconds=seconds)


@dataclass(frozen=True, slots=True)
class Played:
    """One step as it went: who, at which taint, what was asked, what the hook took out, what came of it."""

    number: int
    step: Step
    taint: Level | None
    answer: Mapping[str, Any]
    stripped: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every expectation of the step held."""
        return not self.failures


class Runner:
    """Plays the steps of one scenario, one after the other."""

    def __init__(self, scenario: Scenario, store: Store, clock: ScenarioClock | None = None) -> None:
        self._scenario = scenario
        self._store = store
        self._clock = clock
        self._operator = store.operator()
        self._sessions: dict[str, AgentSession] = {
            name: self._operator.start(level) for name, level in scenario.sessions.items()
        }

    def play(self) -> Iterator[Played]:
        """Each step as it has been played; a failed expectation does not stop the rest."""
        for number, step in enumerate(self._scenario.steps, 1):
            if self._clock is not None:
                self._clock.advance(1.0)
            yield self._step(number, step)

    def _step(self, number: int, step: Step) -> Played:
        if step.call is not None and step.session is not None:
            session = self._sessions[step.session]
            repository = self._store.memories(session)
            answer = run_tool(repository, step.call, dict(step.args))
            failures = tuple(check(step.expect, answer.payload))
            return Played(number, step, repository.taint(), answer.payload, answer.stripped, failures)
        try:
            payload, taint = self._act(step)
        except TfmemError as error:
            payload, taint = {"error": {"code": error.code, "message": error.message}}, None
        failures = tuple(check(step.expect, payload))
        if "error" in payload and (step.expect is None or step.expect.error is None):
            failures = (*failures, f"expected no error, got {payload['error']['code']}")
        return Played(number, step, taint, payload, failures=failures)

    def _act(self, step: Step) -> tuple[dict[str, Any], Level | None]:
        if step.wait is not None:
            if self._clock is not None:
                self._clock.advance(step.wait)
            return {"waited": step.wait}, None
        if step.escalate is not None and step.to is not None:
            raised = self._operator.escalate(self._sessions[step.escalate].id, step.to)
            # the agent goes on with what it holds, as a real one would: the raise must count all the same (G6)
            return {"session": step.escalate, "taint": raised.taint.name}, raised.taint
        if step.reset is not None:
            fresh = self._operator.reset(self._sessions[step.reset].id)
            self._sessions[step.reset] = fresh
            return {"session": step.reset, "taint": fresh.taint.name}, fresh.taint
        assert step.session is not None
        session = self._sessions[step.session]
        return (self._restore if step.restore is not None else self._purge)(session, step), None

    def _restore(self, session: AgentSession, step: Step) -> dict[str, Any]:
        tombstones = self._store.memories(session).tombstones(key_contains=step.restore or "", limit=1_000)
        found = next((one for one in tombstones if one.key == step.restore), None)
        if found is None:
            raise NotFound("no deleted memory of this key is visible to this session")
        restored = self._operator.restore(session, found.ref)
        return {"restored": True, "key": restored.key, "classification": restored.level.name}

    def _purge(self, session: AgentSession, step: Step) -> dict[str, Any]:
        versions = self._store.memories(session).versions(step.purge or "", limit=10_000)
        ended = [one.ref for one in versions if one.ended_at is not None]
        if not ended:
            raise NotFound("no ended version of this key is visible to this session")
        return {"purged": self._operator.purge(session, ended).versions, "key": step.purge}


def check(expected: Expectation | None, answer: Mapping[str, Any]) -> Iterator[str]:
    """What does not hold of ``expected``, each as a sentence with expected and got."""
    if expected is None:
        return
    code = answer["error"]["code"] if "error" in answer else None
    if expected.error is not None and code != expected.error:
        yield f"expected error {expected.error}, got {code or 'no error'}"
    if expected.error is None and code is not None:
        yield f"expected no error, got {code}"
    if expected.found is not None and answer.get("found") is not expected.found:
        yield f"expected found: {expected.found}, got {answer.get('found')}"
    if expected.keys is not None:
        rows = answer.get("results", answer.get("memories", []))
        keys = [row["key"] for row in rows]
        if keys != expected.keys:
            yield f"expected keys {expected.keys}, got {keys}"
    if expected.answer is not None:
        yield from _differences(expected.answer, answer, "")


def _differences(expected: Any, got: Any, path: str) -> Iterator[str]:
    """Where ``expected`` is not contained in ``got``: mappings by subset, everything else by equality."""
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        for key, value in expected.items():
            where = f"{path}.{key}" if path else str(key)
            if key not in got:
                yield f"expected {where}: {value!r}, got nothing"
            else:
                yield from _differences(value, got[key], where)
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for number, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from _differences(one, other, f"{path}[{number}]")
    elif expected != got:
        yield f"expected {path}: {expected!r}, got {got!r}"
