"""The pane that shows one memory in full: what it is, what it says, where it comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tfmem_tui.core.credentials import looks_like
from tfmem_tui.core.records import Ladder, MemoryVersion, Status
from tfmem_tui.tui import safe_text
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.host import setting_of
from tfmem_tui.tui.readable import readable
from tfmem_tui.tui.safe_text import Span
from tfmem_tui.tui.times import ago, exact

KEY_CELLS = 200


class DetailPane(VerticalScroll, can_focus=True):
    """Scrolls over one text that is given to it, already safe."""

    def compose(self) -> ComposeResult:
        yield Static(markup=False)

    def show(self, content: Content, *, top: bool = True) -> None:
        """Shows another text, from its beginning unless it is the same memory as before."""
        self.query_one(Static).update(content)
        if top:
            self.scroll_home(animate=False)

    def show_version(
        self, version: MemoryVersion, standing: str, spans: Sequence[Span] = (), *, top: bool = True
    ) -> None:
        """Shows a version; ``standing`` says how it stands towards the session."""
        self.show(described(version, standing, setting_of(self), spans), top=top)

    def say(self, *lines: str) -> None:
        """Shows words of the program's own."""
        self.show(Content("\n").join(Content.styled(line, "$quiet") for line in lines))


def level_content(level: Any, setting: Setting) -> Content:
    """Sign and word of a level in its colour."""
    return Content.styled(setting.signs.level(level), f"bold $level-{level.name.lower()}")


def standing(ladder: Ladder) -> str:
    """How the effective version of a ladder stands: what it shadows."""
    shadowed = sum(rung.status is Status.SHADOWED for rung in ladder.rungs)
    return f"effective, shadows {shadowed}" if shadowed else "effective"


def described(version: MemoryVersion, standing: str, setting: Setting, spans: Sequence[Span] = ()) -> Content:
    """A version in full, as several lines."""
    dot = setting.signs.dot
    lines = [
        safe_text.line(version.key, KEY_CELLS).stylize("bold"),
        Content.assemble(level_content(version.level, setting), (f" {dot} {standing}", "$quiet")),
    ]
    if version.tags:
        tags = (safe_text.line(tag, 64).stylize("$key-text") for tag in version.tags)
        lines.append(Content.styled("# ", "$quiet") + Content.styled("  # ", "$quiet").join(tags))
    laid_out = None if spans else readable(version.content)
    text = safe_text.block(version.content, spans) if laid_out is None else laid_out
    lines += [Content(""), text, Content(""), *_provenance(version, setting)]
    if forms := looks_like(version.key, version.content, *version.tags):
        warning = f"{setting.signs.warning} looks like a credential: {', '.join(forms)}"
        lines.append(Content.styled(warning, "bold $warning"))
    return Content("\n").join(lines)


def _provenance(version: MemoryVersion, setting: Setting) -> list[Content]:
    rows: list[tuple[str, Content]] = [
        ("saved", Content(f"{exact(version.saved_at)}  ({ago(version.saved_at, setting.now())})")),
        ("by", safe_text.line(version.saved_by, 64)),
    ]
    if version.created_at != version.saved_at:
        rows.append(("first", Content(exact(version.created_at))))
    if version.expires_at is not None:
        rows.append(("expires", Content(exact(version.expires_at))))
    if version.ended_at is not None:
        rows.append(("ended", Content(f"{exact(version.ended_at)}  {version.end_reason or ''}")))
    if version.ended_by is not None:
        rows.append(("ended by", safe_text.line(version.ended_by, 64)))
    rows.append(("size", Content(f"{len(version.content):,} characters")))
    return [Content.styled(f"{name:<9}", "$quiet") + value for name, value in rows]
