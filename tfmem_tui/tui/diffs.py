"""What differs between two texts, word by word, as safe text: in one column or in two.

The signs ``[-gone-]`` and ``{+new+}`` of ``git diff --word-diff`` stand beside the colours, which are never alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from textual.content import Content

from tfmem_tui.tui import safe_text

WORDS = re.compile(r"\w+|\s+|[^\w\s]")
MOST_WORDS = 3_000  # beyond, lines are compared: the time grows with the square
MOST_CHARACTERS = 16_000
GONE, NEW = "$error", "$success"


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that both have (``kept``), or only the one before (``gone``) or after (``new``)."""

    kind: str
    text: str


def compare(before: str, after: str) -> list[Piece]:
    """The pieces of which the two texts are made, in order."""
    old, new = _split(before, after)
    found: list[Piece] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            found.append(Piece("kept", "".join(old[a:b])))
            continue
        if b > a:
            found.append(Piece("gone", "".join(old[a:b])))
        if d > c:
            found.append(Piece("new", "".join(new[c:d])))
    return list(_joined(found))


def _split(before: str, after: str) -> tuple[list[str], list[str]]:
    old, new = WORDS.findall(before), WORDS.findall(after)
    if len(old) + len(new) > 2 * MOST_WORDS:
        return before.splitlines(keepends=True), after.splitlines(keepends=True)
    return old, new


def _joined(found: list[Piece]) -> Iterator[Piece]:
    """A lone space between two replaced stretches belongs to both of them, which is how a person reads it."""
    held: list[Piece] = []
    for at, piece in enumerate(found):
        kinds = [one.kind for one in found[max(0, at - 2) : at] + found[at + 1 : at + 3]]
        if piece.kind != "kept":
            held.append(piece)
        elif piece.text == " " and kinds == ["gone", "new", "gone", "new"]:
            held += [Piece("gone", " "), Piece("new", " ")]
        else:
            yield from _merged(held)
            held = []
            yield piece
    yield from _merged(held)


def _merged(held: list[Piece]) -> Iterator[Piece]:
    for kind in ("gone", "new"):
        text = "".join(piece.text for piece in held if piece.kind == kind)
        if text:
            yield Piece(kind, text)


def unified(pieces: list[Piece]) -> Content:
    """Both texts in one: what is gone in ``[-…-]``, what is new in ``{+…+}``."""
    return Content("").join([_shown(piece) for piece in pieces])


def sides(pieces: list[Piece]) -> tuple[Content, Content]:
    """The text before and the text after, each with its own differences marked."""
    left = [_shown(piece) for piece in pieces if piece.kind != "new"]
    right = [_shown(piece) for piece in pieces if piece.kind != "gone"]
    return Content("").join(left), Content("").join(right)


def _shown(piece: Piece) -> Content:
    text = safe_text.block(piece.text, limit=MOST_CHARACTERS)
    if piece.kind == "gone":
        return Content.styled("[-", GONE) + text.stylize(f"bold {GONE}") + Content.styled("-]", GONE)
    if piece.kind == "new":
        return Content.styled("{+", NEW) + text.stylize(f"bold {NEW}") + Content.styled("+}", NEW)
    return text


def summary(pieces: list[Piece]) -> str:
    """How much differs, in words."""
    gone, new = (
        sum(len(re.findall(r"\w+", piece.text)) for piece in pieces if piece.kind == kind) for kind in ("gone", "new")
    )
    if all(piece.kind == "kept" for piece in pieces):
        return "the same text"
    return f"words gone: {gone:,}, new: {new:,}"
