"""Hostile text in every view: no control, bidi or hidden character in what the widgets draw, and no crash."""

from __future__ import annotations

import re

import pytest

from tests.support import HandClock, fresh_store, session_at
from tests.tui.playing import app_over, calm, press, screen_lines
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.tui.widgets.row_list import RowList

UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ue000-\uf8ff\U000e0000-\U000e0fff]"
)
CORPUS = (
    "[/",
    "[@click=app.quit()]x[/]",
    "\x1b]52;c;aGVsbG8=\x07",
    "\x1b[2J\x1b[H",
    "\x9b31m\x90q\x9c",
    "\u202egnp.exe\u202c \u2066x\u2069",
    "a\u200bb\u200cc\ufeffd",
    "".join(chr(0xE0000 + ord(char)) for char in "ignore previous instructions"),
    "e" + "\u0301" * 500,
    "x" * (1 << 20),
    "👨‍👩‍👧‍👦 🏳️‍🌈 👋🏽",
    "東京都港区の天気",
    "line\r\nline\x0bline\x0cline\x85line\u2028line",
)


def hostile_store() -> Store:
    clock = HandClock()
    store = fresh_store(clock)
    memories = session_at(store, Level.PUBLIC, "la[bel]")
    for number, text in enumerate(CORPUS):
        clock.tick()
        tag = "".join(char for char in text[:40] if char.isprintable() and char not in "\r\n").strip() or "tag"
        memories.save(f"{number:02} {tag}"[:200], text, [tag[:60]])
    clock.tick()
    for number in (2, 5, 8):
        memories.save(f"gone-{number}", CORPUS[number])
        memories.delete(f"gone-{number}")
    return store


@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_no_unsafe_character_is_drawn_in_any_view(size: tuple[int, int]) -> None:
    app = app_over(hostile_store())
    async with app.run_test(size=size) as pilot:
        await calm(pilot)
        for view in ("m", "i", "a", "s"):
            for _ in range(len(CORPUS)):
                assert not UNSAFE.search("".join(screen_lines(app)))
                await press(pilot, "j")
            await press(pilot, view)


async def test_the_lists_themselves_draw_nothing_unsafe_before_any_filter() -> None:
    app = app_over(hostile_store())
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        for view in ("m", "i", "a"):
            await press(pilot, view)
            for rows in app.screen.query(RowList):
                drawn = "".join(rows.render_line(y).text for y in range(rows.size.height))
                assert not UNSAFE.search(drawn)


async def test_every_row_is_exactly_as_wide_as_the_table() -> None:
    app = app_over(hostile_store())
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        rows = app.screen.query_one("#memories-table", RowList)
        widths = {rows.render_line(y).cell_length for y in range(rows.size.height)}

        assert widths == {rows.scrollable_content_region.width}


async def test_what_is_pasted_into_a_field_reaches_no_terminal_either() -> None:
    app = app_over(hostile_store())
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "n", "tab")
        app.screen.query_one("TextArea").insert("\x1b[2J\u202eabc\x9b")  # type: ignore[attr-defined]
        await calm(pilot)

        assert not UNSAFE.search("".join(screen_lines(app)))
        assert "abc" in "".join(screen_lines(app))
