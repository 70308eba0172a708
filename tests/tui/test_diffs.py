"""Word diffs: nothing is lost on either side, and nothing in a text is obeyed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tfmem_tui.tui.diffs import compare, sides, summary, unified
from tfmem_tui.tui.readable import readable

TEXTS = st.text(alphabet=st.sampled_from("ab .\n\t[]{}+-é東\x1b\u202e"), max_size=40)


@given(TEXTS, TEXTS)
def test_the_pieces_give_both_texts_back(before: str, after: str) -> None:
    pieces = compare(before, after)

    assert "".join(piece.text for piece in pieces if piece.kind != "new") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == after
    assert (summary(pieces) == "the same text") == (before == after)


@given(TEXTS, TEXTS)
def test_what_is_shown_holds_nothing_a_terminal_obeys(before: str, after: str) -> None:
    pieces = compare(before, after)
    shown = [unified(pieces).plain, *(side.plain for side in sides(pieces))]

    assert all(char.isprintable() or char == "\n" for text in shown for char in text)


def test_words_are_compared_and_marked_by_signs_as_well_as_colours() -> None:
    pieces = compare("Tuesdays 14:00", "Tuesdays 14:00 UTC, freeze")

    assert unified(pieces).plain == "Tuesdays 14:00{+ UTC, freeze+}"
    assert [side.plain for side in sides(compare("a quay", "a pier"))] == ["a [-quay-]", "a {+pier+}"]
    assert summary(pieces) == "words gone: 0, new: 2"


def test_long_texts_are_compared_by_lines_and_in_time() -> None:
    before = "\n".join(f"line {number} of the log" for number in range(2000))

    assert unified(compare(before, before.replace("line 700 ", "line 7000 "))).plain.count("{+") == 1


def test_json_is_laid_out_and_markdown_is_styled_without_changing_a_letter() -> None:
    laid_out = readable('{"a":[1,2.50e3],"b":"x"}')
    assert laid_out is None  # 2.50e3 would be written otherwise
    laid_out = readable('{"a":[1,2.5],"b":"[/] \\u001b"}')
    assert laid_out is not None
    assert laid_out.plain.split() == ["{", '"a":', "[", "1,", "2.5", "],", '"b":', '"[/]', '\\u001b"', "}"]
    text = "# Title\n\n- **one** `two` [three](javascript:x)\n> said\n```\n[@click=app.quit()]x[/]\n```"
    styled = readable(text)
    assert styled is not None
    assert styled.plain == text
    assert readable("just a sentence with a * star") is None
    assert readable('{"a": 1, "a": 2}') is None  # laying it out would lose one
    assert readable("[" * 5000) is None
