"""Where the style sheets are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

FIRST = ("app", "memories", "compact")  # all that the first paint needs
LATER = ("inspector", "audit", "simulator", "dialogs")
SHEETS = (*FIRST, *LATER)


def styles_dir() -> Path:
    """The folder of the style sheets: the package's sibling where it holds them all, else the package's own."""
    package = Path(__file__).resolve().parent.parent
    sibling = package.parent / "styles"
    return sibling if all(sheet.is_file() for sheet in _sheets(sibling)) else package / "styles"


def style_sheets(names: Sequence[str] = SHEETS) -> list[Path]:
    """The style sheets of these names, in the order in which they apply."""
    return _sheets(styles_dir(), names)


def _sheets(folder: Path, names: Sequence[str] = SHEETS) -> list[Path]:
    return [folder / f"{name}.tcss" for name in names]
