"""Opening and refusing stores; the schema that the migrations make."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlmodel import SQLModel

from tests.support import session_at, viewer_at
from tfmem_tui.core.errors import StoreReadOnly, StoreTooNew, StoreUnavailable
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

ROOT = Path(__file__).parents[2]


def test_a_store_keeps_what_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.db"
    with Store.open(path) as store:
        session_at(store, Level.INTERNAL).save("note", "text", ["t"])
    with Store.open(path, create=False) as store:
        (row,) = viewer_at(store, Level.INTERNAL).list().memories
    assert (row.key, row.content, row.tags, row.level) == ("note", "text", ("t",), Level.INTERNAL)


def test_a_store_of_a_newer_schema_is_refused_and_left_untouched(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    Store.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match="newer"):
        Store.open(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["store.db"]


@pytest.mark.parametrize("content", [b"not a database at all, but long enough " * 40, b"SQLite format 3\x00short"])
def test_a_file_that_is_no_database_is_refused_and_left_untouched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(content)
    with pytest.raises(StoreUnavailable):
        Store.open(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_refused_and_left_untouched(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE kv (key TEXT, value TEXT)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match="no tfmem store"):
        Store.open(path)
    assert path.read_bytes() == before


def test_a_missing_store_is_not_made_where_that_was_not_asked(tmp_path: Path) -> None:
    for options in ({"create": False}, {"read_only": True}):
        with pytest.raises(StoreUnavailable, match="no store"):
            Store.open(tmp_path / "none.db", **options)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="folder"):
        Store.open(tmp_path)


def test_a_read_only_store_reads_and_refuses_to_write(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as writer:
        memories = session_at(writer, Level.PUBLIC)
        memories.save("note", "text")
        session = writer.operator().sessions()[0]
        with Store.open(path, read_only=True) as reader:
            same = reader.memories(session)
            got = same.get("note")
            assert got is not None
            assert not same.audited
            with pytest.raises(StoreReadOnly):
                same.save("note", "other")
            with pytest.raises(StoreReadOnly):
                reader.operator().start(Level.PUBLIC)
            memories.save("note", "newer")  # a live writer is seen
            newer = same.get("note")
            assert newer is not None
            assert newer.content == "newer"


def shape(connection: sqlite3.Connection) -> dict[str, object]:
    """Columns, checks and named indexes of every table of the schema, as SQLite understood them."""
    shapes: dict[str, object] = {}
    for table in SQLModel.metadata.tables:
        indexes = {}
        for _, name, unique, origin, partial in connection.execute(f"PRAGMA index_list({table})"):
            if origin == "c":
                columns = [(row[2], row[3]) for row in connection.execute(f"PRAGMA index_xinfo({name})") if row[5]]
                indexes[name] = (unique, partial, columns)
        options = connection.execute(f"SELECT wr, strict FROM pragma_table_list('{table}')").fetchone()
        shapes[table] = (connection.execute(f"PRAGMA table_xinfo({table})").fetchall(), indexes, options)
    return shapes


def test_the_migrations_make_exactly_the_tables_of_the_schema(tmp_path: Path) -> None:
    Store.open(tmp_path / "migrated.db").close()
    engine = create_engine(f"sqlite:///{tmp_path / 'declared.db'}")
    SQLModel.metadata.create_all(engine)
    engine.dispose()
    migrated, declared = (sqlite3.connect(tmp_path / f"{name}.db") for name in ("migrated", "declared"))
    assert shape(migrated) == shape(declared)
    migrated.close()
    declared.close()


def test_an_index_that_another_analyser_made_is_made_anew_when_the_store_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        session_at(store, Level.INTERNAL).save("note", "falcon")
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO memory_fts_internal (memory_fts_internal) VALUES ('delete-all')")
        connection.execute("UPDATE store_meta SET value = '0/old' WHERE name = 'analyser'")
    connection.close()
    with Store.open(path) as store:
        assert len(viewer_at(store, Level.INTERNAL).find("falcon")) == 1
        assert store.operator().examine() == []


OPENS_AND_SAVES = """
import sys
from pathlib import Path
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

with Store.open(Path(sys.argv[1])) as store:
    memories = store.memories(store.operator().start(Level.PUBLIC))
    for number in range(20):
        memories.save(f"{sys.argv[2]}-{number}", "text")
"""


def test_several_processes_make_and_fill_one_store_at_once(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    children = [subprocess.Popen([sys.executable, "-c", OPENS_AND_SAVES, str(path), name], cwd=ROOT) for name in "abcd"]
    assert [child.wait() for child in children] == [0, 0, 0, 0]
    with Store.open(path, create=False) as store:
        assert viewer_at(store, Level.PUBLIC).count() == 80
        assert all(report.ok for report in store.audit(store.operator().viewer(Level.PUBLIC)).verify())


def test_a_snapshot_is_apart_from_the_store_it_was_taken_of(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.db") as store:
        live = session_at(store, Level.PUBLIC, "chat")
        live.save("note", "text")
        with store.snapshot() as copy:
            session = copy.operator().labelled("chat")
            assert session is not None
            copy.memories(session).save("note", "changed in the copy")
        got = live.effective("note")
        assert got is not None
        assert got.content == "text"


def test_the_core_imports_no_screen_no_command_line_and_no_mcp() -> None:
    script = (
        "import sys, tfmem_tui.core.store; "
        "print([m for m in ('textual', 'rich', 'click', 'mcp', 'alembic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
