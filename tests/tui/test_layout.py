"""Layouts: side by side where wide, one pane at a time where narrow; the cursor stays over a resize."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from tests.tui.playing import app_over, calm, layered_store, press, screen_lines
from tfmem_tui.core.level import Level
from tfmem_tui.tui.widgets.detail import DetailPane
from tfmem_tui.tui.widgets.memory_table import MemoryTable


async def test_tab_goes_from_pane_to_pane_and_never_into_the_search_field() -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "tab")
        assert isinstance(app.focused, DetailPane)
        await press(pilot, "tab")
        assert isinstance(app.focused, MemoryTable)


@pytest.mark.parametrize("key", ["tab", "z"])
async def test_a_narrow_screen_shows_one_pane_at_a_time(key: str) -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(80, 24)) as pilot:
        await calm(pilot)
        assert app.query_one(MemoryTable).region
        assert not app.query_one("#memory-detail").region
        await press(pilot, key)
        assert not app.query_one(MemoryTable).region
        assert app.query_one("#memory-detail").region
        assert not isinstance(app.focused, Input)
        await press(pilot, "escape")
        assert isinstance(app.focused, MemoryTable)
        assert app.query_one(MemoryTable).region


async def test_zoom_gives_the_focused_pane_all_the_room_and_takes_it_back() -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "tab", "z")
        assert app.query_one("#memory-detail").region.width > 100
        await press(pilot, "z")
        assert app.query_one("#memory-detail").region.width < 60
        assert app.query_one(MemoryTable).region


async def test_a_resize_keeps_the_cursor_on_the_same_memory() -> None:
    app = app_over(layered_store(), Level.RESTRICTED)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "j", "j")
        key = app.main.view.selected_key()
        for size in ((80, 24), (60, 18), (120, 36)):
            await pilot.resize_terminal(*size)
            await calm(pilot)

            assert app.main.view.selected_key() == key
            assert any(key is not None and key[:6] in line for line in screen_lines(app))


async def test_a_window_that_is_too_small_keeps_the_banner_and_asks_for_room() -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(59, 18)) as pilot:
        await calm(pilot)
        lines = screen_lines(app)

        assert "◔ INTERNAL" in lines[0]
        assert "60 columns and 18 rows" in " ".join(lines)


async def test_q_goes_back_and_at_the_top_quits() -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "a", "q")
        assert app.main.view.id == "memories"
        await pilot.press("q")
        await pilot.pause()
    assert app.return_value == 0


async def test_the_brackets_walk_the_views() -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "a", "s", "left_square_bracket")
        assert app.main.view.id == "audit"
        await press(pilot, "left_square_bracket")
        assert app.main.view.id == "memories"
        await press(pilot, "right_square_bracket", "right_square_bracket")
        assert app.main.view.id == "simulator"
