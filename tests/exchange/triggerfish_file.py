"""Builds small databases in Triggerfish's format, row by row, with a writer that may stay at work; and reads them."""

from __future__ import annotations

import json
import sqlite3
import uuid
from pathlib import Path
from typing import Any

from tfmem_tui.core.importing import ImportedEvent, ImportedMemory
from tfmem_tui.exchange.triggerfish import read_triggerfish
from tfmem_tui.exchange.triggerfish_records import SkippedRecord

SCHEMA = "CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
T0 = "2026-03-01T08:00:00.000Z"
T1 = "2026-03-01T09:00:00.000Z"
T2 = "2026-03-01T10:00:00.000Z"
T3 = "2026-03-01T11:00:00.000Z"
SESSION = "11111111-1111-4111-8111-111111111111"
OMIT = object()  # as the value of a field: the field is not written at all


def memory_json(**fields: Any) -> dict[str, Any]:
    """The JSON of a memory as Triggerfish writes it, with some fields given."""
    record = {
        "key": "colour",
        "agentId": "main-session",
        "classification": "PUBLIC",
        "content": "teal",
        "tags": [],
        "createdAt": T0,
        "updatedAt": T0,
        "expired": False,
        "sourceSessionId": SESSION,
        **fields,
    }
    return {name: value for name, value in record.items() if value is not OMIT}


def lineage_json(ident: str, **fields: Any) -> dict[str, Any]:
    """The JSON of an act of the memory tools; ``key``, ``level``, ``agent``, ``at``, ``method``, ``reason`` given."""
    key = fields.get("key", "colour")
    return {
        "lineage_id": ident,
        "content_hash": "0" * 64,
        "origin": {
            "source_type": fields.get("source_type", "memory_access"),
            "source_name": key,
            "accessed_at": fields.get("at", T0),
            "accessed_by": fields.get("agent", "main-session"),
            "access_method": fields.get("method", "memory_save"),
        },
        "classification": {
            "level": fields.get("level", "PUBLIC"),
            "reason": fields.get("reason", f"Memory save: {key}"),
        },
        "sessionId": fields.get("session", SESSION),
        "content": "the stored text",
    }


class TriggerfishFile:
    """One database; the connection that writes it stays open until ``rest``."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA wal_autocheckpoint = 0")
        if not self.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'kv'").fetchone():
            self.connection.execute(SCHEMA)

    def raw(self, key: object, value: object) -> None:
        """A row as it stands."""
        self.connection.execute("INSERT OR REPLACE INTO kv VALUES (?, ?)", (key, value))

    def memory(self, row_key: str | None = None, **fields: Any) -> str:
        """A memory row; its row key is made from the fields unless given. Returns the row key."""
        record = memory_json(**fields)
        row = row_key or "memory:{agentId}:{classification}:{key}".format(**{"key": "", **record})
        self.raw(row, json.dumps(record))
        return row

    def lineage(self, ident: str | None = None, **fields: Any) -> str:
        """A lineage row with the index rows that lie beside it. Returns its id."""
        ident = ident or str(uuid.uuid4())
        self.raw(f"lineage:{ident}", json.dumps(lineage_json(ident, **fields)))
        self.raw(f"lineage-session:{fields.get('session', SESSION)}:{ident}", ident)
        self.raw(f"lineage-hash:{'0' * 64}", ident)
        self.raw(f"lineage-fwd:{ident}:{ident}", ident)
        return ident

    def rest(self) -> Path:
        """Ends the writer; no ``-wal`` is left. Returns the path."""
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.connection.close()
        return self.path


def memories(path: Path) -> list[tuple[str, ImportedMemory]]:
    """The memories that are read, with their agents."""
    items = (item for item in read_triggerfish(path) if isinstance(item, tuple))
    return [(agent, record) for agent, record in items if isinstance(record, ImportedMemory)]


def events(path: Path) -> list[tuple[str, ImportedEvent]]:
    """The events that are read, with their agents."""
    items = (item for item in read_triggerfish(path) if isinstance(item, tuple))
    return [(agent, record) for agent, record in items if isinstance(record, ImportedEvent)]


def skipped(path: Path) -> list[SkippedRecord]:
    """The records that are refused."""
    return [item for item in read_triggerfish(path) if isinstance(item, SkippedRecord)]
