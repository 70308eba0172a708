"""Where the style sheets are: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

SHEETS = ("app", "memories", "inspector", "audit", "simulator", "dialogs", "compact")


def styles_dir() -> Path:
    """The folder of the style sheets: the package's sibling where it holds them all, else the package's own."""
    package = Path(__file__).resolve().parent.parent
    sibling = package.parent / "styles"
    return sibling if all(sheet.is_file() for sheet in _sheets(sibling)) else package / "styles"


def style_sheets() -> list[Path]:
    """Every style sheet, in the order in which they apply."""
    return _sheets(styles_dir())


def _sheets(folder: Path) -> list[Path]:
    return [folder / f"{name}.tcss" for name in SHEETS]
