"""Text as given -> text as the full-text index holds it, and the same terms with their places for highlighting.

One analyser serves index and query. Stored text is never changed, and nothing here knows SQL. What comes out needs
no further judgement by FTS5: ASCII, letters that every Unicode table since 3.2 knows, and private-use characters
that stand for signs which ``unicode61`` would take for separators (vowel signs, younger scripts, emoji).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

from tfmem_tui.core.porter import stem

ANALYSER_VERSION: Final[int] = 1  # raise it with any change of index_text's answers: older indexes need a rebuild then

_WORD: Final = re.compile(r"[^\x00-/:-@\[-`{-\x7f]+")  # in analysed text all separators are ASCII
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]+")
_JOINT: Final = "\uffff"  # a noncharacter; two of them join a sign to the character before it
_JOINED_WORD: Final = re.compile(r"[^\x00-/:-@\[-`{-\x7f\uffff]+(?:\uffff\uffff[^\x00-/:-@\[-`{-\x7f\uffff]+)*")

_CALM_ABOVE: Final = 2_000  # characters; ordering a run of marks takes the square of its length, so long ones are cut
_MARKS_KEPT: Final = 30  # as in Unicode's stream-safe text format
_MEMO_SIZE: Final = 1 << 16

Piece = tuple[str, int, int, bool]  # a word for a span of normalised text; whether it is spelt as the span is
Shape = tuple[int, int, list[Piece]]  # a span of normalised text and the words that take its place


# ---- single characters ----

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


def _is_ignored(char: str) -> bool:
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
        if _is_ignored(char):
            return ""
        unfolded = unicodedata.decomposition(char)
        if unfolded.startswith("<") and (unicodedata.category(char) == "So" or "fraction" in unfolded):
            return f" {unicodedata.normalize('NFKC', char)} "  # else "Acme™" would become the word "AcmeTM"
        return char


class _After(_Memo):
    """After normalising: one character as indexed; ``_JOINT`` marks where a sign belongs to the one before."""

    def make(self, char: str) -> str:
        cp = ord(char)
        if cp & 0xFFFE == 0xFFFE or 0xFDD0 <= cp <= 0xFDEF or cp == 0x2800:
            return " "
        kind = unicodedata.category(char)
        if _is_ignored(char) or (kind[0] == "M" and _within(cp, _OPTIONAL_MARKS)):
            return ""
        if kind in ("Sm", "Sc", "So", "Sk", "Co") or _within(cp, (_EMOJI,)):
            return " " if cp == 0x2044 else f" {_sealed(char)} "  # the fraction slash separates, like any slash
        if kind[0] == "M":
            sealed = _sealed(char)
            return f"{_JOINT}{sealed}{_JOINT}" if _within(cp, _SPLIT) else sealed
        if kind == "Nd":
            return str(unicodedata.digit(char))
        if kind[0] in "LN" or kind == "Cn":
            return "".join(f" {_settled(c)}{_JOINT}" if _within(ord(c), _SPLIT) else _settled(c) for c in _fold(char))
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


_BEFORE: Final = _Before()
_AFTER: Final = _After()


def is_split(word: str) -> bool:
    """Whether an analysed word is one character of a script without spaces, and so weak when it stands alone."""
    cp = ord(word[0])
    return _within(cp - 0xF0000 if cp >= 0xF0000 else cp, _SPLIT) or 0xF000 <= cp <= 0xF8FF


def is_symbol(word: str) -> bool:
    """Whether an analysed word stands for an emoji or another sign."""
    return len(word) == 1 and word >= "\U000f0000" and unicodedata.category(chr(ord(word) - 0xF0000))[0] not in "LMN"


# ---- shapes of words ----


@cache
def _compound_rules(wide: bool) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], frozenset[str]]:
    """Of words like getUserName: what gives them away, where they divide, how far they go, of which characters."""
    letters = [chr(cp) for cp in (*range(0xC0, 0x530), *range(0x1E00, 0x2000))] if wide else []
    upper = ascii_uppercase + "".join(c for c in letters if c.isupper())
    lower = ascii_lowercase + "".join(c for c in letters if c.islower())
    tail = f"(?!s(?![{lower}]))[{lower}]"  # the plural of URLs is no hump
    hump = f"[{lower}][{upper}]|[0-9][{upper}][{lower}]|[{upper}][{upper}]{tail}"
    parting = f"(?<=[{lower}])(?=[{upper}])|(?<=[0-9])(?=[{upper}][{lower}])|(?<=[{upper}])(?=[{upper}]{tail})"
    word = upper + lower + digits
    return re.compile(hump), re.compile(parting), re.compile(f"[{word}]*"), frozenset(word)


def _compounds(text: str) -> Iterator[Shape]:
    """A compound gives its parts and then itself, so that ``hub`` and ``github`` both find ``GitHub``."""
    if text.islower():
        return
    hump, parting, rest, word = _compound_rules(not text.isascii())
    end = 0
    for found in hump.finditer(text):
        if found.start() < end:
            continue
        start = found.start()
        while start > end and text[start - 1] in word:
            start -= 1
        end = rest.match(text, start).end()  # type: ignore[union-attr]  # it matches anything
        cuts = [start, *(cut.start() for cut in parting.finditer(text, start, end)), end]
        parts: list[Piece] = [(text[a:b], a, b, True) for a, b in pairwise(cuts)]
        yield start, end, [*parts, (text[start:end].lower(), start, end, True)]


_SIGNS: Final = ("'s", "'S", "++", "#", ".n", ".N")
# Each begins with a literal, which lets ``re`` skip through plain text; what must stand before comes after it.
_SIGNED: Final = re.compile(
    r"'(?<=[^\W_]')[sS](?!\w)"
    r"|\+(?<=(?<![A-Za-z0-9_])[A-Za-z]\+)\+(?!\+)"
    r"|#(?<=(?<![A-Za-z0-9_])[CFcf]#)(?![A-Za-z0-9_#])"
    r"|\.(?<![A-Za-z0-9_.]\.)(?:NET|Net|net)(?![A-Za-z0-9_])"
)


def _signed(text: str) -> Iterator[Shape]:
    """A possessive 's goes; C++ gives ``c cplusplus``, C# ``c csharp``, .NET ``net dotnet``."""
    if not any(sign in text for sign in _SIGNS):
        return
    for found in _SIGNED.finditer(text):
        start, end = found.span()
        if text[start] == "'":
            yield start, end, []
        elif text[start] == ".":
            yield start, end, [(text[start + 1 : end], start + 1, end, True), ("dotnet", start, end, False)]
        else:
            name = text[start - 1].lower() + ("plusplus" if text[start] == "+" else "sharp")
            yield start, end, [(name, start - 1, end, False)]


