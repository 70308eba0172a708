"""Forms for a memory: a new one, a new version of one, and tags for several. The level stands fast (G1)."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Button, Input, Label, Static, TextArea

from tfmem_tui.core.level import Level
from tfmem_tui.core.records import MemoryVersion
from tfmem_tui.tui.host import setting_of
from tfmem_tui.tui.screens.dialog import Dialog, quoted, split_tags

Given = dict[str, Any]
OTHER_LINES = "This text holds line ends that this field would change; E opens it in your editor as it is."


class NewMemory(Dialog[Given | None]):
    """A new memory's key, content and tags."""

    title_text: str | Content = "New memory"

    def __init__(self, level: Level, key: str = "", content: str = "", tags: str = "") -> None:
        super().__init__()
        self._level = level
        self._begun = (key, content, tags)

    def inside(self) -> ComposeResult:
        key, content, tags = self._begun
        yield Static(
            Content.assemble(
                ("saved at ", "$quiet"),
                (setting_of(self).signs.level(self._level), f"bold $level-{self._level.name.lower()}"),
                (", the session's own level", "$quiet"),
            ),
            markup=False,
        )
        yield Label("key", markup=False)
        yield Input(key, id="key", compact=True)
        yield Label("content", markup=False)
        yield TextArea(content, id="content", compact=True, show_line_numbers=False)
        yield Label("tags, separated by commas", markup=False)
        yield Input(tags, id="tags", compact=True)
        yield Static(id="problem", markup=False)
        with Vertical(classes="buttons"):
            yield Button("Save", id="save", variant="primary", compact=True)
            yield Button("Cancel", id="no", compact=True)

    def on_mount(self) -> None:
        self.query_one("#key", Input).focus()

    @property
    def typed(self) -> tuple[str, str, str]:
        """What the fields hold."""
        key, tags = self.query_one("#key", Input).value, self.query_one("#tags", Input).value
        return key, self.query_one(TextArea).text, tags

    @property
    def unsaved(self) -> bool:
        return self.typed != self._begun

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """``enter`` goes to the next field, and from the last one saves."""
        if event.input.id == "tags":
            self._save(event.value)  # as it was when enter was pressed: over a slow line the next key is there already
        else:
            self.query_one(TextArea).focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "save":
            self._save(self.typed[2])
        else:
            self.layer_back()

    def _save(self, tags: str) -> None:
        key, content, _ = self.typed
        if not key.strip():
            self.query_one("#problem", Static).update(Content.styled("a memory needs a key", "$error"))
            self.query_one("#key", Input).focus()
            return
        self.dismiss({"key": key, "content": content, "tags": split_tags(tags)})


class EditMemory(NewMemory):
    """Another text for a key: a new version at the session's level; the version that was read stays in history."""

    def __init__(self, level: Level, version: MemoryVersion) -> None:
        super().__init__(level, version.key, version.content, ", ".join(version.tags))
        self.title_text = Content("Edit ") + quoted(version.key, 40)

    def on_mount(self) -> None:
        field = self.query_one("#key", Input)
        field.disabled = True
        area = self.query_one(TextArea)
        if area.text != self._begun[1]:
            area.read_only = True
            self.query_one("#save", Button).disabled = True
            self.query_one("#problem", Static).update(Content.styled(OTHER_LINES, "$warning"))
        area.focus()

    @property
    def unsaved(self) -> bool:
        return not self.query_one(TextArea).read_only and super().unsaved


class EditTags(Dialog[tuple[list[str], list[str]] | None]):
    """Tags to add to the marked memories, and with a ``-`` in front of one, to take away."""

    title_text = "Tags"

    def __init__(self, count: int, level: Level) -> None:
        super().__init__()
        self._words = f"{count:,} {'memory' if count == 1 else 'memories'}; each gets a new version at {level.name}."

    def inside(self) -> ComposeResult:
        yield Static(self._words, markup=False, classes="words")
        yield Label("tags to add; with - in front, to take away", markup=False)
        yield Input(placeholder="project, -draft", id="tags", compact=True)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @property
    def unsaved(self) -> bool:
        return bool(self.query_one(Input).value.strip())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Takes what was typed."""
        found = split_tags(event.value)
        if not found:
            self.dismiss(None)
            return
        added = [tag for tag in found if not tag.startswith("-")]
        self.dismiss((added, [tag[1:].strip() for tag in found if tag.startswith("-") and tag[1:].strip()]))
