"""Audit events and the state of chains as text."""

from __future__ import annotations

import json
from collections.abc import Sequence

from textual.content import Content

from tfmem_tui.core.records import AuditEvent, ChainReport
from tfmem_tui.tui import safe_text
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.times import exact
from tfmem_tui.tui.widgets.detail import level_content


def chain_line(chains: Sequence[ChainReport] | None, setting: Setting) -> Content:
    """The state of each chain in one line; the first flaw is named by its event."""
    if chains is None:
        return Content.styled("chains not checked", "$quiet")
    parts: list[Content] = []
    for one in chains:
        level = level_content(one.level, setting)
        if one.ok:
            parts.append(level + Content.styled(f" {setting.signs.yes} {one.events:,}", "$success"))
        else:
            parts.append(level + Content.styled(f" {setting.signs.no} event {one.broken_at}: {one.reason}", "$error"))
    return Content("   ").join(parts)


def event_content(event: AuditEvent, setting: Setting) -> Content:
    """An event in full."""
    rows: list[tuple[str, Content]] = [
        ("level", level_content(event.level, setting)),
        ("event", Content(f"{event.seq:,} of this level's chain")),
        ("at", Content(exact(event.at))),
        ("outcome", Content(str(event.outcome))),
        ("session", safe_text.line(event.session, 64)),
        ("user", safe_text.line(event.user, 64)),
    ]
    if event.key is not None:
        rows.append(("key", safe_text.line(event.key, 260)))
    lines = [safe_text.line(event.action, 64).stylize("bold")]
    lines += [Content.styled(f"{name:<9}", "$quiet") + value for name, value in rows]
    if event.detail:
        lines += [Content(""), safe_text.block(json.dumps(dict(event.detail), ensure_ascii=False, indent=2))]
    hashes = [("content", event.content_hash), ("before", event.prev_hash), ("hash", event.hash)]
    lines += [Content("")] + [Content.styled(f"{name:<9}{value[:32]}", "$quiet") for name, value in hashes if value]
    return Content("\n").join(lines)
