"""Two texts compared word by word: side by side where there is room for two, else in one."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tfmem_tui.core.records import MemoryVersion
from tfmem_tui.tui import diffs
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.host import setting_of
from tfmem_tui.tui.screens.dialog import Dialog, quoted
from tfmem_tui.tui.times import exact
from tfmem_tui.tui.widgets.detail import level_content

COMPARED_CHARACTERS = 64_000  # of each text; a note says what is left out


class Diff(Dialog[None]):
    """What became of a text: the version before on the left, the one after on the right."""

    def __init__(self, before: MemoryVersion, after: MemoryVersion) -> None:
        super().__init__()
        self.title_text = Content("Compare ") + quoted(before.key, 40)
        self._before, self._after = before, after

    def inside(self) -> ComposeResult:
        setting = setting_of(self)
        cut = COMPARED_CHARACTERS
        pieces = diffs.compare(self._before.content[:cut], self._after.content[:cut])
        heads = [version_line(one, setting) for one in (self._before, self._after)]
        left, right = diffs.sides(pieces)
        words = diffs.summary(pieces) + tag_words(self._before, self._after)
        longest = max(len(self._before.content), len(self._after.content))
        if longest > cut:
            words += f"; only the first {cut:,} characters are compared"
        yield Static(Content.styled(words, "$quiet"), markup=False, id="diff-words")
        with VerticalScroll(can_focus=True, id="diff"):
            with Horizontal(classes="sides"):
                yield Static(heads[0] + Content("\n\n") + left, markup=False)
                yield Static(heads[1] + Content("\n\n") + right, markup=False)
            both = Content("\n").join([*heads, Content(""), diffs.unified(pieces)])
            yield Static(both, markup=False, classes="unified")

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


def version_line(version: MemoryVersion, setting: Setting) -> Content:
    """A version in one line: level, state and time."""
    state = version.end_reason or "live"
    return level_content(version.level, setting) + Content.styled(f"  {state}  {exact(version.saved_at)}", "$quiet")


def tag_words(before: MemoryVersion, after: MemoryVersion) -> str:
    """How the tags differ, if they do, counted: the tags themselves are stored text."""
    gone, new = set(before.tags) - set(after.tags), set(after.tags) - set(before.tags)
    return f"; tags gone: {len(gone)}, new: {len(new)}" if gone or new else ""
