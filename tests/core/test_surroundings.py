"""What lies around a store's file: another state's log, folders and files that cannot be written, links, networks."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support import HandClock, session_at, viewer_at
from tfmem_tui.core.errors import InvalidInput, StoreReadOnly, StoreUnavailable
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.core.surroundings import network_file_system
from tfmem_tui.exchange.exporting import written_whole

ROOT = Path(__file__).parents[2]


def left_behind(path: Path, *, saves: int, first: int = 0) -> None:
    """More memories, and the log of them left beside the file as a killed program leaves it."""
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom tfmem_tui.core.level import Level\n"
        "from tfmem_tui.core.store import Store\nstore = Store.open(Path(sys.argv[1]))\n"
        "memories = store.memories(store.operator().start(Level.PUBLIC))\n"
        "for n in range(int(sys.argv[2]), int(sys.argv[3])): memories.save(f'late{n}', 'falcon')\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path), str(first), str(first + saves)], cwd=ROOT, check=True)
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0


def filled(path: Path, count: int = 40) -> Path:
    with Store.open(path) as store:
        memories = session_at(store, Level.PUBLIC)
        for number in range(count):
            memories.save(f"key{number}", "harbor")
    return path


def files_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


@pytest.mark.parametrize("how", ["copied over", "moved there", "another store"])
def test_the_log_of_another_state_is_refused_and_everything_is_left_as_it_was(how: str, tmp_path: Path) -> None:
    path = filled(tmp_path / "store.db")
    backup = tmp_path / "backup.db"
    with Store.open(path) as store:
        store.operator().backup(backup)
        for number in range(30):
            session_at(store, Level.PUBLIC).save(f"between{number}", "harbor")
    left_behind(path, saves=3)
    if how == "another store":
        backup = filled(tmp_path / "other.db", 7)
    if how == "moved there":
        path.unlink()
        backup.rename(path)
    else:
        shutil.copyfile(backup, path)
    before = files_of(tmp_path)
    with pytest.raises(StoreUnavailable, match=r"store\.db-wal belongs to another state"):
        Store.open(path)
    assert files_of(tmp_path) == before
    for end in ("-wal", "-shm"):
        path.with_name(f"{path.name}{end}").unlink()
    with Store.open(path) as store:
        assert store.operator().examine() == []
        assert len(viewer_at(store, Level.PUBLIC).list().memories) == (7 if how == "another store" else 40)


def test_an_empty_file_beside_a_log_is_refused_and_the_log_is_kept(tmp_path: Path) -> None:
    path = filled(tmp_path / "store.db")
    left_behind(path, saves=3)
    path.write_bytes(b"")
    before = files_of(tmp_path)
    with pytest.raises(StoreUnavailable):
        Store.open(path)
    assert files_of(tmp_path) == before


@pytest.mark.parametrize("checkpointed", [False, True])
def test_the_log_that_a_killed_program_left_is_taken_in(checkpointed: bool, tmp_path: Path) -> None:
    path = filled(tmp_path / "store.db")
    left_behind(path, saves=3)
    if checkpointed:  # the file is newer than its log then, as one that was put there would be
        with closing(sqlite3.connect(path)) as keeper, closing(sqlite3.connect(path)) as other:
            keeper.execute("SELECT 1 FROM memory").fetchone()
            other.execute("PRAGMA wal_checkpoint(PASSIVE)")
            for end in ("", "-wal"):
                shutil.copyfile(f"{path}{end}", tmp_path / f"copy.db{end}")
        path = tmp_path / "copy.db"
        while path.stat().st_ctime_ns <= path.with_name("copy.db-wal").stat().st_ctime_ns:
            os.utime(path)
    with Store.open(path) as store:
        assert viewer_at(store, Level.PUBLIC).get("late2") is not None
        assert store.operator().examine() == []


AS_NOBODY = """
import os, sys
from pathlib import Path
from tfmem_tui.core.errors import TfmemError
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
with Store.open(Path(sys.argv[2])) as store:  # all is imported that the other user may not be able to read
    store.memories(store.operator().start(Level.PUBLIC)).list()
os.setegid(65534)
os.seteuid(65534)
try:
    with Store.open(Path(sys.argv[1])) as store:
        memories = store.memories(store.operator().viewer(Level.PUBLIC))
        print(len(memories.list().memories), store.read_only, *store.warnings, sep="|")
        store.operator().start(Level.PUBLIC)
except TfmemError as error:
    print(type(error).__name__, error.message, sep="|")
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("folder_mode", [0o555, 0o755, 0o700])
def test_a_store_that_cannot_be_written_is_opened_read_only_and_says_so(folder_mode: int) -> None:
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        path = filled(Path(made) / "in" / "store.db", 5)
        path.chmod(0o444)
        path.parent.chmod(folder_mode)
        before = files_of(path.parent)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, str(path), f"{made}/other.db"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        if folder_mode == 0o700:
            assert done.stdout.startswith("StoreUnavailable|")
            assert "Permission denied" in done.stdout
        else:
            first, second = done.stdout.splitlines()
            assert first == "5|True|the store cannot be written here: it was opened read-only"
            assert second.startswith("StoreReadOnly|")
        assert files_of(path.parent) == before


def test_a_read_only_file_is_read_where_its_owner_says_so(tmp_path: Path) -> None:
    path = filled(tmp_path / "store.db", 5)
    with Store.open(path, read_only=True) as store:
        assert len(viewer_at(store, Level.PUBLIC).list().memories) == 5
        assert store.warnings == ()
        with pytest.raises(StoreReadOnly):
            store.operator().start(Level.PUBLIC)


