"""What the memories view asks for, as one frozen value, and how typing and ordering change it. No widgets here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tfmem_tui.core.records import Order
from tfmem_tui.tui.sources import MemoryQuestion

FIRST_DESCENDING = (Order.SAVED, Order.LEVEL)
EMPTY = ("No memories yet", "", "An agent's first save appears here; n saves one by hand.")
EMPTY_READ_ONLY = ("No memories yet", "", "Nothing at or below this level has been saved.")
NO_MATCH = ("No match", "", "No memory that this session may see holds these words or tags.")


@dataclass(frozen=True, slots=True)
class MemoriesState:
    """What is asked for, and which column is chosen for ordering."""

    question: MemoryQuestion = field(default_factory=MemoryQuestion)
    column: Order = Order.SAVED
    total: int | None = None  # effective memories in all, as far as they have been counted

    @property
    def narrowed(self) -> bool:
        """Whether words or filters leave something out."""
        return bool(self.question.words.strip()) or not self.question.filters.is_empty


def settled(words: str) -> str:
    """What is searched for while it is typed: a last letter that stands alone says nothing yet.

    It would be the beginning of a great part of all words. A sign that is a word by itself (東, 🐟) counts at once.
    """
    head, _, last = words.rpartition(" ")
    alone = len(last) == 1 and last.isalnum() and last < "\u2e80"
    return head if alone else words


def searched(asked: MemoryQuestion, words: str) -> MemoryQuestion:
    """The question with other words: the first ones order by rank, until a column is chosen; no words, no rank."""
    order, descending = asked.order, asked.descending
    if words.strip() and not asked.words.strip():
        order = None
    elif not words.strip() and order is None:
        order, descending = Order.SAVED, True
    return replace(asked, words=words, order=order, descending=descending)


def ordered(asked: MemoryQuestion, column: Order) -> MemoryQuestion:
    """The question ordered by a column; asked again, the other way round; a third time, while searching, by rank."""
    first = column in FIRST_DESCENDING
    if asked.order is not column:
        return replace(asked, order=column, descending=first)
    if asked.descending is first or not asked.words.strip():
        return replace(asked, descending=not asked.descending)
    return replace(asked, order=None, descending=True)
