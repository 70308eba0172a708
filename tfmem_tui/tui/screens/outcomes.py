"""A simulated call and what became of it, as text for the answer pane."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.widgets import Static

from tfmem_tui.core.records import AuditEvent
from tfmem_tui.tui import safe_text
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.widgets.detail import DetailPane, level_content

if TYPE_CHECKING:
    from tfmem_tui.agent.tools import ToolAnswer

HEADING = "bold $accent"


class OutcomePane(DetailPane):
    """The parts of an outcome beside each other, or one text."""

    def compose(self) -> ComposeResult:
        yield Static(markup=False)
        with Container(classes="parts"):
            for name in ("call", "hook", "answer", "event"):
                yield Static(id=f"part-{name}", markup=False)

    def show(self, content: Content, *, top: bool = True) -> None:
        self.remove_class("-parts")
        for part in self.query(".parts Static").results(Static):
            part.update("")
        super().show(content, top=top)

    def show_parts(self, parts: Mapping[str, Content]) -> None:
        """Shows call, hook, answer and event."""
        self.add_class("-parts")
        for name, content in parts.items():
            self.query_one(f"#part-{name}", Static).update(content)
        self.scroll_home(animate=False)


def outcome(
    name: str, given: Mapping[str, object], answer: ToolAnswer, event: AuditEvent | None, setting: Setting
) -> dict[str, Content]:
    """A call and what became of it: ``call``, ``hook``, ``answer`` and ``event``."""
    hook = [Content.styled("HOOK", HEADING) + Content.styled("  PRE_TOOL_CALL", "$quiet")]
    if answer.stripped:
        names = Content(", ").join(safe_text.line(one, 40) for one in answer.stripped)
        hook.append(Content.styled("stripped  ", "$warning") + names)
    else:
        hook.append(Content.styled("passed on as it came", "$quiet"))
    if answer.level is not None:
        hook.append(Content.styled("forced    ", "$warning") + level_content(answer.level, setting))
    failed = Content.styled("  error" if answer.failed else "", "$error")
    return {
        "call": Content.styled("CALL", HEADING) + Content(f"  {name}\n") + _json(given),
        "hook": Content("\n").join(hook),
        "answer": Content.styled("ANSWER", HEADING) + failed + Content("\n") + _json(answer.payload),
        "event": _event(event, setting),
    }


def _event(event: AuditEvent | None, setting: Setting) -> Content:
    heading = Content.styled("AUDIT EVENT", HEADING)
    if event is None:
        return heading + Content.styled("\nnone", "$quiet")
    words = Content(f" {event.seq:,}  {event.action}  {event.outcome}")
    detail = [_json(dict(event.detail))] if event.detail else []
    return Content("\n").join([heading, level_content(event.level, setting) + words, *detail])


def _json(value: object) -> Content:
    return safe_text.block(json.dumps(value, ensure_ascii=False, indent=2))
