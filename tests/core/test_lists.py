"""Lists in every order: complete, as the rule orders them, the same by pages, from either end, after any row."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.histories import Act, Player, histories
from tests.support import viewer_at
from tfmem_tui.core.level import ALL_LEVELS, Level
from tfmem_tui.core.memory import MemoryRepository
from tfmem_tui.core.records import NO_FILTERS, Cursor, Filters, MemorySummary, Order


def rank(order: Order, row: MemorySummary) -> tuple[object, ...]:
    """What rows are ordered by, descending: the column, then newest first, then key."""
    value: object = {
        Order.SAVED: row.saved_at.timestamp(),
        Order.KEY: row.key,
        Order.LEVEL: int(row.level),
        Order.CONTENT: row.preview[:64],
        Order.TAGS: json.dumps(list(row.tags), ensure_ascii=False, separators=(",", ":")),
    }[order]
    return value, row.saved_at.timestamp(), Backwards(row.key)


class Backwards(str):
    """A text that sorts the other way round."""

    __slots__ = ()

    def __lt__(self, other: str) -> bool:
        return str(self) > str(other)


def walk(memories: MemoryRepository, order: Order, descending: bool, filters: Filters) -> list[str]:
    keys: list[str] = []
    after: Cursor | None = None
    while True:
        page = memories.page(order, descending=descending, filters=filters, after=after, limit=2)
        keys += [row.key for row in page.rows]
        if page.at_end:
            return keys
        after = page.cursors[-1]


FILTERS = st.sampled_from([NO_FILTERS, Filters(tags=("x",)), Filters(levels=frozenset({Level.INTERNAL}))])


@pytest.mark.parametrize("order", Order)
@given(history=histories, taint=st.sampled_from(ALL_LEVELS), filters=FILTERS)
@settings(max_examples=25)
def test_a_list_is_complete_and_in_order_however_it_is_walked(
    order: Order, history: list[Act], taint: Level, filters: Filters
) -> None:
    memories = viewer_at(Player().play(history).store, taint)
    everything = memories.page(filters=filters, limit=1_000).rows
    expected = [row.key for row in sorted(everything, key=lambda row: rank(order, row), reverse=True)]
    assert len(expected) == memories.count(filters)
    for descending in (True, False):
        keys = expected if descending else expected[::-1]
        whole = memories.page(order, descending=descending, filters=filters, limit=1_000)
        assert [row.key for row in whole.rows] == keys
        assert walk(memories, order, descending, filters) == keys
        last = memories.page(order, descending=descending, filters=filters, limit=2, from_end=True)
        assert [row.key for row in last.rows] == keys[-2:]
        skipped = memories.page(order, descending=descending, filters=filters, skip=1, limit=2)
        assert [row.key for row in skipped.rows] == keys[1:3]
        for at, cursor in enumerate(whole.cursors):
            assert memories.position(cursor, order, descending=descending, filters=filters) == at
            before = memories.page(order, descending=descending, filters=filters, before=cursor, limit=2)
            assert [row.key for row in before.rows] == keys[max(0, at - 2) : at]
