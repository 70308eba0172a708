"""``tfmem doctor``, ``backup`` and ``purge``: exit codes, what is said, what is asked first."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support import session_at
from tfmem_tui.cli.main import tfmem
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store


@pytest.fixture
def store_file(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        memories = session_at(store, Level.INTERNAL)
        memories.save("k", "falcon", ["t"])
        memories.save("gone", "harbor")
        memories.delete("gone")
    return path


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(tfmem, [*arguments, "--db", str(path)])


def damage(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


def test_doctor_exits_0_when_all_is_well_and_1_with_findings_when_not(store_file: Path) -> None:
    assert run(store_file, "doctor").exit_code == 0
    damage(store_file, "DELETE FROM memory_tag")
    found = run(store_file, "doctor", "--json")
    assert found.exit_code == 1
    assert json.loads(found.stdout) == [
        {
            "what": "tag rows",
            "level": "INTERNAL",
            "text": "1 rows differ from what the live versions say",
            "repairable": True,
        }
    ]
    assert "tag rows" in run(store_file, "doctor").stdout


def test_doctor_repair_keeps_a_backup_and_proves_its_result(store_file: Path) -> None:
    damage(store_file, "DELETE FROM memory_tag")
    repaired = run(store_file, "doctor", "--repair", "--yes")
    assert repaired.exit_code == 0
    assert "all is well" in repaired.stderr
    (kept,) = store_file.parent.glob("*.before-repair")
    assert run(kept, "doctor").exit_code == 1


def test_what_was_said_cannot_be_repaired(store_file: Path) -> None:
    damage(store_file, "UPDATE memory SET content = 'changed' WHERE key = 'gone'")
    assert run(store_file, "doctor", "--repair", "--yes").exit_code == 1


def test_a_purge_is_tried_dry_first_asked_about_and_done(store_file: Path) -> None:
    dry = run(store_file, "purge", "--older-than", "0s", "--dry-run", "--json")
    assert [row["key"] for row in json.loads(dry.stdout)] == ["gone"]
    assert run(store_file, "purge", "--older-than", "0s").exit_code == 2  # no terminal, no --yes
    assert json.loads(run(store_file, "deleted", "--json", "--taint", "INTERNAL").stdout) != []
    done = run(store_file, "purge", "--older-than", "0s", "--yes", "--json")
    assert json.loads(done.stdout) == {"purged": 1, "wiped": True}
    assert json.loads(run(store_file, "deleted", "--json", "--taint", "INTERNAL").stdout) == []
    assert b"harbor" not in store_file.read_bytes()
    assert run(store_file, "purge", "--older-than", "soon").exit_code == 2


def test_a_backup_is_made_and_never_overwrites(store_file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert run(store_file, "backup", str(copy)).exit_code == 0
    assert run(copy, "doctor").exit_code == 0
    again = CliRunner().invoke(tfmem, ["backup", str(copy), "--db", str(store_file)])
    assert again.exit_code != 0


def test_compact_makes_a_file_that_was_purged_smaller_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        memories = session_at(store, Level.INTERNAL)
        for number in range(150):
            memories.save(f"k{number}", f"word{number} " * 1_200)
        for number in range(140):
            memories.delete(f"k{number}")
    assert run(path, "purge", "--older-than", "0s", "--yes").exit_code == 0
    before = path.stat().st_size
    assert "--compact would give back" in run(path, "doctor").stderr
    done = run(path, "doctor", "--compact")
    assert done.exit_code == 0
    assert "MB before" in done.stderr
    assert path.stat().st_size < before / 4
    assert len(json.loads(run(path, "list", "--json", "--taint", "INTERNAL").stdout)) == 10
