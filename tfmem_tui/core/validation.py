"""Limits on what may be stored and asked. Messages name the limit, never the text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tfmem_tui.core.errors import InvalidInput

MAX_KEY_CHARACTERS = 256
MAX_CONTENT_BYTES = 1024 * 1024
MAX_TAGS = 32
MAX_TAG_CHARACTERS = 64
MAX_RESULTS = 100
MAX_LABEL_CHARACTERS = 64
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # Unicode's Cc


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be text")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput(f"{what} holds a lone surrogate, which is no Unicode text") from None
    if "\x00" in value:
        raise InvalidInput(f"{what} holds a NUL character")
    return value


def _line(value: object, what: str, longest: int) -> str:
    text = _text(value, what)
    if not text.strip():
        raise InvalidInput(f"{what} is empty or blank")
    if len(text) > longest:
        raise InvalidInput(f"{what} is too long: {len(text)} of at most {longest} characters")
    if CONTROL.search(text):
        raise InvalidInput(f"{what} holds a control character")
    return text


def check_key(value: object) -> str:
    """The key, if it may be one: 1 to 256 characters, not blank, no control characters."""
    return _line(value, "key", MAX_KEY_CHARACTERS)


def check_label(value: object) -> str:
    """A session's label, if it may be one: 1 to 64 characters, not blank, no control characters."""
    return _line(value, "label", MAX_LABEL_CHARACTERS)


def check_content(value: object) -> str:
    """The content, if it may be stored: at most 1 MiB of UTF-8; it may be empty."""
    text = _text(value, "content")
    size = len(text.encode("utf-8"))
    if size > MAX_CONTENT_BYTES:
        raise InvalidInput(f"content is too long: {size} of at most {MAX_CONTENT_BYTES} bytes")
    return text


def check_tag(value: object) -> str:
    """A tag, if it may be one: 1 to 64 characters, not blank."""
    text = _text(value, "a tag")
    if not text.strip():
        raise InvalidInput("a tag is empty or blank")
    if len(text) > MAX_TAG_CHARACTERS:
        raise InvalidInput(f"a tag is too long: {len(text)} of at most {MAX_TAG_CHARACTERS} characters")
    return text


def check_tags(values: object) -> tuple[str, ...]:
    """The tags in their order: at most 32."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InvalidInput("tags must be a list of texts")
    if len(values) > MAX_TAGS:
        raise InvalidInput(f"too many tags: {len(values)} of at most {MAX_TAGS}")
    return tuple(check_tag(value) for value in values)


def check_max_results(value: object) -> int:
    """``max_results``, if it is a whole number from 1 to 100."""
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_RESULTS:
        raise InvalidInput(f"max_results must be a whole number from 1 to {MAX_RESULTS}")
    return value


def check_query(value: object) -> str:
    """The text of a search. Any text will do (a lone surrogate finds nothing); only a non-text is refused."""
    if not isinstance(value, str):
        raise InvalidInput("query must be text")
    return value
