"""The command line: exit codes, data on standard output and words on standard error, JSON everywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tfmem_tui.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """``tfmem`` in a process of its own, with a home of its own."""
    home = tmp_path / "home"
    environment = {"TFMEM_HOME": str(home), "TFMEM_CONFIG": "", "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}

    def tfmem(*arguments: str, stdin: str = "", **extra: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "tfmem_tui", *arguments],
            cwd=ROOT,
            env=environment | extra,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )

    return tfmem


def answer(done: subprocess.CompletedProcess[str]) -> Any:
    return json.loads(done.stdout)


def save(run: Run, key: str, content: str, taint: str = "PUBLIC", tags: tuple[str, ...] = ()) -> None:
    arguments = json.dumps({"key": key, "content": content, "tags": list(tags)})
    assert run("call", "memory_save", arguments, "--taint", taint).returncode == 0


def test_a_call_prints_one_json_object_and_its_exit_code_tells_an_error(run: Run) -> None:
    save(run, "k", "falcon", "INTERNAL")
    got = run("call", "memory_get", '{"key": "k"}', "--taint", "INTERNAL")
    assert (got.returncode, answer(got)["content"]) == (0, "falcon")
    hidden = run("call", "memory_get", "-", stdin='{"key": "k"}')
    assert (hidden.returncode, answer(hidden)) == (0, {"found": False, "key": "k"})
    missing = run("call", "memory_delete", '{"key": "k"}', "--taint", "PUBLIC")
    assert (missing.returncode, answer(missing)["error"]["code"]) == (1, "NOT_FOUND")
    assert run("call", "memory_get", "{not json").returncode == 2
    assert run("call").returncode == 2


@pytest.mark.parametrize("command", ["list", "show k", "search x", "history k", "deleted", "tags", "audit list"])
def test_a_read_of_a_store_that_is_not_there_says_where_and_makes_none(run: Run, tmp_path: Path, command: str) -> None:
    done = run(*command.split())
    assert (done.returncode, done.stdout) == (3, "")
    assert "no store at" in done.stderr
    assert not (tmp_path / "home").exists()


def test_reads_end_at_the_acting_level_and_default_to_public(run: Run) -> None:
    save(run, "user-name", "Sam", "PUBLIC", ("persona",))
    save(run, "user-name", "Samira Lind", "INTERNAL", ("persona", "hr"))
    save(run, "plan", "secret", "RESTRICTED")
    assert [row["content"] for row in answer(run("list", "--json"))] == ["Sam"]
    assert [row["content"] for row in answer(run("list", "--json", "--taint", "internal"))] == ["Samira Lind"]
    assert answer(run("show", "user-name", "--json"))["content"] == "Sam"
    assert [row["level"] for row in answer(run("history", "user-name", "--json", "--taint", "INTERNAL"))] == [
        "INTERNAL",
        "PUBLIC",
    ]
    assert answer(run("tags", "--json")) == [{"tag": "persona", "count": 1}]
    assert run("show", "plan").returncode == 1
    assert run("search", "secret").returncode == 1
    assert [row["key"] for row in answer(run("search", "secret", "--json", "--taint", "RESTRICTED"))] == ["plan"]
    assert run("list", "--taint", "PUBLIC", "--session", "x").returncode == 2
    assert run("list", "--taint", "SECRET").returncode == 2


def test_list_orders_filters_and_limits(run: Run) -> None:
    for key, tags in (("b", ("x",)), ("a", ("x", "y")), ("c", ())):
        save(run, key, f"content of {key}", tags=tags)
    assert [row["key"] for row in answer(run("list", "--json", "--order", "key"))] == ["a", "b", "c"]
    assert [row["key"] for row in answer(run("list", "--json", "--order", "key", "--reverse"))] == ["c", "b", "a"]
    assert [row["key"] for row in answer(run("list", "--json"))] == ["c", "a", "b"]
    assert [row["key"] for row in answer(run("list", "--json", "--tag", "x", "--tag", "y"))] == ["a"]
    limited = run("list", "--limit", "1")
    assert "the first 1 of 3" in limited.stderr
    assert len(limited.stdout.splitlines()) == 2
    assert answer(run("list", "--json", "--before", "1h")) == []
    assert len(answer(run("list", "--json", "--since", "1h"))) == 3
    assert run("list", "--since", "yesterdayish").returncode == 2


def test_a_table_shows_hostile_text_harmlessly(run: Run) -> None:
    save(run, "evil", "\x1b]52;c;aGk=\x07\x1b[2Jred\u202e\x85 [bold]x[/]")
    for command in (("list",), ("show", "evil"), ("search", "bold"), ("history", "evil"), ("list", "--json")):
        out = run(*command).stdout
        assert all(char.isprintable() or char == "\n" for char in out), command
        assert "[bold]x[/]" in out


def test_deleted_memories_are_listed_and_restored_at_their_own_level(run: Run) -> None:
    save(run, "k", "falcon", "INTERNAL")
    run("call", "memory_delete", '{"key": "k"}', "--taint", "INTERNAL")
    assert [row["key"] for row in answer(run("deleted", "--json", "--taint", "INTERNAL"))] == ["k"]
    assert answer(run("deleted", "--json")) == []
    assert run("restore", "k", "--taint", "INTERNAL").returncode == 2  # no terminal to ask on, and no --yes
    assert run("restore", "k", "--yes").returncode == 1
    assert answer(run("restore", "k", "--yes", "--json", "--taint", "INTERNAL"))["level"] == "INTERNAL"
    assert answer(run("call", "memory_get", '{"key": "k"}', "--taint", "INTERNAL"))["content"] == "falcon"
    assert len(answer(run("deleted", "--json", "--taint", "INTERNAL"))) == 1


def test_sessions_are_started_raised_and_reset_by_id_and_by_label(run: Run) -> None:
    started = answer(run("sessions", "start", "--taint", "INTERNAL", "--label", "chat", "--json"))
    assert list(started) == ["id", "label", "kind", "taint", "started_at"]
    assert (started["label"], started["kind"], started["taint"]) == ("chat", "agent", "INTERNAL")
    assert run("sessions", "escalate", "chat", "RESTRICTED").returncode == 2
    raised = answer(run("sessions", "escalate", started["id"], "RESTRICTED", "--yes", "--json"))
    assert (raised["id"], raised["taint"]) == (started["id"], "RESTRICTED")
    lower = run("sessions", "escalate", "chat", "PUBLIC", "--yes", "--json")
    assert answer(lower)["taint"] == "RESTRICTED"
    assert "only rises" in lower.stderr
    fresh = answer(run("sessions", "reset", "chat", "--yes", "--json"))
    assert fresh["taint"] == "PUBLIC"
    assert fresh["id"] != started["id"]
    assert [one["id"] for one in answer(run("sessions", "list", "--json"))] == [fresh["id"]]
    assert run("call", "memory_get", '{"key": "k"}', "--session", started["id"]).returncode == 1


def test_the_audit_is_listed_verified_and_has_heads_up_to_the_acting_level(run: Run) -> None:
    save(run, "k", "falcon", "INTERNAL")
    assert answer(run("audit", "list", "--json")) == []
    events = answer(run("audit", "list", "--json", "--taint", "INTERNAL", "--action", "memory_save"))
    assert [(event["level"], event["key"], event["outcome"]) for event in events] == [("INTERNAL", "k", "allowed")]
    verified = run("audit", "verify", "--taint", "INTERNAL", "--json")
    assert verified.returncode == 0
    assert [one["ok"] for one in answer(verified)] == [True, True]
    heads = answer(run("audit", "head", "--taint", "INTERNAL", "--json"))
    assert heads[-1]["hash"] == events[0]["hash"]


def test_verify_exits_1_where_a_chain_is_broken(run: Run, tmp_path: Path) -> None:
    import sqlite3

    save(run, "k", "falcon")
    (file,) = (tmp_path / "home" / "agents").glob("*.db")
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE audit_event SET key = 'other' WHERE seq = 2")
    connection.close()
    done = run("audit", "verify")
    assert done.returncode == 1
    assert "broken at event 2" in done.stdout


def test_the_agent_is_the_named_one_else_the_only_one_else_main(run: Run, tmp_path: Path) -> None:
    run("sessions", "start", "--agent", "solo/one")
    save(run, "k", "falcon")
    assert [file.name for file in (tmp_path / "home" / "agents").glob("*.db")] == ["solo%2fone.db"]
    run("sessions", "start", "--agent", "two")
    save(run, "k", "falcon")
    assert (tmp_path / "home" / "agents" / "main.db").exists()
    assert answer(run("list", "--json", TFMEM_AGENT="two")) == []
    assert len(answer(run("list", "--json", "--agent", "solo/one", TFMEM_AGENT="two"))) == 1


def test_a_mistyped_setting_is_refused_with_its_line_and_the_nearest_name(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    for text, message in (
        ("home: /tmp\nclearence: PUBLIC\n", "config.yaml:2: unknown setting clearence; did you mean clearance?"),
        ("home: /tmp\nclearance: SECRET\n", "config.yaml:2: clearance: not a level"),
        ("a: [\n", "config.yaml:2:1:"),
        ("- a\n", "config.yaml:1: expected settings"),
    ):
        config.write_text(text)
        done = run("list", TFMEM_CONFIG=str(config))
        assert done.returncode == 2
        assert message in done.stderr


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_teaches_each_command(run: Run, command: str) -> None:
    done = run(*command.split(), "--help")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) > 5


def test_help_and_version_import_neither_engine_nor_screen() -> None:
    script = (
        "import sys\nfrom tfmem_tui.cli.main import main\n"
        "try: main([sys.argv[1]])\nexcept SystemExit: pass\n"
        "print([m for m in ('sqlalchemy', 'sqlmodel', 'textual', 'pydantic', 'yaml') if m in sys.modules])"
    )
    for option in ("--help", "--version"):
        done = subprocess.run(
            [sys.executable, "-c", script, option], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_goes_away_is_no_error(run: Run, tmp_path: Path) -> None:
    for number in range(30):
        save(run, f"k{number}", "x" * 5000)
    command = f"{sys.executable} -m tfmem_tui list --json | head -c 10"
    done = subprocess.run(
        ["/bin/bash", "-c", f"set -o pipefail; {command}"],
        cwd=ROOT,
        env={"TFMEM_HOME": str(tmp_path / "home"), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_screen_is_not_opened_where_there_is_no_terminal(run: Run) -> None:
    for command in ("", "open", "demo"):
        done = run(*command.split())
        assert done.returncode == 2
        assert "needs a terminal" in done.stderr
