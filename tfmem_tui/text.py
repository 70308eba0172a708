"""Making text safe to print: nothing that a terminal would obey or a reader could not see. No screen, no colour."""

from __future__ import annotations

import unicodedata

from rich.cells import cell_len

JOINER = "\u200d"


def visible(text: str, *, lines: bool = False) -> str:
    """``text`` with control, format, private and unassigned characters shown as symbols or code points.

    With ``lines`` a newline stays one; without, everything comes on one line.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if lines and c == "\n" else _shown(c, text, at) for at, c in enumerate(text))


def _shown(char: str, text: str, at: int) -> str:
    code = ord(char)
    if char.isprintable() and not 0xFE00 <= code <= 0xFE0E and not 0xE0100 <= code <= 0xE01EF:
        return char
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if char == JOINER and 0 < at < len(text) - 1 and ord(text[at - 1]) > 0x2190 and ord(text[at + 1]) > 0x2190:
        return char  # between emoji it makes one picture of them
    if unicodedata.category(char) == "Zs":
        return " "
    return f"<U+{code:04X}>"


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
