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
    "inspector": (WIDE, Level.CONFIDENTIAL, ["slash", *"user-name", "enter", "enter"]),
    "audit": (WIDE, Level.RESTRICTED, ["a", "c"]),
    "simulator": (WIDE, Level.INTERNAL, ["s", *SAVE, "escape"]),
    "sessions": (WIDE, Level.CONFIDENTIAL, ["t"]),
}


async def draw(name: str, size: tuple[int, int], level: Level, keys: list[str]) -> None:
    """Draws one picture."""
    store = demo_store(clock=lambda: START, user="operator")
    app = TfmemApp(lambda: store, agent="demo", level=level, now=lambda: START, timings=False)
    async with app.run_test(size=size) as pilot:
        await calm(pilot)
        for key in keys:
            await press(pilot, key)
        (FOLDER / f"{name}.svg").write_text(app.export_screenshot(title="tfmem"), "utf-8")


def main() -> None:
    """Draws them all."""
    for name, (size, level, keys) in PICTURES.items():
        asyncio.run(draw(name, size, level, keys))


if __name__ == "__main__":
    main()
