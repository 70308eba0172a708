"""The command line that ``:`` opens and the palette that ``ctrl+p`` opens: one field, and the commands that fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from rich.style import Style
from textual import on
from textual.app import ComposeResult
from textual.widgets import Input, Static

from tfmem_tui.tui import actions
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.commands import Command, completions, matches
from tfmem_tui.tui.keymap import shown
from tfmem_tui.tui.screens.dialog import Dialog
from tfmem_tui.tui.widgets.row_list import Cells, RowList

NAME, KEYS = 22, 12
Chosen = tuple[Command, str]  # and what was typed after its name


class CommandList(RowList):
    """Commands with what they do and their keys."""

    def __init__(self) -> None:
        super().__init__(id="commands", header=False)
        self.commands: Sequence[Command] = ()
        self.note = ("No such command",)

    @property
    def current(self) -> Command | None:
        """The command under the cursor."""
        return self.commands[self.cursor] if self.commands else None

    def show(self, commands: Sequence[Command]) -> None:
        """Shows other commands, the cursor on the first."""
        self.commands = commands
        self.row_count = len(commands)
        self.cursor = 0
        self.refresh()

    def draw_row(self, index: int, width: int) -> Cells | None:
        """A command."""
        action, quiet = self.commands[index].action, self.style_of("row--quiet")
        keys = shown(action.keys[:2]).replace("⏎", self.signs.enter)
        return [
            *self.text(self.commands[index].words, NAME, Style(bold=True)),
            *self.text(action.help, max(8, width - 2 - NAME - KEYS)),
            *self.text(keys, KEYS, quiet),
        ]


class Finder(Dialog[Chosen | None]):
    """A field over the commands that can be carried out now."""

    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.CHOICE,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.CHOICE)

    def __init__(self, commands: Sequence[Command]) -> None:
        super().__init__()
        self._commands = commands

    def inside(self) -> ComposeResult:
        yield Input(placeholder="what to do", id="typed", compact=True)
        yield CommandList()

    @property
    def rows(self) -> CommandList:
        """The commands that fit."""
        return self.query_one(CommandList)

    def fitting(self, typed: str) -> list[Command]:
        """The commands for what is typed."""
        return matches(self._commands, typed)

    def argument(self, typed: str) -> str:
        """What was typed for the command itself."""
        return ""

    def on_mount(self) -> None:
        self.rows.show(self.fitting(""))
        self.query_one(Input).focus()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self.rows.show(self.fitting(event.value))

    def allows(self, predicate: str) -> bool:
        return self.rows.current is not None if predicate == "has_row" else super().allows(predicate)

    @on(Input.Submitted)
    @on(RowList.Chosen)
    def action_take(self) -> None:
        command = self.rows.current
        self.dismiss(None if command is None else (command, self.argument(self.query_one(Input).value)))

    def key_down(self) -> None:
        """From the field the arrow goes into the list."""
        self.rows.action_move(1)
        self.rows.focus()


class Palette(Finder):
    """Finds a command by any of its words."""

    title_text = "What to do"


class CommandLine(Finder):
    """Takes a command by its name, with what follows it. ``tab`` completes the name."""

    title_text = "Command"

    def inside(self) -> ComposeResult:
        yield Static("a name and what it takes; tab completes the name", markup=False, classes="words")
        yield from super().inside()

    def fitting(self, typed: str) -> list[Command]:
        return completions(self._commands, typed)

    def argument(self, typed: str) -> str:
        return typed.strip().partition(" ")[2].strip()

    def complete(self) -> bool:
        """Completes the name as far as it is clear; whether there was anything to complete."""
        field, command = self.query_one(Input), self.rows.current
        if not field.has_focus or command is None or " " in field.value.strip():
            return False
        after = " " if command.action.takes else ""
        if field.value == command.action.name + after:
            return False
        field.value = command.action.name + after
        field.cursor_position = len(field.value)
        return True
