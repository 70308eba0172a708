"""Damaged files, full disks and races at the command line: a clear message, the right exit code, nothing lost."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.damage import copy_of, good_store, pages, spoil
from tests.support import viewer_at
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

ROOT = Path(__file__).parents[2]
INTERNAL = ("--taint", "INTERNAL")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return good_store(tmp_path_factory.mktemp("good") / "store.db")


def tfmem(
    path: Path | None, *arguments: str, most_bytes: int | None = None, given: str = ""
) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own; ``most_bytes`` is how large a file it may write."""

    def limit() -> None:
        if most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    command = [sys.executable, "-m", "tfmem_tui", *arguments, *(["--db", str(path)] if path else [])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, preexec_fn=limit, input=given, check=False)
    assert "Traceback" not in done.stderr
    assert "falcon" not in done.stderr
    return done


def test_doctor_names_damaged_pages_and_repairs_them_with_a_backup_and_a_proof(good: Path, tmp_path: Path) -> None:
    path = copy_of(good, tmp_path / "store.db")
    spoil(path, pages(good)["memory_fts_internal_data", "internal"][0], seed=5)
    spoilt = path.read_bytes()
    assert tfmem(path, "search", "falcon", *INTERNAL).returncode == 3
    assert tfmem(path, "list", *INTERNAL).returncode == 0  # what was readable stays readable
    assert tfmem(path, "show", "key33", *INTERNAL).returncode == 0
    found = tfmem(path, "doctor")
    assert found.returncode == 1
    assert "memory_fts_internal_data" in found.stdout
    assert "--repair" in found.stderr
    repaired = tfmem(path, "doctor", "--repair", "--yes")
    assert repaired.returncode == 0
    assert "all is well" in repaired.stderr
    (kept,) = tmp_path.glob("*.before-repair")
    assert len(kept.read_bytes()) == len(spoilt)
    assert tfmem(kept, "doctor").returncode == 1
    assert tfmem(path, "doctor").returncode == 0
    assert tfmem(path, "search", "word33", *INTERNAL).returncode == 0


def test_doctor_does_not_write_to_a_file_whose_own_rows_are_damaged(good: Path, tmp_path: Path) -> None:
    path = copy_of(good, tmp_path / "store.db")
    spoil(path, pages(good)["audit_event", "leaf"][2], seed=5)
    spoilt = path.read_bytes()
    done = tfmem(path, "doctor", "--repair", "--yes")
    assert done.returncode == 1
    assert "put a backup in its place" in done.stderr
    assert "audit_event" in done.stdout
    assert path.read_bytes() == spoilt
    assert tfmem(path, "list", *INTERNAL).returncode == 0


def test_doctor_says_what_it_can_of_a_file_that_cannot_be_opened(good: Path, tmp_path: Path) -> None:
    path = copy_of(good, tmp_path / "store.db")
    spoil(path, 1, seed=5)
    for command in (
        ("doctor", "--json"),
        ("list",),
        ("search", "falcon"),
        ("audit", "verify"),
        ("call", "memory_list"),
    ):
        assert tfmem(path, *command).returncode == 3, command
    (finding,) = json.loads(tfmem(path, "doctor", "--json").stdout)
    assert finding["what"] == "file"
    assert not finding["repairable"]


def kept(path: Path) -> int:
    with Store.open(path) as store:
        assert store.operator().examine() == []
        return len(viewer_at(store, Level.INTERNAL).list().memories)


def test_a_save_on_a_full_disk_is_refused_whole_and_reads_go_on(good: Path, tmp_path: Path) -> None:
    path = copy_of(good, tmp_path / "store.db")
    before = kept(path)
    arguments = json.dumps({"key": "large", "content": "harbor " * 60_000})
    full = tfmem(path, "call", "memory_save", "-", *INTERNAL, most_bytes=64 * 1024, given=arguments)
    assert full.returncode == 3
    answer = full.stdout or full.stderr
    assert "disk" in answer
    assert kept(path) == before
    for command in (("list", *INTERNAL), ("show", "key33", *INTERNAL), ("search", "word33", *INTERNAL)):
        assert tfmem(path, *command, most_bytes=64 * 1024).returncode == 0, command
    assert tfmem(path, "call", "memory_save", "-", *INTERNAL, given=arguments).returncode == 0
    assert kept(path) == before + 1


def test_an_import_on_a_full_disk_keeps_what_went_in_and_goes_on_when_there_is_room(good: Path, tmp_path: Path) -> None:
    export = tmp_path / "export.jsonl"
    assert tfmem(good, "export", "--out", str(export), *INTERNAL).returncode == 0
    home = tmp_path / "home"
    into = ("import", str(export), "--home", str(home))
    full = tfmem(None, *into, most_bytes=150 * 1024)
    assert full.returncode == 3
    assert "disk" in full.stderr
    (path,) = home.rglob("*.db")
    some = kept(path)
    assert tfmem(None, *into).returncode == 0
    assert some < kept(path) == kept(good)


def test_a_backup_or_an_export_on_a_full_disk_leaves_no_half_file(good: Path, tmp_path: Path) -> None:
    for command in (("backup", str(tmp_path / "copy.db")), ("export", "--out", str(tmp_path / "out.jsonl"), *INTERNAL)):
        assert tfmem(good, *command, most_bytes=40 * 1024).returncode != 0
        assert list(tmp_path.iterdir()) == []


def given_as(key: str) -> str:
    return json.dumps({"key": key, "content": "harbor " * 9_000})


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this user may not mount a small disk; the limit on file sizes above stands in for it")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_disk_that_is_really_full_refuses_the_save_and_keeps_all_that_was_acknowledged(small_disk: Path) -> None:
    path = small_disk / "store.db"
    done = 0
    while (
        tfmem(path, "call", "memory_save", json.dumps({"key": f"k{done}", "content": "harbor " * 9_000})).returncode
        == 0
    ):
        done += 1
    refused = tfmem(path, "call", "memory_save", json.dumps({"key": "more", "content": "harbor " * 9_000}))
    assert refused.returncode == 3
    assert "full" in refused.stdout + refused.stderr
    assert done > 0
    listed = tfmem(path, "list", "--json")
    assert listed.returncode == 0
    assert len(json.loads(listed.stdout)) == done


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount a disk read-only")
def test_a_store_on_a_read_only_disk_is_read_and_not_written(small_disk: Path) -> None:
    path = small_disk / "store.db"
    with Store.open(path) as store:
        store.memories(store.operator().start(Level.PUBLIC)).save("note", "falcon")
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    listed = tfmem(path, "list", "--json")
    assert [row["key"] for row in json.loads(listed.stdout)] == ["note"]
    assert "opened read-only" in listed.stderr
    assert json.loads(tfmem(path, "call", "memory_get", '{"key": "note"}').stdout)["audited"] is False
    refused = tfmem(path, "call", "memory_save", '{"key": "a", "content": "b"}')
    assert refused.returncode == 1
    assert json.loads(refused.stdout)["error"]["code"] == "STORAGE_ERROR"
    assert tfmem(path, "doctor").returncode == 0
