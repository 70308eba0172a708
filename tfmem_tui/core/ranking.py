"""The second stage of the ranking: a score from a candidate's own text and from weights that the first stage found.

Nothing here knows of other memories (G7): the weights are sums over levels at or below the taint.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice

from tfmem_tui.core import effective
from tfmem_tui.core.analysis import terms
from tfmem_tui.core.query import Term
from tfmem_tui.core.storage import Transaction

READ_CHARACTERS = 8_000  # of a candidate's content
KEY_WEIGHT, TAGS_WEIGHT, CONTENT_WEIGHT = 3.0, 2.0, 1.0
SATURATION = 1.2  # how soon a further occurrence of a word stops to count (BM25's k1)
LENGTH_SHARE = 0.4  # how much a long memory is discounted (BM25's b)
USUAL_LENGTH = 30.0  # words; a fixed pivot, so that no score depends on other memories' lengths
NEAR_SHARE = 0.15  # how much words that stand close together add at most: enough to break ties
PLACES_LOOKED_AT = 6  # of each word, for nearness
FAR = 1 << 20


def second_stage(tx: Transaction, places: Sequence[int], weights: Sequence[tuple[Term, float]]) -> dict[int, float]:
    """Scores from the candidates' own text: where a word stands, how often, in how long a memory."""
    rows = tx.rows(
        f"SELECT m.place, m.key, m.tags, substr(m.content, 1, {READ_CHARACTERS}) FROM {effective.AT_PLACES}",
        (json.dumps(list(places)),),
    )
    return {row[0]: _score(row[1], json.loads(row[2]), row[3], weights) for row in rows}


def _score(key: str, tags: Sequence[str], content: str, weights: Sequence[tuple[Term, float]]) -> float:
    key_terms, tag_terms, content_terms = terms(key), terms("\n".join(tags)), terms(content)
    length = len(key_terms) + len(tag_terms) + len(content_terms)
    discount = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length / USUAL_LENGTH)
    total = 0.0
    places: list[list[int]] = []
    for term, weight in weights:
        held = (
            KEY_WEIGHT * term.matches(key_terms)
            + TAGS_WEIGHT * term.matches(tag_terms)
            + CONTENT_WEIGHT * term.matches(content_terms)
        )
        total += weight * held * (SATURATION + 1.0) / (held + discount) if held else 0.0
        if held and len(weights) > 1 and not term.part:
            places.append(list(islice(term.places(content_terms), PLACES_LOOKED_AT)))
    return total * (1.0 + NEAR_SHARE * nearness(places))


def nearness(places: Sequence[Sequence[int]]) -> float:
    """How close together words stand of which each has these places: 1 side by side, towards 0 far apart."""
    held = [one for one in places if one]
    if len(held) < 2:
        return 0.0
    return len(held) / max(len(held), min(_span(start, held) for one in held for start in one))


def _span(start: int, places: Sequence[Sequence[int]]) -> int:
    """How many words a stretch from ``start`` takes to hold one place of each that is at or after it, if it can."""
    nearest = [min((place for place in one if place >= start), default=None) for one in places]
    return FAR if None in nearest else max(place for place in nearest if place is not None) - start + 1
