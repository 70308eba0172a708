"""G9 in a crowd: eight writers and eight readers in processes of their own; ``tests.bench.crowd`` is the long run."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.bench.crowd import WRITERS, run
from tests.support import session_at, viewer_at
from tfmem_tui.core.errors import StoreBusy
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store


def test_g9_a_crowd_of_writers_and_readers_loses_nothing_and_sees_no_half_state(tmp_path: Path) -> None:
    times, broken = run(tmp_path / "store.db", seconds=300, turns=12)
    assert broken == []
    assert len(times["save"]) == WRITERS * 12 * 2
    assert len(times["import of three"]) == WRITERS * 12


def test_a_writer_that_does_not_get_its_turn_is_told_so_and_readers_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tfmem_tui.core.storage.BUSY_TIMEOUT_SECONDS", 0.05)
    path = tmp_path / "store.db"
    with Store.open(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        memories = session_at(store, Level.PUBLIC)
        memories.save("note", "falcon")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match="another writer"):
            memories.save("note", "harbor")
        assert [row.content for row in viewer_at(store, Level.PUBLIC).list().memories] == ["falcon"]
        other.execute("COMMIT")
        memories.save("note", "harbor")
        assert store.operator().examine() == []
