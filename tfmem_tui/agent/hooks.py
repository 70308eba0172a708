"""The ``PRE_TOOL_CALL`` hook: what the model may not say is taken out of a call before anything reads it (G1)."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

MOST_NAMES = 16
LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class HookDecision:
    """What the hook made of a call: the arguments it lets through, and the names of those it took out."""

    arguments: dict[str, object]
    stripped: tuple[str, ...]


def pre_tool_call(arguments: Mapping[object, object], allowed: Set[str]) -> HookDecision:
    """Lets through the arguments that the tool declares and strips every other one, level arguments first of all.

    No tool declares a level, so no spelling, look-alike or nesting of one can pass; only names are kept of what was
    stripped, never values.
    """
    kept = {name: value for name, value in arguments.items() if isinstance(name, str) and name in allowed}
    stripped = [printable(str(name)) for name in arguments if name not in kept]
    if len(stripped) > MOST_NAMES:
        stripped = [*stripped[: MOST_NAMES - 1], f"and {len(stripped) - MOST_NAMES + 1} more"]
    return HookDecision(kept, tuple(stripped))


def printable(name: str) -> str:
    """An argument's name, everything unprintable escaped and cut after that, fit for the audit and for an answer."""
    shown = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in name[: LONGEST_NAME + 1])
    return shown if len(shown) <= LONGEST_NAME else f"{shown[: LONGEST_NAME - 1]}…"
