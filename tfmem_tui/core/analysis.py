"""Text as given to text as indexed, and back to places for highlighting (interim)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

ANALYSER_VERSION = 1
_stemmer = snowballstemmer.stemmer("porter")


@dataclass(frozen=True, slots=True)
class Token:
    term: str
    start: int
    end: int


CJK = re.compile(r"([\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])")
EMOJI = re.compile(r"[\u2190-\u2bff\U0001f000-\U0001faff]")


def index_text(text: str) -> str:
    if text.isascii():
        return re.sub(r"'s\b", "", text).replace("c++", "c cplusplus").replace("C++", "c cplusplus")
    text = unicodedata.normalize("NFKC", text)
    text = CJK.sub(r" \1 ", text)
    return EMOJI.sub(lambda m: f" emoji{ord(m.group()):x} ", text)


@lru_cache(100_000)
def _stem(word: str) -> str:
    word = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return str(_stemmer.stemWord(word)) if len(word) > 2 else word


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", index_text(text).lower())


def terms(text: str) -> list[str]:
    return [_stem(w) for w in words(text)]


def tokens(text: str) -> list[Token]:
    return [Token(_stem(m.group().lower()), m.start(), m.end()) for m in re.finditer(r"[^\W_]+", text)]
