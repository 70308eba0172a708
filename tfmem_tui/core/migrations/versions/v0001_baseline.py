"""The first schema: versions, tags, four full-text indexes, sessions, audit."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Lists go newest first, by key within a moment. The indexes stand the other way round and are read backwards: new rows
# then come at the end of their range, which keeps pages full.
TABLES = (
    """
    CREATE TABLE memory (
        place INTEGER NOT NULL PRIMARY KEY,
        id TEXT NOT NULL,
        "key" TEXT NOT NULL,
        level INTEGER NOT NULL,
        content TEXT NOT NULL,
        tags TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        saved_at INTEGER NOT NULL,
        saved_by TEXT NOT NULL,
        expires_at INTEGER,
        ended_at INTEGER,
        ended_by TEXT,
        end_reason TEXT,
        salt BLOB NOT NULL,
        CONSTRAINT place_of_level CHECK (level BETWEEN 1 AND 4 AND place >> 48 = level),
        CONSTRAINT ended_for_a_reason CHECK ((ended_at IS NULL) = (end_reason IS NULL))
    ) STRICT
    """,
    'CREATE UNIQUE INDEX ux_memory_live_key ON memory (level, "key") WHERE ended_at IS NULL',
    'CREATE INDEX ix_memory_live_saved ON memory (level, saved_at, "key" DESC) WHERE ended_at IS NULL',
    'CREATE INDEX ix_memory_ended_key ON memory (level, "key") WHERE ended_at IS NOT NULL',
    """CREATE INDEX ix_memory_tombstone ON memory (level, ended_at, "key" DESC) WHERE end_reason = 'deleted'""",
    """
    CREATE INDEX ix_memory_expiring ON memory (level, expires_at)
    WHERE ended_at IS NULL AND expires_at IS NOT NULL
    """,
    """
    CREATE TABLE memory_tag (
        level INTEGER NOT NULL,
        tag TEXT NOT NULL,
        saved_at INTEGER NOT NULL,
        "key" TEXT NOT NULL,
        place INTEGER NOT NULL,
        position INTEGER NOT NULL,
        PRIMARY KEY (level, tag, saved_at, "key" DESC)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE agent_session (
        id TEXT NOT NULL PRIMARY KEY,
        label TEXT,
        kind TEXT NOT NULL,
        taint INTEGER NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        CONSTRAINT taint_is_a_level CHECK (taint BETWEEN 1 AND 4)
    ) STRICT
    """,
    "CREATE UNIQUE INDEX ux_agent_session_label ON agent_session (label) WHERE ended_at IS NULL",
    """
    CREATE TABLE audit_event (
        level INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        at INTEGER NOT NULL,
        session TEXT NOT NULL,
        user TEXT NOT NULL,
        action TEXT NOT NULL,
        "key" TEXT,
        outcome TEXT NOT NULL,
        detail TEXT,
        detail_salt BLOB,
        detail_hash BLOB,
        content_hash BLOB,
        source TEXT,
        prev_hash BLOB NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (level, seq)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX ix_audit_event_at ON audit_event (level, at, seq)",
    "CREATE UNIQUE INDEX ux_audit_event_source ON audit_event (level, source) WHERE source IS NOT NULL",
    "CREATE TABLE store_meta (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
)

FTS = """
CREATE VIRTUAL TABLE memory_fts_{level} USING fts5(
    "key", content, tags,
    content='', tokenize='porter unicode61 remove_diacritics 2', prefix='2'
)
"""


def upgrade() -> None:
    """Makes the tables of an empty store."""
    for statement in TABLES:
        op.execute(statement)
    for level in ("public", "internal", "confidential", "restricted"):
        op.execute(FTS.format(level=level))
