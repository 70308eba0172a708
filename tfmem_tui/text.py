"""Making text safe to print: nothing that a terminal would obey or a reader could not see. No screen, no colour."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from rich.cells import cell_len

JOINER = "\u200d"
MOST_MARKS = 4  # combining marks on one base; a flood of them would climb over other lines
SYMBOLS = 0x2190  # from here on, and far above, stand arrows, symbols and emoji


def visible(text: str, *, lines: bool = False) -> str:
    """``text`` with control, format, private and unassigned characters shown as symbols or code points.

    With ``lines`` a newline stays one; without, everything comes on one line.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(piece for piece, _ in pieces(text, lines=lines))


def pieces(text: str, *, lines: bool = False) -> Iterator[tuple[str, int]]:
    """The same, piece by piece: what is shown, and the place in ``text`` of the character that it shows."""
    marks = 0
    for at, char in enumerate(text):
        if unicodedata.combining(char):
            marks += 1
            if marks > MOST_MARKS:
                continue
        else:
            if marks > MOST_MARKS:
                yield f"<+{marks - MOST_MARKS} marks>", at - 1
            marks = 0
        yield (char if lines and char == "\n" else _shown(char, text, at)), at
    if marks > MOST_MARKS:
        yield f"<+{marks - MOST_MARKS} marks>", len(text) - 1


def _shown(char: str, text: str, at: int) -> str:
    code = ord(char)
    if char.isprintable() and not 0xFE00 <= code <= 0xFE0E and not 0xE0100 <= code <= 0xE01EF:
        return char
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if char == JOINER and 0 < at < len(text) - 1 and _pictured(text[at - 1]) and _pictured(text[at + 1]):
        return char  # between emoji it makes one picture of them
    if unicodedata.category(char) == "Zs":
        return " "
    return f"<U+{code:04X}>"


def _pictured(char: str) -> bool:
    return ord(char) == 0xFE0F or (ord(char) >= SYMBOLS and unicodedata.category(char) in ("So", "Sk"))


def one_line(text: str) -> str:
    """``text`` on one line, safe to print."""
    return visible(text)


def cut(text: str, cells: int) -> str:
    """``text`` on one line and safe, in at most ``cells`` terminal cells, with an ellipsis where it was cut."""
    safe = one_line(text if len(text) <= 4 * cells else text[: 4 * cells])
    if cell_len(safe) <= cells and len(text) <= 4 * cells:
        return safe
    kept, width = [], 0
    for char in safe:
        width += cell_len(char)
        if width > cells - 1:
            break
        kept.append(char)
    return "".join(kept) + "\u2026"
