"""A store of every released schema opens in this program with all that was said, searchable, its chains whole."""

from __future__ import annotations

import multiprocessing
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support import session_at, viewer_at
from tfmem_tui.core.level import Level
from tfmem_tui.core.migrations import HEAD, REVISIONS
from tfmem_tui.core.store import Store

STORES = Path(__file__).with_name("stores")


def stored(revision: str, folder: Path) -> Path:
    """The store that is kept of a revision, as a file."""
    path = folder / f"{revision}.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((STORES / f"{revision}.sql").read_text("utf-8"))
        connection.execute("PRAGMA journal_mode = WAL")
    return path


def test_a_store_of_every_revision_is_kept() -> None:
    assert {file.stem for file in STORES.glob("*.sql")} == set(REVISIONS)


def check(path: Path) -> None:
    with Store.open(path, create=False) as store:
        assert store.operator().examine() == []
        assert all(one.ok for one in store.audit(store.operator().viewer(Level.RESTRICTED)).verify())
        public, top = viewer_at(store, Level.PUBLIC), viewer_at(store, Level.RESTRICTED)
        told = {row.key: row.content for row in public.list().memories}
        assert told["user-name"] == "Sam B. Example"
        assert told["deploy-day"] == "Deployments happen on Thursdays, O'Brien says"
        assert set(told) == {"user-name", "deploy-day", "code"}
        assert [row.key for row in public.search("deployment").memories] == ["deploy-day"]
        assert [one.content for one in public.tombstones()] == ["東京 office by 2025"]
        assert len(public.versions("user-name")) == 2
        assert {row.content for row in top.list("person").memories} == {"Samantha Example"}
        assert [row.content for row in viewer_at(store, Level.INTERNAL).list("rule").memories] == ["Moved to Fridays"]
        assert [one.label for one in store.operator().sessions()].count("chat") == 1
        memories = session_at(store, Level.INTERNAL)
        memories.save("since", "written by this program")
        assert store.operator().examine() == []


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_stored_file_of_a_released_schema_opens_whole(revision: str, tmp_path: Path) -> None:
    path = stored(revision, tmp_path)
    check(path)
    assert bool(list(tmp_path.glob("*.before-*"))) is (revision != HEAD)


@pytest.mark.parametrize("revision", REVISIONS)
def test_programs_that_bring_one_store_forward_at_once_do_it_once_and_whole(revision: str, tmp_path: Path) -> None:
    path = stored(revision, tmp_path)
    context = multiprocessing.get_context("spawn")
    programs = [context.Process(target=check, args=(path,)) for _ in range(4)]
    for one in programs:
        one.start()
    for one in programs:
        one.join()
    assert [one.exitcode for one in programs] == [0] * len(programs)
    assert len(list(tmp_path.glob("*.before-*"))) == (revision != HEAD)


def test_a_restored_backup_holds_what_was_said_when_it_was_made(tmp_path: Path) -> None:
    path, copy = tmp_path / "store.db", tmp_path / "copy.db"
    with Store.open(path) as store:
        memories = session_at(store, Level.PUBLIC)
        memories.save("note", "before")
        store.operator().backup(copy)
        memories.save("note", "after")
    for end in ("", "-wal", "-shm"):
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
    copy.rename(path)
    with Store.open(path) as store:
        assert [row.content for row in viewer_at(store, Level.PUBLIC).list().memories] == ["before"]
        assert store.operator().examine() == []
        session_at(store, Level.PUBLIC).save("note", "again")
