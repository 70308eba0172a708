"""JSON and Markdown made easier to read: a text is laid out and coloured, and nothing in it is ever carried out.

No parser of markup sees the text: each piece goes through ``safe_text`` and is given a style of the theme.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from textual.content import Content

from tfmem_tui.tui import safe_text

MOST_CHARACTERS = 16_000
TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"(?=(\s*:)?)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b')
HEADING = re.compile(r"#{1,6}\s")
BULLET = re.compile(r"(\s*)([-*+]|\d{1,3}[.)])(\s+)")
INLINE = re.compile(r"`[^`\n]+`|\*\*[^*\n]+\*\*|__[^_\n]+__|\[[^\]\n]+\]\([^)\n]*\)")
MARKDOWN = re.compile(r"(?m)^(?:#{1,6}\s+\S|```|[-*+]\s+\S|>\s|\d{1,3}[.)]\s+\S|\|.+\|$)|\*\*[^*\n]+\*\*|`[^`\n]+`")


def readable(text: str) -> Content | None:
    """The text laid out as JSON or Markdown, or ``None`` where it is neither, or too long to be told quickly."""
    if len(text) > MOST_CHARACTERS or not text.strip():
        return None
    laid_out = _json_text(text)
    if laid_out is not None:
        return _json(laid_out)
    return _markdown(text) if len(MARKDOWN.findall(text)) > 1 or HEADING.match(text) else None


def kind(text: str) -> str:
    """What ``readable`` takes the text for: ``JSON``, ``Markdown`` or nothing."""
    if readable(text) is None:
        return ""
    return "JSON" if _json_text(text) is not None else "Markdown"


def _json_text(text: str) -> str | None:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.dumps(_loaded(text), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return None


def _loaded(text: str) -> object:
    """The value; numbers stay as they are written, and an object that names a field twice is left as it is."""

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len({name for name, _ in pairs}) < len(pairs):
            raise ValueError("a field is named twice")
        return dict(pairs)

    return json.loads(text, object_pairs_hook=once, parse_float=_Number, parse_int=_Integer)


class _Number(float):
    """A number that is written as it was read."""

    def __new__(cls, text: str) -> _Number:
        made = super().__new__(cls, text)
        if repr(float(made)) != text:
            raise ValueError("laying it out would change the number")
        return made


class _Integer(int):
    """Likewise for whole numbers."""

    def __new__(cls, text: str) -> _Integer:
        made = super().__new__(cls, text)
        if int.__repr__(made) != text:
            raise ValueError("laying it out would change the number")
        return made


def _json(text: str) -> Content:
    parts: list[Content] = []
    end = 0
    for found in TOKENS.finditer(text):
        parts.append(safe_text.block(text[end : found.start()]))
        quoted = found.group().startswith('"')
        style = "$key-text" if quoted and found.group(1) else "$success" if quoted else "$accent"
        parts.append(safe_text.block(found.group()).stylize_before(style))
        end = found.end()
    parts.append(safe_text.block(text[end:]))
    return Content("").join(parts)


def _markdown(text: str) -> Content:
    return Content("\n").join(list(_lines(text)))


def _lines(text: str) -> Iterator[Content]:
    fenced = False
    for line in text.split("\n"):
        shown = safe_text.block(line)
        if line.lstrip().startswith("```"):
            fenced = not fenced
            yield shown.stylize_before("$quiet")
        elif fenced:
            yield shown.stylize_before("$key-text")
        elif HEADING.match(line):
            yield shown.stylize_before("bold $accent")
        elif line.startswith(">"):
            yield shown.stylize_before("italic $quiet")
        else:
            yield _inline(line)


def _inline(line: str) -> Content:
    bullet = BULLET.match(line)
    parts: list[Content] = []
    end = 0
    if bullet:
        parts.append(safe_text.block(bullet.group()).stylize_before("bold $accent"))
        end = bullet.end()
    for found in INLINE.finditer(line, end):
        parts.append(safe_text.block(line[end : found.start()]))
        sign = found.group()[0]
        style = {"`": "$key-text", "[": "underline"}.get(sign, "bold")
        parts.append(safe_text.block(found.group()).stylize_before(style))
        end = found.end()
    parts.append(safe_text.block(line[end:]))
    return Content("").join(parts)
