"""The store's schema, step by step (Alembic). A released step is never changed."""

REVISIONS: tuple[str, ...] = ("0001",)  # oldest first
HEAD = REVISIONS[-1]