def test_no_link_is_followed_where_a_file_is_made(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    (tmp_path / "store.db").symlink_to(victim)
    with pytest.raises(StoreUnavailable, match="symbolic link"):
        Store.open(tmp_path / "store.db")
    with Store.open(filled(tmp_path / "good.db", 1)) as store:
        (tmp_path / "copy.db").symlink_to(victim)
        with pytest.raises(InvalidInput):
            store.operator().backup(tmp_path / "copy.db")
    (tmp_path / "out.jsonl").symlink_to(victim)
    with written_whole(tmp_path / "out.jsonl") as file:
        file.write("text")
    assert not (tmp_path / "out.jsonl").is_symlink()  # the link itself was replaced
    assert not victim.exists()


def test_a_copy_that_cannot_be_finished_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open(filled(tmp_path / "store.db", 5)) as store:

        def fail(*_: object, **__: object) -> None:
            raise sqlite3.OperationalError("disk I/O error")

        monkeypatch.setattr("tfmem_tui.core.storage.Transaction.copy_to", fail)
        with pytest.raises(Exception, match="could not"):
            store.operator().backup(tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


@pytest.mark.parametrize(("umask", "file", "folder"), [(0o000, 0o600, 0o700), (0o277, 0o400, 0o500)])
def test_files_and_folders_are_the_owners_alone_and_stricter_where_the_umask_is(
    umask: int, file: int, folder: int, tmp_path: Path
) -> None:
    path = tmp_path / "a" / "b" / "store.db"
    if umask == 0o277:  # made beforehand, for no one but root could make files in a folder of 0500
        path.parent.mkdir(parents=True)
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom tfmem_tui.core.storage import make_file\n"
        "os.umask(int(sys.argv[2]))\nmake_file(Path(sys.argv[1]))\n"
    )
    subprocess.run([sys.executable, "-c", code, str(path), str(umask)], cwd=ROOT, check=True)
    assert path.stat().st_mode & 0o777 == file
    if umask == 0:
        assert {one.stat().st_mode & 0o777 for one in (path.parent, path.parent.parent)} == {folder}


def test_the_log_the_backup_and_the_export_are_the_owners_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        with Store.open(tmp_path / "home" / "store.db") as store:
            session_at(store, Level.PUBLIC).save("note", "text")
            store.operator().backup(tmp_path / "home" / "copies" / "copy.db")
            with written_whole(tmp_path / "home" / "out.jsonl") as file:
                file.write("text")
            names = {file.name for file in (tmp_path / "home").iterdir()}
            assert {"store.db", "store.db-wal", "store.db-shm", "copies", "out.jsonl"} == names
            for one in (tmp_path / "home").rglob("*"):
                assert one.stat().st_mode & 0o777 == (0o700 if one.is_dir() else 0o600), one.name
    finally:
        os.umask(old)


MOUNTS = """/dev/vda / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/vdb /home/sam/local ext4 rw 0 0
//nas/share /mnt/my\\040share cifs rw 0 0
sam@host: /mnt/far fuse.sshfs rw 0 0
tmpfs /home/sam/nets tmpfs rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/sam/store.db", "nfs4"),
        ("/home/sam/local/store.db", None),
        ("/home/sam/localhost/store.db", "nfs4"),
        ("/homes/store.db", None),
        ("/mnt/my share/store.db", "cifs"),
        ("/mnt/far/store.db", "fuse.sshfs"),
        ("/home/sam/nets/store.db", None),
        ("/srv/store.db", None),
    ],
)
def test_a_network_file_system_is_known_by_the_mount_that_a_path_lies_on(path: str, kind: str | None) -> None:
    assert network_file_system(Path(path), MOUNTS) == kind


def test_a_store_on_a_network_file_system_is_opened_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"server:/ {tmp_path} nfs rw 0 0\n")
    monkeypatch.setattr("tfmem_tui.core.surroundings.MOUNTS", mounts)
    with Store.open(tmp_path / "store.db") as store:
        assert len(store.warnings) == 1
        assert "(nfs)" in store.warnings[0]


def test_a_clock_that_was_set_back_loses_and_hides_nothing(tmp_path: Path) -> None:
    clock = HandClock()
    with Store.open(tmp_path / "store.db", clock=clock) as store:
        memories = session_at(store, Level.PUBLIC)
        memories.save("note", "first", ["old"])
        memories.save("other", "text")
        clock.now -= timedelta(days=400)
        memories.save("note", "second falcon", ["new"])
        got = memories.get("note")
        assert got is not None
        assert got.content == "second falcon"
        assert [row.content for row in memories.list("new").memories] == ["second falcon"]
        assert memories.list("old").memories == ()
        assert [row.key for row in memories.search("falcon").memories] == ["note"]
        memories.delete("note")
        assert [one.content for one in memories.tombstones()] == ["second falcon"]
        memories.save("note", "third")
        rung = memories.ladder("note").rungs[0]
        assert rung.version is not None
        assert rung.version.content == "third"
        assert {one.content for one in memories.versions("note")} == {"first", "second falcon", "third"}
        assert store.operator().examine() == []
        assert all(one.ok for one in store.audit(store.operator().viewer(Level.RESTRICTED)).verify())
        events = store.audit(store.operator().viewer(Level.PUBLIC)).events(limit=100)
        assert sorted(event.seq for event in events) == list(range(1, len(events) + 1))
