"""Counts as pictures: a sparkline over time and bars, in the signs of the terminal. Every bar has its number."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content

from tfmem_tui.core.level import readable
from tfmem_tui.core.records import Activity
from tfmem_tui.tui import safe_text
from tfmem_tui.tui.acting import Acting, Setting
from tfmem_tui.tui.questions import Pictured
from tfmem_tui.tui.times import exact
from tfmem_tui.tui.widgets.detail import level_content

NAME, COUNT = 22, 10
HEADING = "bold $accent"


def pictures(found: Pictured, acting: Acting, setting: Setting, width: int) -> Content:
    """Events over time, memories by level and by tag, as several lines of ``width`` cells."""
    lines: list[Content] = [Content.styled("EVENTS OVER TIME", HEADING)]
    lines += over_time(found.activity, setting, width) if found.activity is not None else [Content("none")]
    levels = [(level_content(level, setting), found.totals.by_level.get(level, 0)) for level in readable(acting.taint)]
    lines += [Content(""), Content.styled("MEMORIES BY LEVEL", HEADING), *bars(levels, setting, width)]
    tags = [(safe_text.line(one.tag, NAME - 1), one.count) for one in found.tags]
    lines += [Content(""), Content.styled("MEMORIES BY TAG", HEADING)]
    lines += bars(tags, setting, width) or [Content.styled("no tags", "$quiet")]
    return Content("\n").join(lines)


def actions(found: Pictured, setting: Setting, width: int) -> Content:
    """What was done how often."""
    counted = found.activity.actions if found.activity is not None else ()
    rows = [(safe_text.line(name, NAME - 1), count) for name, count in counted]
    return Content("\n").join([Content.styled("EVENTS BY ACTION", HEADING), *bars(rows, setting, width)])


def over_time(activity: Activity, setting: Setting, width: int) -> list[Content]:
    """A sparkline with its ends under it, and what its highest sign stands for."""
    line = sparkline(activity.counts, setting)
    first, last = exact(activity.first), exact(activity.last)
    gap = " " * max(1, cell_len(line) - len(first) - len(last))
    peak = f"most in one of {len(activity.counts)} spans: {max(activity.counts):,}"
    ends = f"{first}{gap}{last}"[: max(0, width)]
    return [Content.styled(line, "$key-text"), Content.styled(ends, "$quiet"), Content.styled(peak, "$quiet")]


def sparkline(counts: Sequence[int], setting: Setting) -> str:
    """One sign for each count; anything more than nothing is at least the lowest one."""
    blocks, most = setting.signs.blocks, max(counts, default=0)
    if not most:
        return blocks[0] * len(counts)
    top = len(blocks) - 1
    return "".join(blocks[0] if not count else blocks[max(1, round(count / most * top))] for count in counts)


def bars(rows: Sequence[tuple[Content, int]], setting: Setting, width: int) -> list[Content]:
    """A bar for each row, as long as its count is great; its number behind it."""
    most = max((count for _, count in rows), default=0)
    room = max(4, width - NAME - COUNT)
    lines: list[Content] = []
    for name, count in rows:
        length = max(1, round(count / most * room)) if count else 0
        pad = Content(" " * max(1, NAME - name.cell_length))
        lines.append(name + pad + Content.styled(setting.signs.bar * length, "$key-text") + Content(f" {count:,}"))
    return lines
