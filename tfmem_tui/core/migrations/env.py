"""Runs migrations on the connection that the store hands over, inside the store's own write transaction."""

from __future__ import annotations

from alembic import context
from sqlmodel import SQLModel

from tfmem_tui.core import schema

assert schema.Memory.metadata is SQLModel.metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=SQLModel.metadata, transactional_ddl=False)
context.run_migrations()
