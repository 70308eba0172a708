"""Recording calls as a scenario: who called what at which level, and what came of it becomes what is expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tfmem_tui.core.level import Level, can_flow_to
from tfmem_tui.simulate.scenario import Expectation, Scenario, Step

KEPT = {  # of each tool's answer: what a replay on another store can be held to
    "memory_save": ("saved", "key", "classification", "ignored"),
    "memory_get": ("content", "classification", "ignored"),
    "memory_search": ("ignored",),
    "memory_list": ("ignored",),
    "memory_delete": ("deleted", "key", "ignored"),
}


class Recorder:
    """The calls made since recording began, each by a session of its level."""

    def __init__(self) -> None:
        self._sessions: dict[str, Level] = {}
        self._steps: list[Step] = []

    def __len__(self) -> int:
        return len(self._steps)

    def call(self, level: Level, tool: str, arguments: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Takes down a call by a session at ``level``, with its answer as what is expected of it."""
        name = level.name.lower()
        self._sessions.setdefault(name, level)
        step = {"as": name, "call": tool, "args": dict(arguments), "expect": expected(tool, answer)}
        self._steps.append(Step.model_validate(step))

    def up_to(self, level: Level) -> list[Step]:
        """The calls by sessions at or below a level: what may be shown there (G2)."""
        return [step for step in self._steps if can_flow_to(self._sessions[step.session or ""], level)]

    def scenario(self, name: str, about: str | None = None, *, up_to: Level = Level.RESTRICTED) -> Scenario:
        """What was recorded at or below a level, as a scenario. Raises ``ValueError`` where nothing was."""
        steps = self.up_to(up_to)
        if not steps:
            raise ValueError("nothing was recorded")
        sessions = {name: level for name, level in self._sessions.items() if can_flow_to(level, up_to)}
        return Scenario(name=name, about=about, sessions=sessions, steps=steps)


def expected(tool: str, answer: Mapping[str, Any]) -> Expectation:
    """What a replay is to answer: the error's code, or keys in order, or the fields that say what happened."""
    if "error" in answer:
        return Expectation(error=answer["error"]["code"])
    rows = answer.get("results", answer.get("memories"))
    kept = {name: answer[name] for name in KEPT[tool] if name in answer}
    return Expectation(
        found=answer.get("found"),
        keys=None if rows is None else [row["key"] for row in rows],
        answer=kept or None,
    )
