"""``tfmem export`` and ``import`` from the command line: there and back, broken lines, levels that are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support import viewer_at
from tfmem_tui.cli.main import tfmem
from tfmem_tui.core.home import agent_path
from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.core.store import Store
from tfmem_tui.demo import demo_store


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(tfmem, [str(one) for one in arguments])


@pytest.mark.parametrize("form", ["jsonl", "yaml"])
def test_the_demo_comes_back_as_the_same_store(tmp_path: Path, form: str) -> None:
    with demo_store(tmp_path / "demo") as store:
        assert store.path is not None
        out = tmp_path / f"demo.{form}"
        exported = run(
            "export", "--db", store.path, "--taint", "RESTRICTED", "--with-history", "--format", form, "--out", out
        )
        assert exported.exit_code == 0, exported.output
        assert run("import", out, "--home", tmp_path / "home", "--agent", "copy").exit_code == 0
        with Store.open(agent_path(tmp_path / "home", "copy")) as copy:
            for level in ALL_LEVELS:
                left, right = viewer_at(store, level), viewer_at(copy, level)
                assert left.list() == right.list()
                assert left.tombstones() == right.tombstones()
                assert left.tags() == right.tags()
                assert [left.versions(row.key) for row in left.list().memories] == [
                    right.versions(row.key) for row in right.list().memories
                ]
    again = run("import", out, "--home", tmp_path / "home", "--agent", "copy")
    assert "nothing new" in again.stdout


def test_an_export_ends_at_the_level_that_is_named(tmp_path: Path) -> None:
    with demo_store(tmp_path / "demo") as store:
        assert store.path is not None
        for level in ALL_LEVELS:
            result = run("export", "--db", store.path, "--taint", level.name, "--with-history")
            levels = {json.loads(line).get("level", "PUBLIC") for line in result.stdout.splitlines()}
            assert levels <= {one.name for one in ALL_LEVELS if one <= level}
            assert level.name in levels


def test_a_broken_line_is_named_and_the_exit_code_says_so(tmp_path: Path) -> None:
    with demo_store(tmp_path / "demo") as store:
        assert store.path is not None
        lines = run("export", "--db", store.path).stdout.splitlines()
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join([*lines[:3], "broken", *lines[3:]]))
    result = run("import", path, "--home", tmp_path / "home", "--json")
    assert result.exit_code == 1
    assert "line 4" in result.stderr
    (file,) = json.loads(result.stdout)["files"]
    assert (file["total"]["memories"], file["skipped_count"]) == (len(lines) - 1, 1)


def test_notes_need_a_level_and_get_exactly_that(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("Sam likes tea.")
    unnamed = run("import", notes, "--home", tmp_path / "home")
    assert unnamed.exit_code == 1
    assert "--level" in unnamed.stderr
    assert run("import", notes, "--level", "CONFIDENTIAL", "--home", tmp_path / "home").exit_code == 0
    with Store.open(agent_path(tmp_path / "home", "main")) as store:
        assert viewer_at(store, Level.INTERNAL).count() == 0
        assert viewer_at(store, Level.CONFIDENTIAL).get("a") is not None


def test_an_export_file_is_the_owners_alone_and_replaces_only_when_whole(tmp_path: Path) -> None:
    with demo_store(tmp_path / "demo") as store:
        assert store.path is not None
        out = tmp_path / "x.md"
        assert run("export", "--db", store.path, "--format", "md", "--out", out).exit_code == 0
    assert out.stat().st_mode & 0o777 == 0o600
    assert "## start-here" in out.read_text()
