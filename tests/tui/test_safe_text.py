"""Safe text: what may not reach a terminal is shown as a visible sign, in cells that add up."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tfmem_tui.tui import safe_text
from tfmem_tui.tui.safe_text import Run

FORBIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0d\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\ue000-\uf8ff\U000e0000-\U000e0fff]"
)
HOSTILE = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("\x1b\x07\x9b\u202e\u200d\u200b\ufe0f\u0301\u20dd\u1160\U000e0041👩👧🏽a字\n\t "),
    ),
    max_size=200,
)


def shown(text: str, cells: int = 80) -> str:
    return safe_text.line(text, cells).plain


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("\x1b[2J", "␛[2J"),
        ("\x07", "␇"),
        ("\x00", "␀"),
        ("\x7f", "␡"),
        ("\x9b31m", "‹9b›31m"),
        ("a\nb", "a⏎b"),
        ("a\r\nb", "a␍⏎b"),
        ("a\tb", "a⇥b"),
        ("\u202egnp.exe", "‹U+202E›gnp.exe"),
        ("a\u200bb", "a‹U+200B›b"),
        ("a\u200db", "a‹U+200D›b"),
        ("\U000e0041", "‹U+E0041›"),
        ("a\ufe01", "a‹U+FE01›"),
        ("\ue000", "‹U+E000›"),
        ("\u0378", "‹U+0378›"),
        ("\ud800", "‹U+D800›"),
        ("\u2028", "‹U+2028›"),
        ("\u3164", "‹U+3164›"),
        ("\u0301", "◌\u0301"),
        ("a\xa0b", "a b"),
    ],
)
def test_what_a_terminal_would_obey_or_nobody_would_see_is_shown_as_a_sign(text: str, sign: str) -> None:
    assert shown(text) == sign


@pytest.mark.parametrize("text", ["[/]", "[@click=app.quit()]x[/]", "[bold red]x", "\\[x", "$error"])
def test_markup_is_shown_as_it_is_written(text: str) -> None:
    content = safe_text.line(text, 80)

    assert content.plain == text
    assert content.spans == []


@pytest.mark.parametrize("text", ["東京", "Zürich", "שלום", "e\u0301", "👨‍👩‍👧‍👦", "🏳️‍🌈", "👋🏽", "❤️"])
def test_writing_of_every_kind_is_shown_as_itself(text: str) -> None:
    assert shown(text) == text


def test_a_flood_of_marks_is_cut_with_a_sign() -> None:
    assert shown("e" + "\u0301" * 1000, 40) == "e" + "\u0301" * 4 + "‹+379 marks›" + "…"


def test_a_flood_of_joined_emoji_is_broken_up() -> None:
    text = "\u200d".join("👩" * 12)

    assert "‹U+200D›" in shown(text, 200)


def test_a_line_is_cut_in_cells_and_not_in_characters() -> None:
    assert shown("東京都港区", 7) == "東京都…"


def test_one_mebibyte_on_one_line_is_cut_without_being_read() -> None:
    assert shown("\x1b" * (1 << 20), 10) == "␛" * 9 + "…"


def test_matches_are_marked_where_they_stand_in_the_text_as_given() -> None:
    assert safe_text.runs("a\x1bdeploy it", 80, [(2, 8)]) == [
        Run("a"),
        Run("␛", "escape"),
        Run("deploy", "match"),
        Run(" it"),
    ]


def test_a_block_keeps_lines_and_expands_tabs() -> None:
    assert safe_text.block("a\tb\nc\x1b").plain == "a   b\nc␛"


def test_a_block_says_how_much_it_leaves_out() -> None:
    assert safe_text.block("x" * 20_000).plain.endswith("\n… 4,000 more characters are not shown")


def test_a_block_of_too_many_lines_says_how_much_it_leaves_out() -> None:
    plain = safe_text.block("\n" * 5_000).plain

    assert plain.count("\n") == 1_000
    assert plain.endswith("… 4,001 more characters are not shown")


@given(HOSTILE, st.integers(1, 60))
def test_no_text_makes_a_line_too_wide_or_unsafe(text: str, cells: int) -> None:
    line = shown(text, cells)

    assert not FORBIDDEN.search(line)
    assert "\n" not in line
    assert cell_len(line) <= cells
    assert sum(cell_len(run.shown) for run in safe_text.runs(text, cells)) <= cells


@given(HOSTILE)
def test_no_text_makes_a_block_unsafe(text: str) -> None:
    plain = safe_text.block(text).plain

    assert not FORBIDDEN.search(plain)
    assert not any(unicodedata.category(char) in ("Cc", "Co", "Cs", "Cn") for char in plain if char != "\n")
