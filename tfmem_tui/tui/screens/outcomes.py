"""A simulated call and what became of it, as text for the answer pane."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.content import Content

from tfmem_tui.core.records import AuditEvent
from tfmem_tui.tui import safe_text
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.widgets.detail import level_content

if TYPE_CHECKING:
    from tfmem_tui.agent.tools import ToolAnswer


def outcome(
    name: str, given: Mapping[str, object], answer: ToolAnswer, event: AuditEvent | None, setting: Setting
) -> Content:
    """A call and what became of it, as several lines."""
    heading = "bold $accent"
    hook: list[Content] = []
    if answer.stripped:
        names = Content(", ").join(safe_text.line(one, 40) for one in answer.stripped)
        hook.append(Content.styled("stripped  ", "$warning") + names)
    else:
        hook.append(Content.styled("passed on as it came", "$quiet"))
    if answer.level is not None:
        hook.append(Content.styled("forced    ", "$warning") + level_content(answer.level, setting))
    return Content("\n").join(
        [
            Content.styled("CALL", heading) + Content(f"  {name}"),
            _json(given),
            Content(""),
            Content.styled("HOOK", heading) + Content.styled("  PRE_TOOL_CALL", "$quiet"),
            *hook,
            Content(""),
            Content.styled("ANSWER", heading) + Content.styled("  error" if answer.failed else "", "$error"),
            _json(answer.payload),
            *_event(event, setting),
        ]
    )


def _event(event: AuditEvent | None, setting: Setting) -> list[Content]:
    if event is None:
        return []
    words = Content(f" {event.seq:,}  {event.action}  {event.outcome}")
    detail = [_json(dict(event.detail))] if event.detail else []
    heading = Content.styled("AUDIT EVENT", "bold $accent")
    return [Content(""), heading, level_content(event.level, setting) + words, *detail]


def _json(value: object) -> Content:
    return safe_text.block(json.dumps(value, ensure_ascii=False, indent=2))
