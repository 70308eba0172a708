"""All keys, from the registry as it is mapped here, grouped by where they apply; typing narrows the list."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from tfmem_tui.tui.actions import Action, Scope
from tfmem_tui.tui.host import setting_of
from tfmem_tui.tui.keymap import Keymap, shown
from tfmem_tui.tui.screens.dialog import Dialog

KEY_CELLS = 18


class Help(Dialog[None]):
    """What every key does. ``down`` goes from the field into the text, which scrolls."""

    title_text = "Keys"

    def inside(self) -> ComposeResult:
        yield Input(placeholder="type to search", id="search", compact=True)
        with VerticalScroll(can_focus=True):
            yield Static(markup=False, id="keys")

    def on_mount(self) -> None:
        self._show("")
        self.query_one(Input).focus()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._show(event.value)

    def _show(self, words: str) -> None:
        enter = setting_of(self).signs.enter
        self.query_one("#keys", Static).update(help_text(setting_of(self).keymap, words, enter))
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def key_down(self) -> None:
        """From the field into the text."""
        self.query_one(VerticalScroll).focus()

    @on(Input.Submitted)
    def _enter(self) -> None:
        self.query_one(VerticalScroll).focus()

    def layer_back(self) -> bool:
        """What was typed goes first, then the help."""
        field = self.query_one(Input)
        if field.value:
            field.value = ""
            return True
        return super().layer_back()


def help_text(keymap: Keymap, words: str = "", enter: str = "⏎") -> Content:
    """The registry as a person reads it: the actions whose line holds all of ``words``."""
    wanted = words.casefold().split()
    parts: list[Content] = []
    for scope in Scope:
        found = [action for action in keymap.of(scope) if _matches(action, wanted)]
        if found:
            lines = [Content.styled(scope.value, "bold $accent"), *(_line(action, enter) for action in found)]
            parts.append(Content("\n").join(lines))
    return Content("\n\n").join(parts) if parts else Content.styled("No key does this.", "$quiet")


def _matches(action: Action, wanted: list[str]) -> bool:
    text = f"{action.scope} {shown(action.keys)} {action.id} {action.label} {action.help}".casefold()
    return all(word in text for word in wanted)


def _line(action: Action, enter: str) -> Content:
    keys = shown(action.keys).replace("⏎", enter) if action.keys else f":{action.name} {action.takes}"
    return Content.assemble("  ", (f"{keys:<{KEY_CELLS}}", "bold $key-text"), action.help)
