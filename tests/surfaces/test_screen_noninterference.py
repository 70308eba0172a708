"""G7 over the screen's own reads and acts and over MCP: every job of the gateway, played on both sides of a history."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType

import pytest
from hypothesis import given, settings
from mcp import Client

from tests.core.histories import KEYS, TAGS, WORDS, Act, Player, histories
from tests.surfaces.test_noninterference import BELOW_TOP, CALLS, both
from tfmem_tui.agent.mcp_server import make_server
from tfmem_tui.core.audit import EventFilters
from tfmem_tui.core.errors import TfmemError
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import Outcome
from tfmem_tui.core.store import Store
from tfmem_tui.tui import plays, questions
from tfmem_tui.tui.acting import Acting, Setting
from tfmem_tui.tui.signs import UNICODE

EXAMPLES = int(os.environ.get("HYPOTHESIS_EXAMPLES", "40"))
Look = Callable[[Store, Setting, Acting], object]


def _purged(store: Store, setting: Setting, acting: Acting) -> object:
    refs = [one.ref for one in questions.purgeable(setting, acting, timedelta(0))(store)]
    return questions.purge(setting, acting, refs)(store) if refs else None


def _restored(store: Store, setting: Setting, acting: Acting) -> object:
    gone = questions.tombstones(acting, "", 0, 1)(store)
    return questions.restore(setting, acting, gone[0].ref)(store) if gone else None


FILTERS = (EventFilters(), EventFilters(outcome=Outcome.MISSED), EventFilters(level=Level.PUBLIC))
# In this order: reads first, then what changes something, each judged by its answer and by the reads after it.
LOOKS: dict[str, Look] = {
    "act_at": lambda store, setting, acting: acting,
    "pulse": lambda store, setting, acting: questions.pulse(acting)(store),
    "detail": lambda store, setting, acting: [questions.detail(acting, key, "falcon")(store) for key in KEYS],
    "effective": lambda store, setting, acting: [questions.effective(acting, key)(store) for key in (*KEYS, "none")],
    "effective_of": lambda store, setting, acting: questions.effective_of(acting, (*KEYS, "none"))(store),
    "inspect": lambda store, setting, acting: [questions.inspect(acting, key)(store) for key in (*KEYS, "none")],
    "total": lambda store, setting, acting: questions.total(acting)(store),
    "tags": lambda store, setting, acting: [questions.tags(acting, start)(store) for start in ("", *TAGS)],
    "tombstones": lambda store, setting, acting: [
        questions.tombstones(acting, part, skip, 5)(store) for part in ("", "a") for skip in (0, 2)
    ],
    "tombstone_count": lambda store, setting, acting: questions.tombstone_count(acting, "")(store),
    "events": lambda store, setting, acting: [questions.events(acting, one, 1, 50)(store) for one in FILTERS],
    "event_count": lambda store, setting, acting: [questions.event_count(acting, one)(store) for one in FILTERS],
    "pictured": lambda store, setting, acting: questions.pictured(acting, 12)(store),
    "verify": lambda store, setting, acting: questions.verify(acting)(store, lambda *_: None),
    "schemas": lambda store, setting, acting: questions.schemas()(store),
    "compare": lambda store, setting, acting: [
        plays.compare(setting, acting.taint, "memory_search", {"query": word})(store) for word in WORDS[:2]
    ],
    "purgeable": lambda store, setting, acting: questions.purgeable(setting, acting, timedelta(0))(store),
    "tool": lambda store, setting, acting: [
        questions.tool(acting, name, arguments)(store) for name, arguments in CALLS if isinstance(arguments, dict)
    ],
    "call": lambda store, setting, acting: plays.call(acting, "memory_list", {"tag": "x"})(store),
    "restore": _restored,
    "purge": _purged,
}
NO_LOOKS = {
    "sessions": "the list of sessions is the operator's own surface, outside G7",
    "act_as": "takes a session from that list",
    "start": "an operator's act on that list",
    "escalate": "an operator's act on that list",
    "reset": "an operator's act on that list",
    "snapshot": "a whole store; what is read from it is read by the jobs above",
    "as_session": "no job: shapes a session that is given",
    "begin": "plays a file on an empty store",
    "write": "writes the calls that the person made",
}


@pytest.mark.parametrize("module", [questions, plays])
def test_every_job_of_the_screen_is_played_or_said_why_not(module: ModuleType) -> None:
    names = {
        name
        for name, one in vars(module).items()
        if inspect.isfunction(one) and one.__module__ == module.__name__ and not name.startswith("_")
    }
    assert names <= set(LOOKS) | set(NO_LOOKS)


def looked(player: Player, taint: Level) -> list[str]:
    """All that the screen gets as the operator's scratch session at ``taint``, with that as the clearance."""
    setting = Setting("main", taint, read_only=False, signs=UNICODE, now=player.clock)
    acting = questions.act_at(setting, taint)(player.store)
    seen = []
    for name, look in LOOKS.items():
        try:
            seen.append(f"{name}: {look(player.store, setting, acting)!r}")
        except TfmemError as error:
            seen.append(f"{name}: {error.code} {error.message}")
    memories = player.store.memories(acting.session)
    return [*seen, repr(list(memories.everything(history=True)))]


@given(histories, BELOW_TOP)
@settings(max_examples=EXAMPLES // 2 or 1)
def test_g7_every_job_of_the_screen_gets_the_same(history: list[Act], taint: Level) -> None:
    whole, below = both(history, taint)
    for one, other in zip(looked(whole, taint), looked(below, taint), strict=True):
        assert one == other


async def over_mcp(player: Player, taint: Level) -> list[str]:
    session = player.store.operator().start(taint)
    async with Client(make_server(player.store, session)) as client:
        results = [await client.call_tool(name, arguments) for name, arguments in CALLS if isinstance(arguments, dict)]
    return [result.model_dump_json() for result in results]


@given(histories, BELOW_TOP)
@settings(max_examples=EXAMPLES // 4 or 1)
def test_g7_mcp_answers_the_same_bytes(history: list[Act], taint: Level) -> None:
    whole, below = both(history, taint)
    assert asyncio.run(over_mcp(whole, taint)) == asyncio.run(over_mcp(below, taint))
