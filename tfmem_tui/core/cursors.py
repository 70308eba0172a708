"""Cursors of ``memory_list``: where in the list, newest first, the next call goes on. Opaque to whoever holds them."""

from __future__ import annotations

import base64
import json

from tfmem_tui.core.context import to_micros
from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.records import Cursor, MemoryVersion
from tfmem_tui.core.validation import check_key


def cursor_of(row: MemoryVersion) -> Cursor:
    """The place of a row in the list."""
    saved_at = to_micros(row.saved_at)
    return Cursor(saved_at, saved_at, row.key)


def write_cursor(row: MemoryVersion) -> str:
    """The place of a row, as a text to be handed out."""
    text = json.dumps([to_micros(row.saved_at), row.key], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode()


def read_cursor(cursor: str) -> Cursor:
    """The place that ``write_cursor`` made the text of. Raises ``InvalidInput`` for any other text."""
    try:
        saved_at, key = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii")))
        if not isinstance(saved_at, int) or isinstance(saved_at, bool) or not -(2**62) < saved_at < 2**62:
            raise ValueError
        return Cursor(saved_at, saved_at, check_key(key))
    except (ValueError, AttributeError, TypeError, RecursionError, InvalidInput):
        raise InvalidInput("cursor is not one that memory_list gave; start again without it") from None
