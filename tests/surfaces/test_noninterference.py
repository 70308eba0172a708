"""G7 over every surface: tools, export, recall, command line, simulator; errors, exit codes, cursors, audit as well.

Random histories are played twice, once whole and once without the acts above a taint; whoever acts or looks at that
taint must get the same bytes. ``HYPOTHESIS_EXAMPLES`` sets how many histories each surface gets.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.histories import KEYS, TAGS, WORDS, Act, Player, histories
from tests.support import CountingEntropy, HandClock
from tfmem_tui.agent.recall import recall_block
from tfmem_tui.agent.tools import run_tool
from tfmem_tui.cli.main import tfmem
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.exchange.exporting import FORMATS, export_lines

EXAMPLES = int(os.environ.get("HYPOTHESIS_EXAMPLES", "40"))
BELOW_TOP = st.sampled_from((Level.PUBLIC, Level.INTERNAL, Level.CONFIDENTIAL))

CALLS: list[tuple[str, Any]] = [
    *[("memory_get", {"key": key}) for key in (*KEYS, "none", "", 7)],
    *[
        ("memory_search", {"query": word, "max_results": limit})
        for word in (*WORDS, "falcon x", "")
        for limit in (1, 9)
    ],
    *[("memory_list", {"tag": tag}) for tag in (*TAGS, None, "none")],
    *[("memory_delete", {"key": key}) for key in (*KEYS, "none", None)],
    ("memory_save", {"key": KEYS[0], "content": "falcon", "level": "RESTRICTED"}),
    ("memory_save", {"key": KEYS[1], "content": 7}),
    ("memory_list", {"cursor": "W10="}),
    ("memory_list", {}),
    ("memory_forget", {}),
]


def both(history: list[Act], taint: Level) -> tuple[Player, Player]:
    return Player().play(history), Player(ceiling=taint).play(history)


@given(histories, BELOW_TOP)
@settings(max_examples=EXAMPLES)
def test_g7_tools_of_a_fresh_session_answer_the_same_bytes(history: list[Act], taint: Level) -> None:
    answers = []
    for player in both(history, taint):
        session = player.store.operator().start(taint)
        memories = player.store.memories(session)
        payloads = [json.dumps(run_tool(memories, name, arguments).payload) for name, arguments in CALLS]
        answers.append((session, payloads, player.store.audit(session).events(limit=1_000)))
    assert answers[0] == answers[1]


@given(histories, BELOW_TOP)
@settings(max_examples=EXAMPLES)
def test_g7_export_and_recall_are_the_same_bytes(history: list[Act], taint: Level) -> None:
    texts = []
    for player in both(history, taint):
        memories = player.store.memories(player.store.operator().viewer(taint))
        exported = ["".join(export_lines(memories, "a", form, history=h)) for form in FORMATS for h in (True, False)]
        texts.append([*exported, *(recall_block(memories, budget) for budget in (0, 40, 400))])
    assert texts[0] == texts[1]


COMMANDS = (
    *(["list", "--order", order] for order in ("saved", "key", "level", "content", "tags")),
    ["list", "--tag", "x", "--reverse", "--limit", "2"],
    *(["show", key] for key in (*KEYS, "none")),
    *(["search", word, "--limit", "2"] for word in WORDS),
    *(["history", key, "--json"] for key in (*KEYS, "none")),
    ["deleted"],
    ["tags", "--json"],
    ["audit", "list", "--json"],
    ["audit", "list", "--outcome", "missed"],
    ["audit", "verify"],
    ["audit", "head", "--json"],
    ["export", "--with-history"],
    ["context"],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stores")


@given(history=histories, taint=BELOW_TOP)
@settings(max_examples=max(3, EXAMPLES // 8))
def test_g7_the_command_line_prints_the_same_bytes_and_ends_with_the_same_code(
    folder: Path, history: list[Act], taint: Level
) -> None:
    runs = []
    for number, player in enumerate(both(history, taint)):
        path = folder / str(number) / "main.db"
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        player.store.operator().backup(path)
        outcomes = []
        for command in COMMANDS:
            done = CliRunner().invoke(tfmem, [*command, "--db", str(path), "--taint", taint.name])
            outcomes.append((command, done.exit_code, done.stdout, done.stderr))
        runs.append(outcomes)
    assert runs[0] == runs[1]


@given(histories, BELOW_TOP)
@settings(max_examples=EXAMPLES)
def test_g7_a_snapshot_for_the_simulator_answers_the_same_bytes(history: list[Act], taint: Level) -> None:
    answers = []
    for player in both(history, taint):
        session = player.store.operator().start(taint)
        with player.store.snapshot() as copy:
            memories = copy.memories(session)
            answers.append([run_tool(memories, name, arguments).payload for name, arguments in CALLS])
    assert answers[0] == answers[1]


def test_g7_the_harness_sees_a_leak_where_there_is_one() -> None:
    """A store whose ids come from one sequence for all levels does leak: the harness must say so."""

    class Shared(CountingEntropy):
        def id(self, level: Level) -> str:
            return super().id(Level.PUBLIC)

    seen = []
    for secrets in (0, 1):
        with Store.in_memory(clock=HandClock(), entropy=Shared(), user="tester") as store:
            high, low = (store.memories(store.operator().start(level)) for level in (Level.RESTRICTED, Level.PUBLIC))
            for number in range(secrets):
                high.save(f"s{number}", "text")
            seen.append(repr(low.save("k", "text")))
    assert seen[0] != seen[1]
