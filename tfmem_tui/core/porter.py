"""Porter's stemmer as FTS5's ``porter`` tokenizer applies it, so that Python knows the terms that the index holds.

It is Porter's published algorithm (1980) with FTS5's own edges: words below 3 or above 64 bytes stay as they are,
letters outside ASCII count as consonants, byte by byte.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final

MIN_BYTES: Final = 3
MAX_BYTES: Final = 64  # of a word that is stemmed
KEPT_BYTES: Final = 32_768  # FTS5 indexes no more of a word than this

Rules = dict[str, tuple[tuple[str, str], ...]]

# Keyed by the last letter but one; in each row the longer of two endings first: the first that fits decides.
_STEP_2: Final[Rules] = {
    "a": (("ational", "ate"), ("tional", "tion")),
    "c": (("enci", "ence"), ("anci", "ance")),
    "e": (("izer", "ize"),),
    "g": (("logi", "log"),),
    "l": (("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous")),
    "o": (("ization", "ize"), ("ation", "ate"), ("ator", "ate")),
    "s": (("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous")),
    "t": (("aliti", "al"), ("iviti", "ive"), ("biliti", "ble")),
}
_STEP_3: Final[Rules] = {
    "a": (("ical", "ic"),),
    "s": (("ness", ""),),
    "t": (("icate", "ic"), ("iciti", "ic")),
    "u": (("ful", ""),),
    "v": (("ative", ""),),
    "z": (("alize", "al"),),
}
_STEP_4: Final[Rules] = {
    "a": (("al", ""),),
    "c": (("ance", ""), ("ence", "")),
    "e": (("er", ""),),
    "i": (("ic", ""),),
    "l": (("able", ""), ("ible", "")),
    "n": (("ant", ""), ("ement", ""), ("ment", ""), ("ent", "")),
    "o": (("ion", ""), ("ou", "")),
    "s": (("ism", ""),),
    "t": (("ate", ""), ("iti", "")),
    "u": (("ous", ""),),
    "v": (("ive", ""),),
    "z": (("ize", ""),),
}


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The term that the index holds for a folded, lower-case ``word``."""
    if word.isascii():
        return _stem(word) if MIN_BYTES <= len(word) <= MAX_BYTES else word[:KEPT_BYTES]
    raw = word.encode("utf-8", "ignore")
    if MIN_BYTES <= len(raw) <= MAX_BYTES and raw[-1] < 0x80:  # every ending is ASCII
        raw = _stem(raw.decode("latin-1")).encode("latin-1")
    return raw[:KEPT_BYTES].decode("utf-8", "replace")


def _stem(word: str) -> str:
    word = _step_1a(word)
    word = _step_1b(word)
    if word[-1] == "y" and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _STEP_2, 0)
    word = _replace(word, _STEP_3, 0)
    word = _replace(word, _STEP_4, 1)
    return _step_5(word)


def _step_1a(word: str) -> str:
    """Plurals."""
    if word[-1] != "s" or word[-2] == "s":
        return word
    if word[-2] == "e" and ((len(word) > 4 and word[-4:-2] == "ss") or (len(word) > 3 and word[-3] == "i")):
        return word[:-2]
    return word[:-1]


def _step_1b(word: str) -> str:
    """Past tenses and -ing."""
    if len(word) > 3 and word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    if len(word) > 2 and word.endswith("ed"):
        base = word[:-2]
    elif len(word) > 3 and word.endswith("ing"):
        base = word[:-3]
    else:
        return word
    if not _has_vowel(base):
        return word
    if len(base) > 2 and base.endswith(("at", "bl", "iz")):
        return base + "e"
    last = base[-1]
    if last not in "aeioulsz" and base[-2:-1] == last:
        return base[:-1]
    return base + "e" if _measure(base) == 1 and _is_short(base) else base


def _replace(word: str, rules: Rules, above: int) -> str:
    """``word`` with the first ending that fits exchanged, if what stands before it measures more than ``above``."""
    for ending, new in rules.get(word[-2:-1], ()):
        if len(word) > len(ending) and word.endswith(ending):
            base = word[: -len(ending)]
            fits = _measure(base) > above and (ending != "ion" or base[-1] in "st")
            return base + new if fits else word
    return word


def _step_5(word: str) -> str:
    """A silent e, and ll."""
    if word[-1] == "e":
        base = word[:-1]
        measure = _measure(base)
        if measure > 1 or (measure == 1 and not _is_short(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _consonants(word: str) -> list[bool]:
    """Which letters are consonants; y is a vowel after a consonant."""
    kinds: list[bool] = []
    previous = False
    for letter in word:
        previous = letter not in "aeiou" and not (letter == "y" and previous)
        kinds.append(previous)
    return kinds


def _measure(word: str) -> int:
    """How many times a vowel is followed by a consonant: Porter's m."""
    kinds = _consonants(word)
    return sum(1 for before, here in pairwise(kinds) if here and not before)


def _has_vowel(word: str) -> bool:
    return any(letter in "aeiou" or (letter == "y" and place > 0) for place, letter in enumerate(word))


def _is_short(word: str) -> bool:
    """Ends in consonant, vowel, consonant, the last not w, x or y: Porter's *o."""
    if word[-1:] in ("w", "x", "y"):
        return False
    kinds = _consonants(word)
    return kinds[-3:] == [True, False, True]
