"""Asking for the name of a file, with what is wrong with it said while the dialog is still open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from tfmem_tui.tui.screens.dialog import Dialog

Check = Callable[[Path], str | None]  # what is wrong with the path, or nothing


def is_there(path: Path) -> str | None:
    """For a file that is to be read."""
    return None if path.exists() else "there is no such file"


class AskFile(Dialog[Path | None]):
    """Asks for the name of a file."""

    def __init__(self, title: str, words: str, name: str = "", check: Check = is_there) -> None:
        super().__init__()
        self.title_text = title
        self._words, self._name, self._check = words, name, check

    def inside(self) -> ComposeResult:
        yield Static(self._words, markup=False, classes="words")
        yield Input(self._name, id="file", compact=True)
        yield Static(id="problem", markup=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def _given(self) -> None:
        name = self.query_one(Input).value.strip()
        if not name:
            self.dismiss(None)
            return
        try:
            path = Path(name).expanduser()
            problem = self._check(path)
        except (RuntimeError, OSError, ValueError) as error:
            problem = error.strerror if isinstance(error, OSError) and error.strerror else "this is not a file's name"
        if problem is None:
            self.dismiss(path)
        else:
            self.query_one("#problem", Static).update(Content.styled(problem, "$error"))
