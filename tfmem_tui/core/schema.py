"""The tables as SQLModel classes. The DDL that makes them is the Alembic baseline; a test holds the two together."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Index, Integer, LargeBinary, Text, text
from sqlmodel import Field, SQLModel

from tfmem_tui.core.level import ALL_LEVELS, Level

LIVE = text("ended_at IS NULL")

# A version's place is its level and its number within that level: each level fills a range of its own, so the
# numbers that one level sees (and its full-text row ids) owe nothing to the others (G7).
PLACE_BITS = 48


def first_place(level: Level) -> int:
    """The lower bound of a level's range of places; number ``n`` of the level is ``first_place(level) + n``."""
    return int(level) << PLACE_BITS


FTS_TABLE: dict[Level, str] = {level: f"memory_fts_{level.name.lower()}" for level in ALL_LEVELS}


class Memory(SQLModel, table=True):
    """One version: immutable but for its end."""

    __tablename__ = "memory"
    __table_args__ = (
        CheckConstraint("level BETWEEN 1 AND 4 AND place >> 48 = level", name="place_of_level"),
        CheckConstraint("(ended_at IS NULL) = (end_reason IS NULL)", name="ended_for_a_reason"),
        Index("ux_memory_live_key", "level", "key", unique=True, sqlite_where=LIVE),
        Index("ix_memory_live_saved", "level", "saved_at", text('"key" DESC'), sqlite_where=LIVE),
        Index("ix_memory_ended_key", "level", "key", sqlite_where=text("ended_at IS NOT NULL")),
        Index(
            "ix_memory_tombstone",
            "level",
            "ended_at",
            text('"key" DESC'),
            sqlite_where=text("end_reason = 'deleted'"),
        ),
        Index(
            "ix_memory_expiring",
            "level",
            "expires_at",
            sqlite_where=text("ended_at IS NULL AND expires_at IS NOT NULL"),
        ),
        {"sqlite_strict": True},
    )

    place: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    id: str = Field(sa_type=Text)
    key: str = Field(sa_type=Text)
    level: int = Field(sa_type=Integer)
    content: str = Field(sa_type=Text)
    tags: str = Field(sa_type=Text)  # a JSON array, as given
    created_at: int = Field(sa_type=Integer)
    saved_at: int = Field(sa_type=Integer)
    saved_by: str = Field(sa_type=Text)
    expires_at: int | None = Field(default=None, sa_type=Integer)
    ended_at: int | None = Field(default=None, sa_type=Integer)
    ended_by: str | None = Field(default=None, sa_type=Text)
    end_reason: str | None = Field(default=None, sa_type=Text)
    salt: bytes = Field(sa_type=LargeBinary)


class MemoryTag(SQLModel, table=True):
    """The tags of live versions, led by level: derived from ``memory.tags``, for listing by tag."""

    __tablename__ = "memory_tag"
    __table_args__ = ({"sqlite_with_rowid": False, "sqlite_strict": True},)

    level: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    tag: str = Field(sa_column=Column(Text, primary_key=True))
    saved_at: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    key: str = Field(sa_column=Column(Text, primary_key=True))
    place: int = Field(sa_type=Integer)
    position: int = Field(sa_type=Integer)


class AgentSessionRow(SQLModel, table=True):
    """A session and its taint (G6)."""

    __tablename__ = "agent_session"
    __table_args__ = (
        CheckConstraint("taint BETWEEN 1 AND 4", name="taint_is_a_level"),
        Index("ux_agent_session_label", "label", unique=True, sqlite_where=LIVE),
        {"sqlite_strict": True},
    )

    id: str = Field(sa_column=Column(Text, primary_key=True))
    label: str | None = Field(default=None, sa_type=Text)
    kind: str = Field(sa_type=Text)
    taint: int = Field(sa_type=Integer)
    started_at: int = Field(sa_type=Integer)
    ended_at: int | None = Field(default=None, sa_type=Integer)


class AuditEventRow(SQLModel, table=True):
    """One link of a level's chain."""

    __tablename__ = "audit_event"
    __table_args__ = (
        Index("ix_audit_event_at", "level", "at", "seq"),
        Index("ux_audit_event_source", "level", "source", unique=True, sqlite_where=text("source IS NOT NULL")),
        {"sqlite_with_rowid": False, "sqlite_strict": True},
    )

    level: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    seq: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=False))
    at: int = Field(sa_type=Integer)
    session: str = Field(sa_type=Text)
    user: str = Field(sa_type=Text)
    action: str = Field(sa_type=Text)
    key: str | None = Field(default=None, sa_type=Text)
    outcome: str = Field(sa_type=Text)
    detail: str | None = Field(default=None, sa_type=Text)  # a JSON object
    detail_salt: bytes | None = Field(default=None, sa_type=LargeBinary)
    detail_hash: bytes | None = Field(default=None, sa_type=LargeBinary)
    content_hash: bytes | None = Field(default=None, sa_type=LargeBinary)
    source: str | None = Field(default=None, sa_type=Text)  # where an imported event was first recorded
    prev_hash: bytes = Field(sa_type=LargeBinary)
    hash: bytes = Field(sa_type=LargeBinary)


class StoreMeta(SQLModel, table=True):
    """Facts about the store itself: the analyser's version that the full-text rows were made with."""

    __tablename__ = "store_meta"
    __table_args__ = ({"sqlite_with_rowid": False, "sqlite_strict": True},)

    name: str = Field(sa_column=Column(Text, primary_key=True))
    value: str = Field(sa_type=Text)
