"""All keys, from the registry, grouped by where they apply."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tfmem_tui.tui.actions import NAMES, REGISTRY, Action, Scope
from tfmem_tui.tui.screens.dialog import Dialog


class Help(Dialog[None]):
    """What every key does."""

    title_text = "Keys"

    def inside(self) -> ComposeResult:
        with VerticalScroll(can_focus=True):
            yield Static(help_text(), markup=False)


def help_text() -> Content:
    """The registry as a person reads it."""
    lines: list[Content] = []
    for scope in Scope:
        lines.append(Content.styled(scope.value, "bold $accent"))
        lines += [_line(action) for action in REGISTRY if action.scope is scope]
        lines.append(Content(""))
    return Content("\n").join(lines[:-1])


def _line(action: Action) -> Content:
    keys = " ".join(NAMES.get(key, key) for key in action.keys)
    return Content.assemble("  ", (f"{keys:<18}", "bold $key-text"), action.help)
