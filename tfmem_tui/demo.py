"""The store behind ``tfmem demo``: a made-up company's assistant, told act by act through the real core.

The story itself is ``demo_memories.yaml``; nothing here decides what a gate's rule does.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from importlib import resources
from pathlib import Path
from typing import Any

from tfmem_tui.core.acting import AgentSession
from tfmem_tui.core.context import Clock, Entropy, system_clock
from tfmem_tui.core.errors import NotFound, StoreUnavailable
from tfmem_tui.core.home import agent_path
from tfmem_tui.core.importing import ImportedEvent, ImportedMemory
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

AGENT = "demo"
STORY = "demo_memories.yaml"
UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1)}
BETWEEN_ACTS = timedelta(minutes=37)

Act = Mapping[str, Any]


def demo_store(
    folder: Path | None = None,
    *,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
    user: str | None = None,
) -> Store:
    """A store full of telling memories, under the home ``folder`` as agent ``demo``, or in memory without one.

    The same at every call but for its times, which lie before ``clock``'s now. Raises ``StoreUnavailable`` where
    the folder holds a demo already.
    """
    telling = _TellingClock(clock or system_clock)
    source = entropy or DemoEntropy()
    if folder is None:
        store = Store.in_memory(agent=AGENT, clock=telling, entropy=source, user=user)
    else:
        path = agent_path(folder, AGENT)
        if path.exists():
            raise StoreUnavailable(f"there is a demo at {path} already; choose an empty folder")
        store = Store.open(path, agent=AGENT, clock=telling, entropy=source, user=user)
    try:
        _Teller(store, telling).tell(_story())
    except BaseException:
        store.close()
        raise
    return store


class DemoEntropy:
    """Ids and salts that are the same at every start, one sequence per level: for a store that is thrown away."""

    def __init__(self) -> None:
        self._drawn: Counter[tuple[str, Level]] = Counter()

    def id(self, level: Level) -> str:
        return self._draw("id", level).hex()[:20]

    def salt(self, level: Level) -> bytes:
        return self._draw("salt", level)[:16]

    def _draw(self, what: str, level: Level) -> bytes:
        self._drawn[what, level] += 1
        return hashlib.sha256(f"tfmem demo {what} {level.name} {self._drawn[what, level]}".encode()).digest()


class _TellingClock:
    """Stands at the moment that is being told; runs with the real clock once the story is over."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.now = clock()
        self._moment: datetime | None = self.now

    def __call__(self) -> datetime:
        return self._clock() if self._moment is None else self._moment

    def before(self, ago: str) -> datetime:
        return self.now - _span(ago)

    def move_to(self, ago: str) -> None:
        """Goes to ``ago`` before now, or a little after the act before where that is later."""
        told_last = None if self._moment in (None, self.now) else self._moment
        moment = self.before(ago)
        self._moment = moment if told_last is None else max(moment, told_last + BETWEEN_ACTS)

    def let_go(self) -> None:
        self._moment = None


def _span(text: str) -> timedelta:
    match = re.fullmatch(r"(\d+)([dhm])", text)
    if match is None:
        raise ValueError(f"not a span of time: {text}")
    return int(match[1]) * UNITS[match[2]]


def _story() -> Any:
    import yaml  # only the demo pays for it

    text = resources.files("tfmem_tui").joinpath(STORY).read_text(encoding="utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


class _Teller:
    """Plays the story's acts on a store."""

    def __init__(self, store: Store, clock: _TellingClock) -> None:
        self._store = store
        self._clock = clock
        self._operator = store.operator()
        self._sessions: dict[str, AgentSession] = {}

    def tell(self, story: Any) -> None:
        acts = sorted(story["acts"], key=lambda act: _span(act["ago"]), reverse=True)
        self._clock.move_to(acts[0]["ago"])
        self._import(story["imported"])
        for act in acts:
            self._clock.move_to(act["ago"])
            self._play(act)
        self._clock.let_go()

    def _import(self, imported: Any) -> None:
        importer = self._operator.importer()
        importer.add([self._memory(one) for one in imported["memories"]])
        importer.add([self._event(one) for one in imported["events"]])

    def _memory(self, one: Act) -> ImportedMemory:
        saved = self._clock.before(one["ago"])
        deleted = self._clock.before(one["deleted"]) if "deleted" in one else None
        level, tags = Level[one["level"]], tuple(one["tags"])
        return ImportedMemory(one["key"], level, one["text"], tags, saved, saved, one["session"], None, deleted)

    def _event(self, one: Act) -> ImportedEvent:
        level, at = Level[one["level"]], self._clock.before(one["ago"])
        return ImportedEvent(one["id"], level, at, one["session"], one["user"], one["action"], one["key"])

    def _play(self, act: Act) -> None:
        if "start" in act:
            self._sessions[act["start"]] = self._operator.start(Level[act["level"]], label=act["label"])
        elif "escalate" in act:
            name = act["escalate"]
            self._sessions[name] = self._operator.escalate(self._sessions[name].id, Level[act["level"]])
        elif "reset" in act:
            self._sessions[act["reset"]] = self._operator.reset(self._sessions[act["reset"]].id)
        else:
            self._call(act)

    def _call(self, act: Act) -> None:
        memories = self._store.memories(self._sessions[act["as"]])
        if "save" in act:
            expires = self._moment(act["expires"]) if "expires" in act else None
            memories.save(
                act["save"], act["text"], act["tags"], expires_at=expires, forced=tuple(act.get("forced", ()))
            )
        elif "delete" in act:
            with suppress(NotFound):  # some of the story's deletes find nothing, and the audit shows it
                memories.delete(act["delete"])
        elif "get" in act:
            memories.get(act["get"])
        elif "search" in act:
            memories.search(act["search"])
        elif "list" in act:
            memories.list(act["list"])
        else:
            memories.record_invalid(act["invalid"], act["key"], act["reason"])

    def _moment(self, span: str) -> datetime:
        """``2d`` is two days ago, ``+2d`` two days ahead."""
        return self._clock.now + _span(span[1:]) if span.startswith("+") else self._clock.before(span)
