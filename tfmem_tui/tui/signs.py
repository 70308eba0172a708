"""The signs that the screen draws with, in Unicode and in ASCII, and how a level is named by them."""

from __future__ import annotations

from dataclasses import dataclass

from tfmem_tui.core.level import Level


@dataclass(frozen=True, slots=True)
class Signs:
    """One set of signs; each is one cell wide."""

    levels: tuple[str, str, str, str] = ("○", "◔", "◑", "●")
    cursor: str = "›"
    mark: str = "•"
    anchor: str = "┌"
    blocks: str = " ▁▂▃▄▅▆▇█"
    bar: str = "━"
    warning: str = "⚠"
    ascending: str = "▴"
    descending: str = "▾"
    dot: str = "·"
    cut: str = "…"
    enter: str = "⏎"
    close: str = "×"
    yes: str = "✓"
    no: str = "✗"
    branch: str = "└"
    arrow: str = "→"
    live: str = "●"
    spinner: str = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

    def level(self, level: Level) -> str:
        """Glyph and word of a level, as it is always named."""
        return f"{self.levels[level - 1]} {level.name}"


UNICODE = Signs()
ASCII = Signs(
    levels=("P", "I", "C", "R"),
    cursor=">",
    mark="*",
    anchor="+",
    blocks=" .:-=+*#@",
    bar="=",
    warning="!",
    ascending="^",
    descending="v",
    dot="-",
    cut="~",
    enter="enter",
    close="x",
    yes="+",
    no="!",
    branch="`",
    arrow=">",
    live="*",
    spinner="|/-\\",
)


def level_class(level: Level) -> str:
    """The CSS class, and the component class, of a level."""
    return f"level-{level.name.lower()}"


LEVEL_CLASSES = frozenset(level_class(level) for level in Level)
