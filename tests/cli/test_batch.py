"""``tfmem call --batch``: a co-process that answers each line with one line, in order, at once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_commands import ROOT, Run, answer, run

__all__ = ["run"]


@pytest.fixture
def talk(tmp_path: Path) -> Any:
    """Sends one line to a running batch and gives its answer, before anything else is sent."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tfmem_tui", "call", "--batch"],
        cwd=ROOT,
        env={"TFMEM_HOME": str(tmp_path / "home"), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )

    def send(line: Any) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    yield send
    process.communicate()
    assert process.returncode == 0


def test_sessions_and_calls_are_answered_one_by_one(talk: Any, run: Run) -> None:
    started = talk({"session": "chat", "op": "start", "taint": "PUBLIC"})
    assert (started["session"], started["taint"]) == ("chat", "PUBLIC")
    save = {"tool": "memory_save", "args": {"key": "a", "content": "b"}, "session": "chat"}
    assert talk(save) == {"saved": True, "key": "a", "classification": "PUBLIC"}
    raised = talk({"session": "chat", "op": "escalate", "taint": "INTERNAL"})
    assert raised == {"session": "chat", "id": started["id"], "taint": "INTERNAL"}
    assert talk(save)["classification"] == "INTERNAL"
    lower = talk({"session": "chat", "op": "escalate", "taint": "PUBLIC"})
    assert (lower["taint"], lower["unchanged"]) == ("INTERNAL", True)
    fresh = talk({"session": "chat", "op": "reset"})
    assert fresh["taint"] == "PUBLIC"
    assert fresh["id"] != started["id"]
    assert talk({"tool": "memory_get", "args": {"key": "a"}, "session": "chat"})["classification"] == "PUBLIC"
    by_id = {"tool": "memory_get", "args": {"key": "a"}, "session": started["id"]}
    assert talk(by_id)["error"]["code"] == "SESSION_ENDED"
    # the label is in the store: another process finds the session by it
    assert answer(run("call", "memory_list", "{}", "--session", "chat"))["memories"][0]["key"] == "a"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"not json",
        b"[1]",
        b"null",
        b"\xff\xfe",
        b"{}",
        b'{"tool": "memory_get"}',
        b'{"tool": "memory_get", "session": "nobody", "args": {"key": "a"}}',
        b'{"op": "start"}',
        b'{"op": "end", "session": "x"}',
        b'{"op": "start", "session": "x", "taint": "SECRET"}',
        b'{"op": "start", "session": "x", "taint": 4}',
        b'{"op": "escalate", "session": "x"}',
        b'{"op": "start", "tool": "memory_get", "session": "x"}',
        b'{"op": "start", "session": "\\ud800"}',
        b'{"op": "start", "session": 7}',
        b'{"tool": 7, "session": "chat"}',
        b'{"tool": "memory_get", "session": "chat", "args": [1]}',
        b'{"tool": "memory_get", "session": "chat", "level": "RESTRICTED", "args": {"key": "a"}}',
        b'{"tool": "memory_save", "session": "chat", "args": {"key": "a", "content": "\\ud800"}}',
        b'{"tool": "memory_get", "session": "\\ud800", "args": {"key": "a"}}',
        b'{"op": "reset", "session": "\\ud800"}',
        b'{"op": "start", "session": "x", "taint": "PUBLIC", "args": {}}',
        b'{"tool": "memory_get", "session": "chat", "taint": "RESTRICTED", "args": {"key": "a"}}',
        b"[" * 100_000,
        b'{"tool": "memory_save", "session": "chat", "args": {"key": "a", "content": "' + b"x" * 5_000_000 + b'"}}',
    ],
    ids=range(26),
)
def test_a_line_that_cannot_be_played_gets_one_error_and_the_next_one_works(talk: Any, line: bytes) -> None:
    talk({"session": "chat", "op": "start", "taint": "PUBLIC"})
    assert talk(line)["error"]["code"] in ("VALIDATION_ERROR", "SESSION_ENDED")
    save = {"tool": "memory_save", "args": {"key": "a", "content": "b"}, "session": "chat"}
    assert talk(save)["saved"] is True
