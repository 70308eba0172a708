"""Draws the pictures in ``screenshots/`` from the demo, as the app really looks.

Run it from the project's folder: ``python -m tests.tui.draw_screenshots``.
The demo is told at a fixed time, so that a picture changes only when the screen does.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.support import START
from tests.tui.playing import calm, press
from tfmem_tui.core.level import Level
from tfmem_tui.demo import demo_store
from tfmem_tui.tui.app import TfmemApp

FOLDER = Path(__file__).parents[2] / "screenshots"
WIDE, SMALL = (120, 36), (80, 24)
SAVE = [
    *("tab", "ctrl+u", *"harbour-bell", "tab", *"It rings at noon", "tab", *"harbour"),
    *("tab", *'{"classification": "PUBLIC"}', "enter"),
]

PICTURES: dict[str, tuple[tuple[int, int], Level, list[str]]] = {
    "memories-120x36": (WIDE, Level.CONFIDENTIAL, ["slash", *"user", "enter", "escape"]),
    "memories-80x24": (SMALL, Level.INTERNAL, ["j"]),
    "search": (WIDE, Level.INTERNAL, ["slash", *"ticket mach"]),
    "marks": (WIDE, Level.INTERNAL, ["f", *"project", "enter", "space", "space", "d"]),
    "filter": (WIDE, Level.CONFIDENTIAL, ["f"]),
    "edit": (WIDE, Level.INTERNAL, ["slash", *"deploy-window", "enter", "e"]),
    "inspector": (WIDE, Level.CONFIDENTIAL, ["slash", *"user-name", "enter", "enter"]),
    "diff": (WIDE, Level.CONFIDENTIAL, ["slash", *"user-name", "enter", "enter", "j", "space", "g", "j", "v"]),
    "audit": (WIDE, Level.RESTRICTED, ["a", "c"]),
    "audit-events": (WIDE, Level.RESTRICTED, ["a", "tab", "f", *"outcome:forced", "enter"]),
    "audit-pictures": (WIDE, Level.RESTRICTED, ["a", "tab", "tab"]),
    "simulator": (WIDE, Level.INTERNAL, ["s", *SAVE, "escape"]),
    "compare": (WIDE, Level.RESTRICTED, ["s", "j", "tab", "ctrl+u", *"user-name", "escape", "c"]),
    "sessions": (WIDE, Level.CONFIDENTIAL, ["t"]),
    "command": (WIDE, Level.INTERNAL, ["colon", *"fi"]),
    "help": (WIDE, Level.INTERNAL, ["question_mark"]),
}
THEMED = {"high-contrast": "high-contrast", "colour-blind": "colour-blind", "light": "light"}


async def draw(name: str, size: tuple[int, int], level: Level, keys: list[str], theme: str = "dark") -> None:
    """Draws one picture."""
    store = demo_store(clock=lambda: START, user="operator")
    app = TfmemApp(lambda: store, agent="demo", level=level, now=lambda: START, timings=False, theme=theme)
    async with app.run_test(size=size) as pilot:
        await calm(pilot)
        for key in keys:
            await press(pilot, key)
        app.clear_notifications()
        await pilot.pause()
        (FOLDER / f"{name}.svg").write_text(app.export_screenshot(title="tfmem"), "utf-8")


def main() -> None:
    """Draws them all."""
    for name, (size, level, keys) in PICTURES.items():
        asyncio.run(draw(name, size, level, keys))
    for name, theme in THEMED.items():
        asyncio.run(draw(name, WIDE, Level.RESTRICTED, ["j"], theme))


if __name__ == "__main__":
    main()
