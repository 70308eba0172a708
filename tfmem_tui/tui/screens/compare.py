"""The same call at every level that the session may see, in columns, with what differs from the level below marked."""

from __future__ import annotations

import json
from collections.abc import Iterator

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tfmem_tui.tui import safe_text
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.host import setting_of
from tfmem_tui.tui.plays import Compared
from tfmem_tui.tui.screens.dialog import Dialog
from tfmem_tui.tui.widgets.detail import level_content

DIFFERS = "▌"


class Compare(Dialog[None]):
    """A column for each level; stacked where there is no room for columns."""

    def __init__(self, name: str, compared: Compared) -> None:
        super().__init__()
        self.title_text = f"{name} at every level"
        self._compared = compared

    def inside(self) -> ComposeResult:
        with Horizontal(classes="columns"):
            for content in columns(self._compared, setting_of(self)):
                with VerticalScroll(classes="column", can_focus=True):
                    yield Static(content, markup=False)

    def on_mount(self) -> None:
        self.query(VerticalScroll).first().focus()


def columns(compared: Compared, setting: Setting) -> Iterator[Content]:
    """What each level gets; a line that the level below does not have is marked, and the same answer is said to be."""
    before: list[str] | None = None
    for level, answer in compared:
        lines = json.dumps(answer.payload, ensure_ascii=False, indent=2).split("\n")
        shown: list[Content] = [level_content(level, setting), Content("")]
        if lines == before:
            shown.append(Content.styled("the same as the level below", "$quiet"))
        known = set(before or ())
        for line in lines:
            text = safe_text.block(line)
            fresh = before is not None and line not in known
            shown.append(Content.styled(f"{DIFFERS} ", "$warning") + text if fresh else Content("  ") + text)
        before = lines
        yield Content("\n").join(shown)
