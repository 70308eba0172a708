"""What a person may put before a word: ``-`` leaves out, ``tag:`` and ``key:`` narrow. A model's words have none of it.

Whatever is no operator stays as it was typed, so that nothing typed can fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from tfmem_tui.core.records import Filters

# An operator stands at the beginning of a word; its value is a word or a quotation that is closed.
_OPERATOR: Final = re.compile(r'(?<!\S)(-?)(?:(tag|key):)?(?:"([^"]+)"|“([^“”]+)”|([^\s"“”]\S*))?', re.IGNORECASE)
MOST: Final = 32


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a search is narrowed by: texts as typed, without their operators."""

    without: tuple[str, ...] = ()  # words or phrases that must stand nowhere
    keys: tuple[str, ...] = ()  # words that must stand in the key
    without_keys: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()  # tags that must be there, exactly
    without_tags: tuple[str, ...] = ()

    def filters(self, given: Filters) -> Filters:
        """The filters with the tags that were typed."""
        return replace(given, tags=(*given.tags, *self.tags), without_tags=(*given.without_tags, *self.without_tags))


NOTHING: Final = Narrowing()


@dataclass(slots=True)
class _Found:
    lists: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, value: str) -> None:
        held = self.lists.setdefault(name, [])
        if len(held) < MOST and value not in held:
            held.append(value)


def split(text: str, has_words: Callable[[str], bool]) -> tuple[str, Narrowing]:
    """The text without its operators, and what they say. ``has_words`` tells whether a value holds any word at all."""
    found = _Found()

    def take(match: re.Match[str]) -> str:
        minus, kind, *values = match.groups()
        quoted, value = _value(values)
        kind = (kind or "").lower()
        if not minus and not kind:
            return match.group()
        if kind and not value:
            return ""  # its value is still to be typed
        if not has_words(value):
            return match.group()
        name = {"tag": "tags", "key": "keys", "": "without"}[kind]
        if minus and kind:
            name = f"without_{name}"
        found.add(name, f'"{value}"' if quoted and not kind else value)
        return ""

    rest = _OPERATOR.sub(take, text)
    return rest, Narrowing(**{name: tuple(values) for name, values in found.lists.items()})


def _value(values: Sequence[str | None]) -> tuple[bool, str]:
    straight, curly, plain = values
    return (True, straight or curly or "") if straight or curly else (False, plain or "")
