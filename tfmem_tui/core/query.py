"""What is typed to an FTS5 expression that cannot fail (interim)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tfmem_tui.core.analysis import tokens, words
from tfmem_tui.core.porter import stem as _stem

STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "for",
        "from",
        "how",
        "i",
        "in",
        "is",
        "it",
        "of",
        "on",
        "or",
        "that",
        "the",
        "this",
        "to",
        "was",
        "what",
        "s",
        "user's",
    ]
)


@dataclass(frozen=True, slots=True)
class Term:
    words: tuple[str, ...]
    stems: tuple[str, ...]
    prefix: bool = False
    part: bool = False
    exact: bool = False

    def fts(self) -> str:
        q = '"' + " ".join(self.words).replace('"', '""') + '"'
        return f"({q} * OR {q})" if self.prefix else q

    def matches(self, terms: Sequence[str]) -> int:
        if len(self.stems) == 1:
            return sum(t.startswith(self.stems[0]) for t in terms) if self.prefix else terms.count(self.stems[0])
        n = len(self.stems)
        return sum(tuple(terms[i : i + n]) == self.stems for i in range(len(terms) - n + 1))


@dataclass(frozen=True, slots=True)
class SearchQuery:
    terms: tuple[Term, ...]


def parse(text: str, *, prefix_last: bool = False) -> SearchQuery:
    text = text.encode("utf-8", "ignore").decode().replace("\0", " ")
    out: list[Term] = []
    chunks = [words(c) for c in text.split()]
    plain = [c for c in chunks if c and not (len(c) == 1 and c[0] in STOP)] or [c for c in chunks if c]
    for c in plain:
        ws = tuple(c)
        out.append(Term(ws, tuple(map(_stem, ws))))
        if len(ws) > 1:
            out += [Term((w,), (_stem(w),), part=True) for w in ws]
    if prefix_last and out and not text[-1:].isspace():
        last = out[-1]
        out[-1] = Term(last.words, last.stems, prefix=True)
    return SearchQuery(tuple(dict.fromkeys(out))[:64])


def highlights(text: str, query: SearchQuery) -> list[tuple[int, int]]:
    stems = {s for t in query.terms for s in t.stems}
    return [(t.start, t.end) for t in tokens(text) if t.term in stems]
