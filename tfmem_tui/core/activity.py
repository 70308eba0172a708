"""How much happened when: audit events counted over time and by what they did, up to the reader's taint (G2)."""

from __future__ import annotations

from collections.abc import Sequence

from tfmem_tui.core.context import from_micros
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import Activity
from tfmem_tui.core.storage import Transaction


def over_time(
    tx: Transaction, levels: Sequence[Level], where: str, values: Sequence[object], spans: int
) -> Activity | None:
    """The events that ``where`` leaves, in ``spans`` spans of equal length from the first to the last; none: None."""
    inside = ",".join(str(int(level)) for level in levels)
    source = f"FROM audit_event WHERE level IN ({inside}){where}"
    first, last = tx.row(f"SELECT min(at), max(at) {source}", tuple(values)) or (None, None)
    if first is None:
        return None
    step = max(1, -(-(last - first + 1) // spans))
    counts = [0] * spans
    for span, count in tx.rows(f"SELECT (at - ?) / ?, count(*) {source} GROUP BY 1", (first, step, *values)):
        counts[span] = count
    actions = tx.rows(f"SELECT action, count(*) {source} GROUP BY 1 ORDER BY 2 DESC, 1", tuple(values))
    return Activity(
        from_micros(first), from_micros(last), tuple(counts), tuple((name, count) for name, count in actions)
    )
