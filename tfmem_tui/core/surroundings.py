"""What lies around a store's file: the folder, the file system, a write-ahead log that may not be its own."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from tfmem_tui.core.chain import COLUMNS, vouches_for_itself
from tfmem_tui.core.level import ALL_LEVELS, Level

MOUNTS = Path("/proc/self/mounts")
# SQLite's own warning (https://www.sqlite.org/useovernet.html): locks and shared memory cannot be relied on there.
NETWORK = frozenset(
    """9p afpfs afs beegfs ceph cifs davfs gfs2 glusterfs gpfs lustre ncpfs nfs nfs3 nfs4 ocfs2 smb2 smb3 smbfs
    fuse.cephfs fuse.davfs fuse.glusterfs fuse.juicefs fuse.rclone fuse.s3fs fuse.sshfs""".split()  # noqa: SIM905
)
Tip = tuple[int, bytes]  # of a chain: number and hash of its last event


def network_file_system(path: Path, mounts: str | None = None) -> str | None:
    """The kind of the network file system that ``path`` lies on, or ``None``; ``mounts`` as in ``/proc/mounts``."""
    try:
        listed = MOUNTS.read_text("utf-8", "surrogateescape") if mounts is None else mounts
    except OSError:
        return None  # no such list on this system: nothing is claimed
    where = os.path.realpath(path)
    best, kind = "", ""
    for line in listed.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        point = _unescaped(fields[1])
        inside = where == point or where.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):  # the last mount over a point is the one that is seen
            best, kind = point, fields[2]
    return kind if kind in NETWORK else None


def _unescaped(point: str) -> str:
    for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(code, char)
    return point


def writable(path: Path) -> bool:
    """Whether this user may write the file and beside it, where SQLite keeps its log."""
    effective = os.access in os.supports_effective_ids
    return all(os.access(one, os.W_OK, effective_ids=effective) for one in (path, path.absolute().parent))


def log_of(path: Path) -> Path:
    """The write-ahead log that SQLite keeps beside a file."""
    return path.with_name(f"{path.name}-wal")


def has_log(path: Path) -> bool:
    """Whether there is a write-ahead log with anything in it."""
    try:
        return log_of(path).stat().st_size > 0
    except OSError:
        return False


def foreign_log(path: Path) -> bool:
    """Whether the write-ahead log beside ``path`` belongs to another state of the store than the file does.

    So it is where a backup was put in a store's place and the old log left there: SQLite would lay the log's pages
    over the file and lose both. Told by the audit: all that the file's chains say must still be said when the log is
    read with it, and what the log adds must be linked to it without a gap. Nothing is written in finding out.
    """
    try:
        if not has_log(path) or path.stat().st_ctime_ns < log_of(path).stat().st_ctime_ns:
            return False  # the log was written after the file was put here
        if path.stat().st_size == 0:
            return True  # SQLite would take the log away
    except OSError:
        return False
    alone = _tips(path, "immutable=1")
    if alone is None:
        return False  # a checkpoint that was cut short: the log is needed to read the file at all
    return not all(_goes_on(path, level, tip) for level, tip in alone.items())


def _connected(path: Path, how: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None)


def _tips(path: Path, how: str) -> dict[Level, Tip] | None:
    """The ends of the file's chains; ``None`` where it cannot be read by itself, or what is read is no event."""
    sql = f"SELECT {COLUMNS} FROM audit_event WHERE level = ? ORDER BY seq DESC LIMIT 1"
    tips: dict[Level, Tip] = {}
    try:
        with closing(_connected(path, how)) as connection:
            for level in ALL_LEVELS:
                row = connection.execute(sql, (int(level),)).fetchone()
                if row is not None and not vouches_for_itself(row):
                    return None
                tips[level] = (0, b"") if row is None else (row[1], row[-1])
    except sqlite3.Error:
        return None
    return tips


def _goes_on(path: Path, level: Level, before: Tip) -> bool:
    """Whether the chain leads on from ``before`` to its end without a gap."""
    sql = "SELECT seq, prev_hash, hash FROM audit_event WHERE level = ? AND seq >= ? ORDER BY seq"
    seq, last = before
    found = seq == 0
    try:
        with closing(_connected(path, "mode=ro")) as connection:
            for number, prev, this in connection.execute(sql, (int(level), seq)):
                if number == before[0]:
                    if this != last:
                        return False
                    found = True
                elif number != seq + 1 or (seq and prev != last):
                    return False
                seq, last = number, this
    except sqlite3.Error:
        return False
    return found
