"""What an agent is told of memory before a conversation: the SPINE section, and the recall block of a taint."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources

from tfmem_tui.core.memory import MemoryRepository
from tfmem_tui.core.records import Filters, MemorySummary, MemoryVersion

SECTIONS = (("rule", "Rules"), ("preference", "Preferences"), ("persona", "The user"), ("project", "Projects"))
PAGE = 100


def spine_text() -> str:
    """The SPINE section that teaches an agent what to save, as Markdown."""
    return resources.files("tfmem_tui.agent").joinpath("spine.md").read_text("utf-8")


def recall_block(memories: MemoryRepository, max_chars: int) -> str:
    """Effective memories by tag, newest first, each once, in at most ``max_chars`` characters (G2, G3).

    A memory that no longer fits is left out whole and shorter ones after it still get in; empty where none fits.
    """
    block, used = "", set[str]()
    for tag, heading in SECTIONS:
        title = f"## {heading}\n\n"
        section = ""
        for row in _tagged(memories, tag):
            if row.key in used:
                continue
            line = _line(memories.version(row.ref))
            parts = (block, "\n" if block else "", title, section, line)
            if sum(map(len, parts)) <= max_chars:
                section += line
                used.add(row.key)
        if section:
            block += ("\n" if block else "") + title + section
    return block


def _tagged(memories: MemoryRepository, tag: str) -> Iterator[MemorySummary]:
    filters, after = Filters(tags=(tag,)), None
    while True:
        page = memories.page(filters=filters, after=after, limit=PAGE)
        yield from page.rows
        if page.at_end or not page.rows:
            return
        after = page.cursors[-1]


def _line(version: MemoryVersion) -> str:
    """One bullet; further lines of the content are indented, so that it cannot pass for a heading of ours."""
    return f"- {version.key}: {version.content}".replace("\n", "\n  ") + "\n"
