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

from tfmem_tui.core.folding import AFTER, BEFORE, JOINT, is_ignored
from tfmem_tui.core.porter import stem

ANALYSER_VERSION: Final[int] = 1  # raise it with any change of index_text's answers: older indexes need a rebuild then

_WORD: Final = re.compile(r"[^\x00-/:-@\[-`{-\x7f]+")  # in analysed text all separators are ASCII
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]+")
_JOINED_WORD: Final = re.compile(r"[^\x00-/:-@\[-`{-\x7f\uffff]+(?:\uffff\uffff[^\x00-/:-@\[-`{-\x7f\uffff]+)*")

_CALM_ABOVE: Final = 2_000  # characters; ordering a run of marks takes the square of its length, so long ones are cut
_MARKS_KEPT: Final = 30  # as in Unicode's stream-safe text format

Piece = tuple[str, int, int, bool]  # a word for a span of normalised text; whether it is spelt as the span is
Shape = tuple[int, int, list[Piece]]  # a span of normalised text and the words that take its place


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
    text = _FOREIGN.sub(lambda run: run[0].translate(BEFORE), text)
    if long:
        text = _too_many_marks().sub(r"\1", text)
    return unicodedata.normalize("NFKC", text)


def index_text(text: str) -> str:
    """The text to feed to a column with ``tokenize='porter unicode61 remove_diacritics 2'``; any ``str`` will do."""
    if text.isascii():
        return _reshape(text)
    text = _normal(_PARTING_ZWNJ.sub(" ", text), len(text) > _CALM_ABOVE)
    text = _reshape(text)
    text = _FOREIGN.sub(lambda run: run[0].translate(AFTER), text)
    return text.replace(JOINT * 2, "").replace(JOINT, " ") if JOINT in text else text


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
        out = char.lower() if char < "\x80" else str(AFTER[ord(char)])
        made.append(out)
        places += [place] * len(out)
    for word in _JOINED_WORD.finditer("".join(made)):
        term = stem(word[0].replace(JOINT * 2, ""))
        yield Token(term, starts[places[word.start()]], ends[places[word.end() - 1]])


def is_extending(char: str) -> bool:
    """Whether ``char`` may melt into what stands before it when the text is normalised."""
    if char < "\u0300":
        return char == "\xad"
    first = unicodedata.normalize("NFKD", char)[0]
    return is_ignored(char) or unicodedata.category(first)[0] == "M" or "\u1160" <= first <= "\u11ff"


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
