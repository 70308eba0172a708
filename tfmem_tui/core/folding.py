"""What becomes of a single character: folded, dropped, split off, or spelt as a sign that FTS5 keeps.

The tables behind ``analysis``; words and whole texts are its business.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

JOINT: Final = "\uffff"  # a noncharacter; two of them join a sign to the character before it
_MEMO_SIZE: Final = 1 << 16

_IGNORED: Final = frozenset("\u0640\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u3164\uffa0")
_IGNORED_RANGES: Final = ((0xFE00, 0xFE0F), (0x1F3FB, 0x1F3FF), (0xE0000, 0xE0FFF))  # selectors, skin tones, tags
# Marks that readers leave out at will: accents, Hebrew points, Arabic and Syriac vowels, combining symbols.
_OPTIONAL_MARKS: Final = (
    *((0x0300, 0x036F), (0x0483, 0x0489), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670)),
    *((0x06D6, 0x06ED), (0x0711, 0x0711), (0x0730, 0x074A), (0x0898, 0x089F), (0x08CA, 0x08FF), (0x1AB0, 0x1AFF)),
    *((0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F)),
)
# Scripts written without spaces: each character is indexed singly, so that a run is found inside a longer one.
_SPLIT: Final = (
    *((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x1950, 0x19DF), (0x1A20, 0x1AAF)),
    *((0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x312F), (0x31A0, 0x31BF), (0x31F0, 0x31FF), (0x3400, 0x4DBF)),
    *((0x4E00, 0x9FFF), (0xA960, 0xA97F), (0xA980, 0xA9FF), (0xAA60, 0xAADF), (0xAC00, 0xD7FF), (0xF900, 0xFAFF)),
    *((0x16FE0, 0x18DFF), (0x1AFF0, 0x1B2FF), (0x20000, 0x3FFFD)),
)
_EMOJI: Final = (0x1F000, 0x1FAFF)
# What Unicode does not decompose but a plain keyboard replaces; letters that users of one language mix up.
_LIKE: Final = {
    **{"ß": "ss", "ẞ": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h"},
    **{"ı": "i", "ŋ": "n", "ς": "σ", "ё": "е", "ѐ": "е", "ѝ": "и", "ٱ": "ا", "ک": "ك", "ی": "ي", "ى": "ي"},
}
_APOSTROPHES: Final = "’‘ʼʻʹʽ＇"


def _within(cp: int, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(low <= cp <= high for low, high in ranges)


def is_ignored(char: str) -> bool:
    """Invisible (joiners, soft hyphens, directions, selectors, fillers), or no more than a stretch or a skin tone."""
    return char in _IGNORED or unicodedata.category(char) in ("Cf", "Cs") or _within(ord(char), _IGNORED_RANGES)


def _sealed(char: str) -> str:
    """A private-use spelling for a character that some version of ``unicode61`` would not take for a letter."""
    cp = ord(char)
    return chr(0xF0000 + cp) if cp < 0x20000 else chr(0xF000 + (cp >> 12)) + chr(0xE000 + (cp & 0xFFF))


def _settled(char: str) -> str:
    """``char`` itself where it was a letter or digit in Unicode 3.2 already, which all of FTS5's tables know."""
    return char if char.isascii() or unicodedata.ucd_3_2_0.category(char)[0] in "LN" else _sealed(char)


class _Memo(dict[int, str | int | None]):
    """A table for ``str.translate`` that fills itself, up to a size that hostile text cannot raise."""

    def __missing__(self, cp: int) -> str:
        made = self.make(chr(cp))
        if len(self) < _MEMO_SIZE:
            self[cp] = made
        return made

    def make(self, char: str) -> str:
        raise NotImplementedError


class _Before(_Memo):
    """Before normalising: what is invisible goes, a sign that unfolds to letters or digits stands by itself."""

    def make(self, char: str) -> str:
        if char in _APOSTROPHES:
            return "'"
        if is_ignored(char):
            return ""
        unfolded = unicodedata.decomposition(char)
        if unfolded.startswith("<") and (unicodedata.category(char) == "So" or "fraction" in unfolded):
            return f" {unicodedata.normalize('NFKC', char)} "  # else "Acme™" would become the word "AcmeTM"
        return char


class _After(_Memo):
    """After normalising: one character as indexed; ``JOINT`` marks where a sign belongs to the one before."""

    def make(self, char: str) -> str:
        cp = ord(char)
        if cp & 0xFFFE == 0xFFFE or 0xFDD0 <= cp <= 0xFDEF or cp == 0x2800:
            return " "
        kind = unicodedata.category(char)
        if is_ignored(char) or (kind[0] == "M" and _within(cp, _OPTIONAL_MARKS)):
            return ""
        if kind in ("Sm", "Sc", "So", "Sk", "Co") or _within(cp, (_EMOJI,)):
            return " " if cp == 0x2044 else f" {_sealed(char)} "  # the fraction slash separates, like any slash
        if kind[0] == "M":
            sealed = _sealed(char)
            return f"{JOINT}{sealed}{JOINT}" if _within(cp, _SPLIT) else sealed
        if kind == "Nd":
            return str(unicodedata.digit(char))
        if kind[0] in "LN" or kind == "Cn":
            return "".join(f" {_settled(c)}{JOINT}" if _within(ord(c), _SPLIT) else _settled(c) for c in _fold(char))
        return " "


def _fold(char: str) -> str:
    """Lower case, without accents where readers take the letter for the same (not й, ї, が)."""
    lower = char.lower()
    if lower in _LIKE:
        return _LIKE[lower]
    apart = unicodedata.normalize("NFD", lower)
    if apart[0] < "\u0400" or "\u0590" <= apart[0] <= "\u077f":
        lower = "".join(c for c in apart if not _within(ord(c), _OPTIONAL_MARKS))
    return "".join(_LIKE.get(c, c) for c in lower)


BEFORE: Final = _Before()
AFTER: Final = _After()


def is_split(word: str) -> bool:
    """Whether an analysed word is one character of a script without spaces, and so weak when it stands alone."""
    cp = ord(word[0])
    return _within(cp - 0xF0000 if cp >= 0xF0000 else cp, _SPLIT) or 0xF000 <= cp <= 0xF8FF


def is_symbol(word: str) -> bool:
    """Whether an analysed word stands for an emoji or another sign."""
    return len(word) == 1 and word >= "\U000f0000" and unicodedata.category(chr(ord(word) - 0xF0000))[0] not in "LMN"
