"""A question finds its fact: a test for each kind of query, in any script, and the order of what is found."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.bench.quality import any_word_bm25, decoys, facts, figures, ours, ranks
from tests.support import HandClock, fresh_store, session_at
from tfmem_tui.core.level import Level
from tfmem_tui.core.memory import MemoryRepository
from tfmem_tui.core.query import highlights, parse


def memory_of(*contents: str, tags: Sequence[str] = ()) -> MemoryRepository:
    """Memories k0, k1, … with these contents, each a second younger than the one before."""
    clock = HandClock()
    memories = session_at(fresh_store(clock), Level.PUBLIC)
    for number, content in enumerate(contents):
        clock.tick()
        memories.save(f"k{number}", content, list(tags))
    return memories


def found(memories: MemoryRepository, asked: str) -> list[str]:
    return [one.key for one in memories.search(asked, 20).memories]


def looked(memories: MemoryRepository, typed: str) -> list[str]:
    """What a person finds, with operators."""
    places = memories.find(typed)
    return [one.key for one in memories.rows(places, 0, 20)]


@pytest.mark.parametrize(
    ("content", "asked"),
    [
        ("Mara's sister lives in Bergen", "where does mara live"),
        ("The sisters’ house", "sister"),
        ("Ships, boats; ferries!", "ferry?"),
        ("He deployed twice", "deploying"),
        ("Two boxes of apples", "box apple"),
        ("Room 42 on floor 7", "42"),
        ("Born on 1988-04-17", "1988-04-17"),
        ("Due 17.04.2026", "17.04.2026"),
        ("Write to mara.quill@north.example", "mara.quill@north.example"),
        ("Write to mara.quill@north.example", "quill"),
        ("See /var/log/app.log", "/var/log/app.log"),
        ("See C:\\Users\\mara\\notes.txt", "C:\\Users\\mara\\notes.txt"),
        ("getUserName is slow", "get_user_name"),
        ("get_user_name is slow", "get-user-name"),
        ("get-user-name is slow", "get.user.name"),
        ("get.user.name is slow", "getUserName"),
        ("HTTPServerError", "http server error"),
        ("needs Python 3.11", "3.11"),
        ("see POL-358", "POL-358"),
        ("今日は成語しりとりをした", "しりとり"),
        ("東京への出張", "東京"),
        ("重跑gen-itgc后", "itgc"),
        ("our 🐟 Finn", "🐟"),
        ("อาหารโปรดคือต้มยำกุ้ง", "ต้มยำกุ้ง"),
        ("Café Naïve", "cafe naive"),
        ("cafe naive", "CAFÉ"),
        ("ＡＢＣ Corp", "abc"),
        ("abc corp", "ＡＢＣ"),
        ("Пароль от сейфа у Ёлкиной", "ПАРОЛЬ елкиной"),
        ("Το πλοίο φεύγει", "ΠΛΟΙΟ"),
        ("موعد الرِّحْلَة", "الرحلة"),
        ("Straße zum Hafen", "strasse"),
        ("kumain ng sinigang", "sinigang"),
    ],
)
def test_a_question_of_this_kind_finds_its_fact(content: str, asked: str) -> None:
    assert "k0" in found(memory_of(content, "something else altogether"), asked)


def test_more_of_the_words_come_first_and_a_frequent_word_does_not_drown_a_rare_one() -> None:
    filler = [f"the harbour report of day {number}" for number in range(40)]
    memories = memory_of(*filler, "the walrus sleeps", "the harbour walrus sleeps")
    assert found(memories, "harbour walrus")[:2] == ["k41", "k40"]


def test_key_and_tags_count_more_than_content() -> None:
    clock = HandClock()
    memories = session_at(fresh_store(clock), Level.PUBLIC)
    memories.save("parking", "on quay two")
    memories.save("a", "on quay two", ["parking"])
    clock.tick()
    memories.save("b", "on quay two, parking")
    assert found(memories, "parking")[-1] == "b"


def test_nearness_breaks_a_tie_and_then_newness() -> None:
    memories = memory_of(
        "red sails over a calm sea and then a boat",
        "red boat with sails over a calm sea and then",
        "sails over a calm sea and then a boat is red",
    )
    assert found(memories, "red boat")[0] == "k1"
    same = memory_of("red boat", "red boat", "red boat")
    assert found(same, "red boat") == ["k2", "k1", "k0"]


def test_quoted_words_are_a_phrase_for_a_model_too() -> None:
    memories = memory_of("red boat", "boat that is red")
    assert found(memories, '"red boat"') == ["k0"]
    assert set(found(memories, "red boat")) == {"k0", "k1"}


def test_a_person_leaves_words_out_and_narrows_by_tag_and_key() -> None:
    clock = HandClock()
    memories = session_at(fresh_store(clock), Level.PUBLIC)
    for key, content, tags in (
        ("boat-red", "a red boat", ["sea", "to sell"]),
        ("boat-blue", "a blue boat", ["sea"]),
        ("car-red", "a red car", ["land"]),
    ):
        clock.tick()
        memories.save(key, content, tags)
    assert looked(memories, "red -car") == ["boat-red"]
    assert looked(memories, 'a boat -"red boat"') == ["boat-blue"]
    assert looked(memories, "red tag:sea") == ["boat-red"]
    assert looked(memories, "red -tag:sea") == ["car-red"]
    assert looked(memories, 'tag:"to sell"') == ["boat-red"]
    assert looked(memories, "tag:sea") == ["boat-blue", "boat-red"]
    assert looked(memories, "key:boat") == ["boat-blue", "boat-red"]
    assert looked(memories, "red key:boat") == ["boat-red"]
    assert looked(memories, "red -key:boat") == ["car-red"]
    assert looked(memories, "-red") == ["boat-blue"]
    assert looked(memories, "TAG:sea -key:red") == ["boat-blue"]


@pytest.mark.parametrize(
    "typed", ["-", "--", "a - b", "tag:", "key:", '-"', 'tag:"x', "-tag:", "- -", '""', "tag:- x", ":"]
)
def test_half_an_operator_fails_nobody(typed: str) -> None:
    memories = memory_of("a b x", "c")
    looked(memories, typed)
    assert "k0" in looked(memories, f"{typed} x")


def test_to_a_model_an_operator_is_a_plain_word() -> None:
    memories = memory_of("the tag sea", "red car", "blue")
    assert "k1" in found(memories, "red -car")
    assert found(memories, "tag:sea") == ["k0"]


def test_a_tag_or_word_left_out_is_seen_after_shadowing() -> None:
    store = fresh_store()
    session_at(store, Level.PUBLIC).save("plan", "old harbour", ["draft"])
    above = session_at(store, Level.INTERNAL)
    above.save("plan", "new quay", ["final"])
    assert looked(above, "-harbour") == ["plan"]
    assert looked(above, "-tag:draft") == ["plan"]
    assert looked(above, "-quay") == []
    assert looked(above, "tag:draft") == []


def test_highlights_fall_on_what_was_looked_for_and_not_on_what_was_left_out() -> None:
    text = "The Café at the quay, no CAR"
    spans = highlights(text, parse("cafe -car tag:quay", operators=True))
    assert [text[start:end] for start, end in spans] == ["Café"]
    wide = "東京のカフェ"
    assert [wide[start:end] for start, end in highlights(wide, parse("東京"))] == ["東京"]


def test_the_labelled_questions_are_answered_better_than_by_any_word_bm25() -> None:
    known = facts()
    everything = [*decoys(known), *known]
    mine, theirs = (figures(list(ranks(make(everything), known).values())) for make in (ours, any_word_bm25))
    assert sum(len(fact.questions) for fact in known) >= 200
    assert mine[0] > theirs[0]
    assert mine[1] >= 0.98
    assert mine[2] > theirs[2]
