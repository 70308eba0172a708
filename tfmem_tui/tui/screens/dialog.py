"""What every dialog shares: the level's banner above and below, a titled box, its keys, and ``esc`` to leave it."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static, TextArea

from tfmem_tui.core.level import Level
from tfmem_tui.tui import actions, safe_text
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.host import Allowing, setting_of
from tfmem_tui.tui.widgets.frame import Banner, KeyBar, LevelBar

Result = TypeVar("Result")


class Dialog(Allowing, ModalScreen[Result], Generic[Result]):
    """A box over the views. Subclasses compose what is in it."""

    SCOPES: ClassVar[tuple[Scope, ...]] = ()
    BINDINGS: ClassVar[list[Any]] = actions.dialog_bindings()
    title_text: str | Content = ""

    def compose(self) -> ComposeResult:
        yield Banner()
        with Vertical(classes="box") as box:
            box.border_title = self.title_text if isinstance(self.title_text, Content) else Content(self.title_text)
            yield from self.inside()
        yield KeyBar()
        yield LevelBar()

    def inside(self) -> ComposeResult:
        """The widgets in the box."""
        raise NotImplementedError

    def layer_back(self) -> bool:
        """Leaves the dialog without a result."""
        self.dismiss(None)
        return True


class Question(Dialog[bool | None]):
    """Asks before something that cannot be undone; the safe answer has the focus."""

    def __init__(self, title: str, words: Content, yes: str) -> None:
        super().__init__()
        self.title_text = title
        self._words, self._yes = words, yes

    def inside(self) -> ComposeResult:
        yield Static(self._words, markup=False, classes="words")
        with Vertical(classes="buttons"):
            yield Button("Cancel", id="no", compact=True)
            yield Button(self._yes, id="yes", variant="error", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")


class NewMemory(Dialog[dict[str, Any] | None]):
    """A new memory's key, content and tags. The level is shown and cannot be changed (G1)."""

    title_text = "New memory"

    def __init__(self, level: Level, key: str = "") -> None:
        super().__init__()
        self._level, self._key = level, key

    def inside(self) -> ComposeResult:
        yield Static(
            Content.assemble(
                ("saved at ", "$quiet"),
                (setting_of(self).signs.level(self._level), f"bold $level-{self._level.name.lower()}"),
                (", the session's own level", "$quiet"),
            ),
            markup=False,
        )
        yield Label("key", markup=False)
        yield Input(self._key, id="key", compact=True)
        yield Label("content", markup=False)
        yield TextArea(id="content", compact=True)
        yield Label("tags, separated by commas", markup=False)
        yield Input(id="tags", compact=True)
        yield Static(id="problem", markup=False)
        with Vertical(classes="buttons"):
            yield Button("Save", id="save", variant="primary", compact=True)
            yield Button("Cancel", id="no", compact=True)

    def on_mount(self) -> None:
        self.query_one("#key", Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """``enter`` goes to the next field, and from the last one saves."""
        if event.input.id == "tags":
            self._save()
        else:
            self.query_one(TextArea).focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "save":
            self._save()
        else:
            self.dismiss(None)

    def _save(self) -> None:
        key = self.query_one("#key", Input).value
        if not key.strip():
            self.query_one("#problem", Static).update(Content.styled("a memory needs a key", "$error"))
            self.query_one("#key", Input).focus()
            return
        tags = split_tags(self.query_one("#tags", Input).value)
        self.dismiss({"key": key, "content": self.query_one(TextArea).text, "tags": tags})


def split_tags(text: str) -> list[str]:
    """Tags from what was typed, without blanks around them."""
    return [tag.strip() for tag in text.split(",") if tag.strip()]


def quoted(text: str, cells: int = 48) -> Content:
    """Stored text inside a sentence."""
    return Content("“") + safe_text.line(text, cells).stylize("bold") + Content("”")