def _shapes(text: str) -> list[Shape]:
    """What is rewritten in normalised ``text`` before it is cut into words; most texts hold nothing of it."""
    return sorted([*_compounds(text), *_signed(text)])


def _reshape(text: str) -> str:
    shapes = _shapes(text)
    if not shapes:
        return text
    made: list[str] = []
    position = 0
    for start, end, pieces in shapes:
        made.append(text[position:start])
        made += [piece[0] for piece in pieces]
        position = end
    return " ".join([*made, text[position:]])


# ---- whole texts ----


@cache
def _too_many_marks() -> re.Pattern[str]:
    marks = "".join(chr(cp) for cp in range(0x300, 0x1F000) if unicodedata.combining(chr(cp)))
    return re.compile(f"([{marks}]{{{_MARKS_KEPT}}})[{marks}]+")


# Persian and Arabic writers use the zero-width non-joiner between parts that others part by a space; in Indic scripts
# it only asks for another shape of a letter, and elsewhere it is a trick: there it goes without a trace.
_PARTING_ZWNJ: Final = re.compile("(?<=[\u0600-\u08ff])\u200c(?=[\u0600-\u08ff])")


def _normal(text: str, long: bool) -> str:
    text = _FOREIGN.sub(lambda run: run[0].translate(_BEFORE), text)
    if long:
        text = _too_many_marks().sub(r"\1", text)
    return unicodedata.normalize("NFKC", text)


