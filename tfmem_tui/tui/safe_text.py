"""The only way for stored text to reach a widget: every character is shown as itself or as a visible sign.

Nothing here parses markup. What comes out holds no control, format, bidi, zero-width or unassigned character; the
one exception is the joiner between emoji. Where text goes on a screen is not this module's business.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len
from textual.content import Content

MARKS_ON_A_BASE = 4
JOINED_EMOJI = 5
TAB_STOP = 4
BLOCK_CHARACTERS = 16_000
BLOCK_LINES = 1_000

JOINER = "\u200d"
NEWLINE, TAB, CUT = "⏎", "⇥", "…"

# Letters, marks and symbols that Unicode counts as such and that nobody sees.
UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f")
EMOJI_BLOCKS = ((0x2190, 0x21FF), (0x2300, 0x23FF), (0x2600, 0x27BF), (0x2B00, 0x2BFF), (0x1F000, 0x1FAFF))
SKIN_TONES = range(0x1F3FB, 0x1F400)
ESCAPE, MATCH = "escape", "match"
CONTENT_STYLES = {ESCAPE: "$escape", MATCH: "$match-text on $match"}

Span = tuple[int, int]


class Piece(NamedTuple):
    """What one or more characters of a text are shown as, and how wide that is."""

    shown: str
    at: int  # place of the first of them in the text
    cells: int
    escaped: bool


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring pieces of one kind: plain (empty), ``escape`` or ``match``."""

    shown: str
    kind: str = ""


def pieces(text: str) -> Iterator[Piece]:
    """The text in shown pieces, in order; newlines come as the piece ``⏎``, tabs as ``⇥``."""
    at, end = 0, len(text)
    while at < end:
        char = text[at]
        if " " <= char <= "~":
            if at + 1 == end or text[at + 1] <= "~":
                yield Piece(char, at, 1, False)
                at += 1
                continue
        elif is_mark(char):
            yield Piece(f"◌{char}", at, 1, True)
            at += 1
            continue
        elif sign := _sign(char):
            yield Piece(sign, at, cell_len(sign), True)
            at += 1
            continue
        stop = _cluster_end(text, at)
        shown = text[at:stop] if char != "\u3000" else "  "
        yield Piece(shown, at, cell_len(shown), False)
        at = stop
        if at < end and is_mark(text[at]):
            over = at
            while over < end and is_mark(text[over]):
                over += 1
            sign = f"‹+{over - at} marks›"
            yield Piece(sign, at, len(sign), True)
            at = over


def is_plain(text: str) -> bool:
    """Whether every character may be shown as itself, so that the text may be put into a field to be edited."""
    return not any(piece.escaped for piece in pieces(text))


def is_mark(char: str) -> bool:
    """Whether the character sits on the one before it and has no width of its own."""
    if char < "\u0300" or char in UNSEEN or _is_selector(char):
        return False
    category = unicodedata.category(char)
    return category in ("Mn", "Me") or (category == "Lo" and cell_len(char) == 0)


def _cluster_end(text: str, at: int) -> int:
    """Where the base at ``at``, its marks and the emoji joined to it end."""
    end, stop, marks, joined = len(text), at + 1, 0, 1
    while stop < end:
        char = text[stop]
        colours = char in "\ufe0e\ufe0f" or ord(char) in SKIN_TONES
        if colours and is_emoji(text[stop - 1]):
            stop += 1
        elif char == JOINER and joined < JOINED_EMOJI and _joins(text, stop):
            stop, joined = stop + 2, joined + 1
        elif is_mark(char) and marks < MARKS_ON_A_BASE:
            stop, marks = stop + 1, marks + 1
        else:
            break
    return stop


def _joins(text: str, at: int) -> bool:
    before = text[at - 1]
    if before in "\ufe0e\ufe0f" or ord(before) in SKIN_TONES:
        before = text[at - 2] if at > 1 else ""
    return at + 1 < len(text) and bool(before) and is_emoji(before) and is_emoji(text[at + 1])


def is_emoji(char: str) -> bool:
    """Whether the character may be joined to others of its kind."""
    code = ord(char)
    return any(low <= code <= high for low, high in EMOJI_BLOCKS)


def _is_selector(char: str) -> bool:
    code = ord(char)
    return 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF


def _sign(char: str) -> str:
    """The visible sign for a character that must not reach a terminal, or nothing."""
    code = ord(char)
    if char == "\n":
        return NEWLINE
    if char == "\t":
        return TAB
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0x80 <= code <= 0x9F:
        return f"‹{code:02x}›"
    category = unicodedata.category(char)
    if category == "Zs":
        return "" if char == "\u3000" else " "
    if category[0] == "C" or category in ("Zl", "Zp") or char in UNSEEN or _is_selector(char):
        return f"‹U+{code:04X}›"
    return ""


def runs(text: str, cells: int, spans: Sequence[Span] = ()) -> list[Run]:
    """The text on one line in at most ``cells`` cells; ``spans``, ordered places in the text, come as matches."""
    if cells <= 0:
        return []
    window = text[: 8 * cells + 64]
    if not spans and window.isascii() and window.isprintable():
        return [Run(text if len(text) <= cells else window[: cells - 1] + CUT)] if text else []
    kept: list[Piece] = []
    used = 0
    for piece in pieces(window):
        kept.append(piece)
        used += piece.cells
        if used > cells:
            break
    if used > cells or len(window) < len(text):
        while kept and used > cells - 1:
            used -= kept.pop().cells
        kept.append(Piece(CUT, -1, 1, False))
    return _joined(kept, spans)


def _joined(kept: Iterable[Piece], spans: Sequence[Span]) -> list[Run]:
    marked = iter(spans)
    span = next(marked, None)
    kinds: list[tuple[str, str]] = []
    for piece in kept:
        while span is not None and span[1] <= piece.at:
            span = next(marked, None)
        inside = span is not None and span[0] <= piece.at
        kinds.append((MATCH if inside else ESCAPE if piece.escaped else "", piece.shown))
    return [Run("".join(shown for _, shown in group), kind) for kind, group in groupby(kinds, key=lambda one: one[0])]


def line(text: str, cells: int) -> Content:
    """The text on one line, cut to ``cells`` terminal cells with an ellipsis."""
    return _content(runs(text, cells))


def highlighted(text: str, spans: Sequence[Span], cells: int) -> Content:
    """Like ``line``, with the places ``spans`` of the text marked as matches."""
    return _content(runs(text, cells, spans))


def block(text: str, spans: Sequence[Span] = (), *, limit: int = BLOCK_CHARACTERS) -> Content:
    """The text over several lines, tabs expanded; beyond ``limit`` characters a note says how much is left out."""
    window = text[:limit]
    lines = 0
    column = 0
    kept: list[Piece] = []
    left_out = len(text) - len(window)
    for piece in pieces(window):
        if piece.shown == NEWLINE and piece.escaped:
            lines, column = lines + 1, 0
            if lines >= BLOCK_LINES:
                left_out = len(text) - piece.at
                break
            kept.append(Piece("\n", piece.at, 0, False))
        elif piece.shown == TAB and piece.escaped:
            width = TAB_STOP - column % TAB_STOP
            kept.append(Piece(" " * width, piece.at, width, False))
            column += width
        else:
            kept.append(piece)
            column += piece.cells
    shown = _content(_joined(kept, spans))
    if left_out <= 0:
        return shown
    return shown.append(Content.styled(f"\n{CUT} {left_out:,} more characters are not shown", "$escape"))


def _content(parts: Iterable[Run]) -> Content:
    return Content.assemble(*((run.shown, CONTENT_STYLES.get(run.kind, "")) for run in parts))
