"""Pictures of every view, dialog and state at three sizes; run with ``--snapshot-update`` after a change.

In the default theme they are drawn; in ``NO_COLOR`` and ASCII they are kept as text, which a person can review.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.places import PLACES, SIZES
from tests.tui.playing import app_over, calm, layered_store, screen_lines
from tfmem_tui.core.level import Level
from tfmem_tui.tui.app import TfmemApp
from tfmem_tui.tui.themes import THEMES

Snapshot = Callable[..., bool]


def sized(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"


@pytest.mark.parametrize("size", SIZES, ids=sized)
@pytest.mark.parametrize("place", PLACES)
def test_the_picture_of(place: str, size: tuple[int, int], snap_compare: Snapshot, tmp_path: Path) -> None:
    app = PLACES[place].app(tmp_path)

    assert snap_compare(app, terminal_size=size, run_before=PLACES[place].go)


@pytest.mark.parametrize("place", PLACES)
async def test_without_colours(place: str, snapshot: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = PLACES[place].app(tmp_path)
    async with app.run_test(size=SIZES[0]) as pilot:
        await PLACES[place].go(pilot)
        for size in SIZES:
            await resized(pilot, size)

            assert hues(app) == set()
            assert "\n".join(screen_lines(app)) == snapshot(name=sized(size))


@pytest.mark.parametrize("place", PLACES)
async def test_in_ascii(place: str, snapshot: Any, tmp_path: Path) -> None:
    app = PLACES[place].app(tmp_path, ascii_only=True)
    async with app.run_test(size=SIZES[0]) as pilot:
        await PLACES[place].go(pilot)
        for size in SIZES:
            await resized(pilot, size)
            shown = "\n".join(filtered_lines(app))

            assert shown.isascii(), sorted({char for char in shown if not char.isascii()})
            assert shown == snapshot(name=sized(size))


async def resized(pilot: Pilot[Any], size: tuple[int, int]) -> None:
    """Changes the size of the window, as a person does while the screen is open, and waits until it is drawn."""
    await pilot.resize_terminal(*size)
    await pilot.pause(0.05)
    await pilot.pause()


def filtered_lines(app: TfmemApp) -> list[str]:
    """The lines as they leave through the app's filters."""
    from textual.color import Color

    lines = []
    for strip in app.screen._compositor.render_strips()[: app.size.height]:
        segments = list(strip)
        for one in app._filters:
            if one.enabled:
                segments = one.apply(segments, Color(0, 0, 0))
        lines.append("".join(segment.text for segment in segments))
    return lines


def hues(app: TfmemApp) -> set[str]:
    """Colours on the screen that are not grey, as they leave through the app's filters."""
    from textual.color import Color

    found = set()
    for strip in app.screen._compositor.render_strips()[: app.size.height]:
        segments = list(strip)
        for one in app._filters:
            if one.enabled:
                segments = one.apply(segments, Color(0, 0, 0))
        for segment in segments:
            for colour in (segment.style.color, segment.style.bgcolor) if segment.style else ():
                triplet = colour.get_truecolor() if colour is not None and not colour.is_default else None
                if triplet is not None and max(triplet) - min(triplet) > 2:
                    found.add(triplet.hex)
    return found


@pytest.mark.parametrize("theme", [one.name for one in THEMES if one.name != "dark"])
def test_the_picture_in_the_theme(theme: str, snap_compare: Snapshot) -> None:
    app = app_over(layered_store(), Level.RESTRICTED, theme=theme)

    assert snap_compare(app, terminal_size=(120, 36), run_before=calm)


@pytest.mark.parametrize("size", [(59, 24), (80, 17)], ids=["narrow", "flat"])
def test_the_picture_of_too_small_a_window(size: tuple[int, int], snap_compare: Snapshot) -> None:
    async def rest(pilot: Pilot[Any]) -> None:
        await calm(pilot)

    assert snap_compare(app_over(layered_store(), Level.INTERNAL), terminal_size=size, run_before=rest)