def index_text(text: str) -> str:
    """The text to feed to a column with ``tokenize='porter unicode61 remove_diacritics 2'``; any ``str`` will do."""
    if text.isascii():
        return _reshape(text)
    text = _normal(_PARTING_ZWNJ.sub(" ", text), len(text) > _CALM_ABOVE)
    text = _reshape(text)
    text = _FOREIGN.sub(lambda run: run[0].translate(_AFTER), text)
    return text.replace(_JOINT * 2, "").replace(_JOINT, " ") if _JOINT in text else text


def words(text: str) -> list[str]:
    """The words of ``text`` in order, folded but not stemmed, as FTS5's ``unicode61`` hands them to ``porter``."""
    return _WORD.findall(index_text(text).lower())


def terms(text: str) -> list[str]:
    """The terms that the index holds for ``text``, in order."""
    return list(map(stem, _WORD.findall(index_text(text).lower())))


@dataclass(frozen=True, slots=True)
class Token:
    """A term of the index and the span of the original text (in characters) that it stands for."""

    term: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """The same as ``terms``, with places; spans of a compound's parts lie within the compound's own."""
    plain = text.isascii()
    normal, starts, ends = (text, range(len(text)), range(1, len(text) + 1)) if plain else _traced(text)
    found: list[Token] = []
    position = 0
    for begin, finish, pieces in _shapes(normal):
        found += _plain_tokens(normal, position, begin, starts, ends)
        for word, start, end, own in pieces:
            spelt = _plain_tokens(normal, start, end, starts, ends)
            found += spelt if own else [Token(stem(word), starts[start], ends[end - 1])]
        position = finish
    found += _plain_tokens(normal, position, len(normal), starts, ends)
    return found


def _plain_tokens(normal: str, start: int, end: int, starts: Sequence[int], ends: Sequence[int]) -> Iterator[Token]:
    part = normal[start:end]
    if part.isascii():
        for word in _WORD.finditer(part.lower()):
            yield Token(stem(word[0]), starts[start + word.start()], ends[start + word.end() - 1])
        return
    made: list[str] = []
    places: list[int] = []
    for place, char in enumerate(part, start):
        out = char.lower() if char < "\x80" else str(_AFTER[ord(char)])
        made.append(out)
        places += [place] * len(out)
    for word in _JOINED_WORD.finditer("".join(made)):
        term = stem(word[0].replace(_JOINT * 2, ""))
        yield Token(term, starts[places[word.start()]], ends[places[word.end() - 1]])


def is_extending(char: str) -> bool:
    """Whether ``char`` may melt into what stands before it when the text is normalised."""
    if char < "\u0300":
        return char == "\xad"
    first = unicodedata.normalize("NFKD", char)[0]
    return _is_ignored(char) or unicodedata.category(first)[0] == "M" or "\u1160" <= first <= "\u11ff"


def _traced(text: str) -> tuple[str, list[int], list[int]]:
    """``_normal`` of ``text``, and for each of its characters the span of ``text`` that it comes from."""
    long = len(text) > _CALM_ABOVE
    spaced = _PARTING_ZWNJ.sub(" ", text)
    cuts = [place for place, char in enumerate(spaced) if not is_extending(char)]
    cuts = [0, *(cut for cut in cuts if cut > 0), len(text)]
    made: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in pairwise(cuts):
        out = spaced[start:end] if end - start == 1 and spaced[start] < "\x80" else _normal(spaced[start:end], long)
        made.append(out)
        starts += [start] * len(out)
        ends += [end] * len(out)
    return "".join(made), starts, ends
