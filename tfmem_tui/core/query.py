"""What a person or a model types -> search terms whose FTS5 expressions cannot fail, and where they stand in a text.

Everything typed is plain words, unless in double quotes: FTS5's own syntax is never honoured. No SQL here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Final

from tfmem_tui.core.analysis import Token, is_extending, tokens, words
from tfmem_tui.core.folding import is_split, is_symbol
from tfmem_tui.core.operators import NOTHING, Narrowing
from tfmem_tui.core.operators import split as split_operators
from tfmem_tui.core.porter import stem
from tfmem_tui.core.stopwords import STOP_WORDS

MAX_TYPED: Final = 20_000  # characters that are looked at
MAX_TERMS: Final = 64
MAX_PHRASE: Final = 64  # words; a longer run is looked for by its beginning

# A quotation begins where no word goes on (so not in 5" or צה"ל) and is closed; a stray mark is nothing.
_CHUNK: Final = re.compile(r'(?<!\w)"([^"]+)"|“([^“”]+)”|((?:[^\s"“]|(?<=\w)")+)')

# What a word that is being typed may turn into: "deploym" is on its way to "deployment", whose stem is "deploy".
_ENDINGS: Final = (
    *("ing", "ings", "ed", "er", "ers", "ies", "ly", "ment", "ments", "ness", "ful", "fully", "fulness", "less"),
    *("able", "ability", "ible", "ibility", "ance", "ence", "ant", "ent", "al", "ally", "ality", "ation", "ations"),
    *("ational", "ator", "ators", "ion", "ions", "ional", "ive", "ively", "ivity", "iveness", "ize", "izer", "ized"),
    *("izing", "ization", "ise", "ism", "ist", "ity", "ities", "ous", "ously", "ousness", "ical", "ically", "ate"),
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word or, with several words, a phrase to look for.

    ``words`` are analysed but not stemmed, ``stems`` are what the index holds for them; ``prefix``: the last word is
    still being typed; ``part``: only a part of a compound that is itself a term; ``exact``: it was in double quotes.
    """

    words: tuple[str, ...]
    stems: tuple[str, ...]
    prefix: bool = False
    part: bool = False
    exact: bool = False

    def fts(self) -> str:
        """An FTS5 expression for ``tokenize='porter unicode61 remove_diacritics 2'`` that is always well-formed."""
        if not self.prefix:
            return _quoted(self.words)
        *before, last = self.words
        begun, whole = _completions(last)
        found = [f"{_quoted((*before, begun))} *", *(_quoted((*before, word)) for word in whole.values())]
        return f"({' OR '.join(found)})" if len(found) > 1 else found[0]

    def matches(self, terms: Sequence[str]) -> int:
        """How often the term occurs in ``terms``, the index terms of a text in order."""
        if len(self.stems) > 1:
            return sum(1 for _ in self.places(terms))
        if not self.prefix:
            return terms.count(self.stems[0])
        begun, whole = _completions(self.words[0])
        root = stem(begun)
        return sum(term.startswith(root) or term in whole for term in terms)

    def places(self, terms: Sequence[str]) -> Iterator[int]:
        """Where in ``terms`` the term begins."""
        *before, last = self.stems
        if self.prefix:
            begun, whole = _completions(self.words[-1])
            root = stem(begun)
            ends = (place for place, term in enumerate(terms) if term.startswith(root) or term in whole)
        else:
            ends = (place for place, term in enumerate(terms) if term == last)
        length = len(before)
        for place in ends:
            if place >= length and (not length or list(terms[place - length : place]) == before):
                yield place - length


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The terms of a query, of which any may match, and what narrows it; neither: the query matches nothing."""

    terms: tuple[Term, ...] = ()
    without: tuple[Term, ...] = ()  # none of these may stand anywhere
    keys: tuple[Term, ...] = ()  # all of these must stand in the key
    without_keys: tuple[Term, ...] = ()
    narrowing: Narrowing = NOTHING

    def narrowed(self, expression: str) -> str:
        """An FTS5 expression with what must and must not be there beside it."""
        for term in self.keys:
            expression = f"({expression}) AND {{key}} : {term.fts()}"
        out = [term.fts() for term in self.without] + [f"{{key}} : {term.fts()}" for term in self.without_keys]
        return f"({expression}) NOT ({' OR '.join(out)})" if out else expression


def parse(text: str, *, prefix_last: bool = False, operators: bool = False) -> SearchQuery:
    """The terms of whatever was typed; never raises.

    ``prefix_last`` is for search as you type: a last word without white space after it stands for all that begin
    with it. English stop words count only where there is nothing else. ``operators`` are a person's: ``-``, ``tag:``
    and ``key:``; without them all of it is plain words.
    """
    text = text[:MAX_TYPED].replace("\0", "").encode("utf-8", "ignore").decode("utf-8")
    if not operators:
        return SearchQuery(_plain(text, prefix_last))
    rest, narrowing = split_operators(text, lambda value: bool(words(value)))
    without, keys, without_keys = (
        tuple(term for typed in texts for term in _plain(typed, False) if not term.part)
        for texts in (narrowing.without, narrowing.keys, narrowing.without_keys)
    )
    last = prefix_last and rest == rest.rstrip()  # an operator that was typed last leaves a blank behind
    return SearchQuery(_plain(rest, last) or keys, without, keys, without_keys, narrowing)


def _plain(text: str, prefix_last: bool) -> tuple[Term, ...]:
    kept: dict[tuple[tuple[str, ...], bool, bool], Term] = {}
    idle: list[Term] = []
    for term in _terms(text, prefix_last):
        if _is_idle(term):
            if len(idle) < MAX_TERMS:
                idle.append(term)
            continue
        _keep(kept, term)
        if len(kept) == MAX_TERMS:
            break
    if not kept:
        for term in idle:
            _keep(kept, term)
    return tuple(kept.values())


def _is_idle(term: Term) -> bool:
    """Whether a term is a stop word, or like "don't" a contraction made of them; "to-do" is neither."""
    if term.exact or term.prefix or not STOP_WORDS.issuperset(term.words):
        return False
    return len(term.words) == 1 or len(term.words[-1]) == 1


def _keep(kept: dict[tuple[tuple[str, ...], bool, bool], Term], term: Term) -> None:
    """Equal terms count once; one that was typed by itself outweighs the same as a mere part."""
    name = (term.words if term.prefix else term.stems, term.prefix, term.exact)
    known = kept.setdefault(name, term)
    if known.part and not term.part:
        kept[name] = replace(known, part=False)


def _terms(text: str, prefix_last: bool) -> Iterator[Term]:
    for chunk in _CHUNK.finditer(text):
        quoted = chunk[1] or chunk[2]
        if quoted is not None:
            found = words(quoted)[:MAX_PHRASE]
            if found:
                yield _term(found, exact=True)
            continue
        found = words(chunk[3])
        prefix = prefix_last and chunk.end() == len(text) and _is_open(chunk[3], found)
        if found:
            yield _term(found[:MAX_PHRASE], prefix=prefix and len(found) <= MAX_PHRASE)
        if len(found) > 1:
            yield from _parts(found, prefix)


def _is_open(chunk: str, found: Sequence[str]) -> bool:
    """Whether the last word of ``chunk`` may still grow; an emoji, "C++" and "done." do not."""
    ends_in_word = chunk[-1].isalnum() or is_extending(chunk[-1])
    return ends_in_word and bool(found) and not is_symbol(found[-1])


def _parts(found: Sequence[str], prefix: bool) -> Iterator[Term]:
    """The component words of a compound; of a run in a script without spaces each two neighbours.

    A single such character is in far too many texts, and a flag's halves are no flags.
    """
    place = 0
    for split, group in groupby(found, key=is_split):
        run = list(group)
        whole, place = len(run) == len(found), place + len(run)
        last = prefix and place == len(found)
        if not split:
            singles = [word for word in run if not _is_half_flag(word)]
            yield from (_term([word], part=True) for word in (singles[:-1] if last else singles))
            if last:
                yield _term(run[-1:], part=True, prefix=True)
        elif not whole and 1 < len(run) <= MAX_PHRASE:
            yield _term(run, part=True)
        if split and len(run) > 2:
            yield from (_term(pair, part=True) for pair in pairwise(run))


def _is_half_flag(word: str) -> bool:
    return is_symbol(word) and 0x1F1E6 <= ord(word) - 0xF0000 <= 0x1F1FF


def _term(found: Iterable[str], *, prefix: bool = False, part: bool = False, exact: bool = False) -> Term:
    spelt = tuple(found)
    return Term(spelt, tuple(map(stem, spelt)), prefix, part, exact)


def _quoted(found: Iterable[str]) -> str:
    return '"' + " ".join(found).replace('"', '""') + '"'


@lru_cache(maxsize=1024)
def _completions(typed: str) -> tuple[str, dict[str, str]]:
    """How to ask FTS5 for terms that begin with ``typed``; and, by their stems, whole words that it may become.

    FTS5 stems the beginning of a word too ("play" -> "plai", which "player" does not begin with), so it is given a
    word whose stem is what was typed, where there is one. Only completions are named which the beginning does not
    find: "deploym" finds "deploy" by way of "deployment".
    """
    begun = next((word for word in (typed, typed + "e") if stem(word) == typed), typed)
    candidates = [typed]
    if typed.isascii() and len(typed) > 2:
        for ending in _ENDINGS:
            shared = next((n for n in range(len(ending) - 1, 0, -1) if typed.endswith(ending[:n])), 0)
            if len(typed) - shared > 1:
                candidates.append(typed + ending[shared:])
    whole: dict[str, str] = {}
    for word in candidates:
        if not stem(word).startswith(stem(begun)):
            whole.setdefault(stem(word), word)
    return begun, whole


def highlights(text: str, query: SearchQuery) -> list[tuple[int, int]]:
    """Where ``query`` matches ``text``: ordered spans in characters that neither touch nor part what is one sign."""
    found = tokens(text)
    terms = [token.term for token in found]
    spans: list[tuple[int, int]] = []
    for term in query.terms:
        spans += (_span(found[place : place + len(term.stems)]) for place in term.places(terms))
    return _merged(_whole_signs(text, _merged(sorted(spans))))


def _span(run: Sequence[Token]) -> tuple[int, int]:
    return min(token.start for token in run), max(token.end for token in run)


def _merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _whole_signs(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Spans that begin and end where a reader sees a sign begin or end: a family of emoji is one sign."""
    reached = 0  # keeps a chain of joined emoji from being walked once for each of them
    for start, end in spans:
        if end <= reached:
            continue
        while start > reached and (is_extending(text[start]) or text[start - 1] == "\u200d"):
            start -= 1
        while end < len(text) and (is_extending(text[end]) or text[end - 1] == "\u200d"):
            end += 1
        reached = end
        yield start, end
