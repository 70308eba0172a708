"""What every dialog shares: the level's banner above and below, a titled box, its keys, and ``esc`` to leave it."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from tfmem_tui.tui import actions, safe_text
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.host import Allowing
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
        """Leaves the dialog without a result; asks first where something typed would be lost."""
        if self.unsaved:
            self.run_worker(self._leave(), group="dialog")
        else:
            self.dismiss(None)
        return True

    @property
    def unsaved(self) -> bool:
        """Whether something was typed that leaving would lose."""
        return False

    async def _leave(self) -> None:
        words = Content("What you have typed here is not saved. Leave it?")
        if await self.app.push_screen_wait(Question("Not saved", words, "Leave it")):
            self.dismiss(None)


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


def split_tags(text: str) -> list[str]:
    """Tags from what was typed, without blanks around them."""
    return [tag.strip() for tag in text.split(",") if tag.strip()]


def quoted(text: str, cells: int = 48) -> Content:
    """Stored text inside a sentence."""
    return Content("“") + safe_text.line(text, cells).stylize("bold") + Content("”")
