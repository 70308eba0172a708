"""English words that tell nothing about what is searched for; dropped from a query where other words remain."""

from __future__ import annotations

from typing import Final

STOP_WORDS: Final = frozenset(
    (
        *(
            "a",
            "an",
            "and",
            "are",
            "as",
            "at",
            "be",
            "but",
            "by",
            "did",
            "do",
            "does",
            "don",
            "for",
            "from",
            "had",
            "has",
        ),
        *("have", "he", "her", "his", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "of", "on", "or"),
        *("our", "s", "she", "so", "t", "that", "the", "their", "them", "then", "there", "these", "they", "this", "to"),
        *(
            "was",
            "we",
            "were",
            "what",
            "when",
            "where",
            "which",
            "who",
            "whom",
            "whose",
            "why",
            "will",
            "with",
            "would",
        ),
        *("you", "your"),
    )
)
