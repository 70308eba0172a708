"""Opening a Triggerfish database, live or resting: it is left alone, and what is none is refused."""

from __future__ import annotations

import json
import os
import sqlite3
import uuid
from pathlib import Path
from typing import Any

import pytest

from tests.exchange.triggerfish_file import T2, TriggerfishFile, memories, memory_json
from tfmem_tui.exchange.triggerfish import SourceUnavailable, count_rows, read_triggerfish


def test_reading_a_resting_database_leaves_its_folder_as_it_was(file: TriggerfishFile) -> None:
    file.memory()
    path = file.rest()
    before = {entry.name: entry.stat().st_mtime_ns for entry in path.parent.iterdir()}

    assert count_rows(path) == len(list(read_triggerfish(path))) == 1

    assert {entry.name: entry.stat().st_mtime_ns for entry in path.parent.iterdir()} == before


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write into every folder")
def test_a_resting_database_in_a_folder_that_may_not_be_written_is_read(file: TriggerfishFile) -> None:
    file.memory()
    path = file.rest()
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        assert len(memories(path)) == 1
    finally:
        path.parent.chmod(0o700)


def test_what_a_running_triggerfish_has_committed_is_read_from_its_log(file: TriggerfishFile) -> None:
    file.memory(key="committed")
    file.connection.execute("BEGIN IMMEDIATE")
    file.memory(key="not committed")

    assert [memory.key for _, memory in memories(file.path)] == ["committed"]


def test_a_running_triggerfish_writes_on_while_one_moment_of_it_is_read(file: TriggerfishFile) -> None:
    for number in range(3):
        file.memory(key=f"k{number}")
    reading = read_triggerfish(file.path)
    first = next(reading)

    file.memory(key="k1", content="changed", updatedAt=T2)
    file.memory(key="k9")
    file.lineage()
    rest = list(reading)

    assert isinstance(first, tuple)
    assert [(item[1].key, item[1].content) for item in rest if isinstance(item, tuple)] == [
        ("k1", "teal"),
        ("k2", "teal"),
    ]


def test_a_resting_database_that_is_changed_meanwhile_is_an_error_and_no_mixture(file: TriggerfishFile) -> None:
    for number in range(3):
        file.memory(key=f"k{number}")
    path = file.rest()
    reading = read_triggerfish(path)
    next(reading)

    again = TriggerfishFile(path)
    again.memory(key="k1", content="changed")
    again.rest()

    with pytest.raises(SourceUnavailable, match="was changed while it was read"):
        list(reading)


def test_a_database_with_a_rollback_journal_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT)")
        connection.execute(
            "INSERT INTO kv VALUES ('memory:main-session:PUBLIC:colour', ?)", (json.dumps(memory_json()),)
        )
    connection.close()

    assert len(memories(path)) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["old.db"]


def test_a_path_with_characters_that_mean_something_in_a_uri_is_opened(tmp_path: Path) -> None:
    folder = tmp_path / "50% off?mode=rwc#x"
    folder.mkdir()
    made = TriggerfishFile(folder / "tf db.db")
    made.memory()

    assert len(memories(made.rest())) == 1


def _text(path: Path) -> None:
    path.write_text("once upon a time " * 400)


def _empty(path: Path) -> None:
    path.touch()


def _folder(path: Path) -> None:
    path.mkdir()


def _other_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (key TEXT, value TEXT)")
    connection.close()


def _other_columns(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE kv (k TEXT, v TEXT)")
    connection.close()


def _view(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE VIEW kv AS SELECT 'memory:a:PUBLIC:k' AS key, '{}' AS value")
    connection.close()


def _nothing(path: Path) -> None:
    pass


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_text, "is not a SQLite database"),
        (_empty, "is an empty file"),
        (_folder, "is a folder"),
        (_other_database, "not one of Triggerfish's"),
        (_other_columns, "not one of Triggerfish's"),
        (_view, "not one of Triggerfish's"),
        (_nothing, "there is no file"),
    ],
)
def test_a_file_that_is_no_triggerfish_database_is_refused_and_left_alone(
    tmp_path: Path, make: Any, reason: str
) -> None:
    path = tmp_path / "file.db"
    make(path)
    before = sorted(entry.name for entry in tmp_path.iterdir())

    with pytest.raises(SourceUnavailable, match=reason):
        count_rows(path)
    with pytest.raises(SourceUnavailable, match=reason):
        list(read_triggerfish(path))

    assert sorted(entry.name for entry in tmp_path.iterdir()) == before


def test_a_damaged_database_is_an_error_that_quotes_nothing_stored(file: TriggerfishFile) -> None:
    for number in range(200):
        file.memory(key=f"key-{number}", content=str(uuid.uuid4()) * 40)
    path = file.rest()
    data = bytearray(path.read_bytes())
    for page in range(6, len(data) // 4096, 3):
        data[page * 4096 : page * 4096 + 200] = b"\xee" * 200
    path.write_bytes(data)

    with pytest.raises(SourceUnavailable, match="is damaged"):
        list(read_triggerfish(path))
