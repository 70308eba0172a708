"""The command line at its edges: bytes that are no text, settings that are empty, terminals that lack a character."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import ROOT, Run, answer, run, save

__all__ = ["run"]

NO_TEXT = os.fsdecode(b"\xff")


@pytest.mark.parametrize(
    "command",
    [
        ("show", NO_TEXT),
        ("history", NO_TEXT),
        ("restore", NO_TEXT, "--yes"),
        ("list", "--tag", NO_TEXT),
        ("list", "--saved-by", NO_TEXT),
        ("deleted", "--key", NO_TEXT),
        ("audit", "list", "--key", NO_TEXT),
        ("audit", "list", "--by", NO_TEXT),
        ("list", "--session", NO_TEXT),
        ("sessions", "start", "--label", NO_TEXT),
        ("sessions", "reset", NO_TEXT, "--yes"),
    ],
    ids=lambda command: " ".join(command[:2]).encode("utf-8", "replace").decode(),
)
def test_bytes_that_are_no_text_are_wrong_usage(run: Run, command: tuple[str, ...]) -> None:
    save(run, "k", "falcon")
    done = run(*command)
    assert (done.returncode, done.stdout) == (2, "")
    assert "not text in UTF-8" in done.stderr


def test_an_empty_variable_counts_as_none(run: Run, tmp_path: Path) -> None:
    save_here = ("call", "memory_save", '{"key": "k", "content": "falcon"}')
    done = run(*save_here, TFMEM_HOME="", TFMEM_AGENT="", TFMEM_CLEARANCE="", XDG_DATA_HOME=str(tmp_path / "data"))
    assert done.returncode == 0
    assert [file.name for file in (tmp_path / "data").rglob("*.db")] == ["main.db"]
    assert not (ROOT / "agents").exists()


def test_a_call_whose_arguments_are_not_json_makes_no_store(run: Run, tmp_path: Path) -> None:
    assert run("call", "memory_save", "{not json").returncode == 2
    assert not (tmp_path / "home").exists()


def test_a_call_as_an_ended_session_is_refused_and_audited(run: Run) -> None:
    started = answer(run("sessions", "start", "--json"))["id"]
    run("sessions", "reset", started, "--yes")
    done = run("call", "memory_get", '{"key": "k"}', "--session", started)
    assert (done.returncode, answer(done)["error"]["code"]) == (1, "SESSION_ENDED")
    refused = answer(run("audit", "list", "--json", "--outcome", "refused"))
    assert [(event["session"], event["action"]) for event in refused] == [(started, "memory_get")]
    nobody = run("call", "memory_get", '{"key": "k"}', "--session", "nobody")
    assert (nobody.returncode, answer(nobody)["error"]["code"]) == (1, "SESSION_ENDED")


def test_tools_read_a_read_only_store_and_say_that_it_is_not_audited(run: Run) -> None:
    save(run, "k", "falcon")
    events = len(answer(run("audit", "list", "--json")))
    got = run("call", "memory_get", '{"key": "k"}', TFMEM_READ_ONLY="1")
    assert (got.returncode, answer(got)["content"], answer(got)["audited"]) == (0, "falcon", False)
    refused = run("call", "memory_save", '{"key": "k", "content": "x"}', TFMEM_READ_ONLY="1")
    assert (refused.returncode, answer(refused)["error"]["code"]) == (1, "STORAGE_ERROR")
    assert len(answer(run("audit", "list", "--json"))) == events


def test_the_place_may_stand_before_the_command_and_what_stands_after_it_counts(run: Run) -> None:
    run("--agent", "one", "call", "memory_save", '{"key": "k", "content": "falcon"}')
    run("--agent", "one", "call", "memory_save", '{"key": "k", "content": "heron"}', "--agent", "two")
    assert answer(run("--agent", "one", "show", "k", "--json"))["content"] == "falcon"
    assert answer(run("--agent", "two", "show", "k", "--json"))["content"] == "heron"
    refused = run("--agent", "one", "spine")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "spine takes no --agent" in refused.stderr


def test_a_missing_store_names_the_agents_that_are_there(run: Run) -> None:
    run("call", "memory_list", "--agent", "one")
    done = run("list", "--agent", "onne")
    assert done.returncode == 3
    assert "--agent names one of those here: one" in done.stderr


def test_a_terminal_without_a_character_shows_its_code(run: Run, tmp_path: Path) -> None:
    save(run, "東京", "naïve 🐟")
    environment = {"TFMEM_HOME": str(tmp_path / "home"), "HOME": str(tmp_path), "PYTHONIOENCODING": "latin-1"}
    command = [sys.executable, "-m", "tfmem_tui"]
    listed = subprocess.run([*command, "list"], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert b"\\u6771\\u4eac" in listed.stdout
    assert "naïve".encode("latin-1") in listed.stdout
    shown = subprocess.run(
        [*command, "show", "東京", "--json"], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    assert json.loads(shown.stdout.decode("latin-1"))["content"] == "naïve 🐟"


def test_an_export_is_utf_8_whatever_the_terminal_speaks(run: Run, tmp_path: Path) -> None:
    save(run, "東京", "naïve 🐟")
    environment = {"TFMEM_HOME": str(tmp_path / "home"), "HOME": str(tmp_path), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-m", "tfmem_tui", "export"], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    rows = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    assert "naïve 🐟" in [row.get("content") for row in rows]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ascii: true\nascii: false\n", "config.yaml:2: ascii is set in line 1 already"),
        ("? [a]\n: b\n", "config.yaml:1: unknown setting ?"),
        ("clearance: [INTERNAL]\n", "config.yaml:1: clearance: not a level"),
        ("clearance: 3\n", "config.yaml:1: clearance: not a level"),
        ("home: ~nobody-has-this-name/x\n", "config.yaml:1: home: there is no such user"),
    ],
)
def test_a_setting_that_cannot_be_is_named_with_its_line(run: Run, tmp_path: Path, text: str, message: str) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(text)
    done = run("list", TFMEM_CONFIG=str(config), TFMEM_HOME="")
    assert done.returncode == 2
    assert message in done.stderr


def test_a_wrong_variable_is_blamed_and_not_the_file(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("clearance: PUBLIC\n")
    done = run("list", TFMEM_CONFIG=str(config), TFMEM_CLEARANCE="SECRET")
    assert done.returncode == 2
    assert "TFMEM_CLEARANCE: clearance: not a level" in done.stderr
