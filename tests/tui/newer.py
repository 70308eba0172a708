"""A store as a newer program would leave it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tfmem_tui.core.store import Store


def make_newer(path: Path) -> Path:
    """A store whose schema this program does not know."""
    Store.open(path, agent="demo", create=True).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    return path
