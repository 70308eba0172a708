"""What is typed, run against a real FTS5 table that was filled through the analyser."""

from __future__ import annotations

import sqlite3
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfmem_tui.core.analysis import index_text, terms, words
from tfmem_tui.core.query import MAX_TERMS, MAX_TYPED, SearchQuery, Term, highlights, parse


class Shelf:
    """Texts in an index, found by what is typed; best is what most and longest terms match."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts
        self.db = sqlite3.connect(":memory:")
        self.db.execute(
            "CREATE VIRTUAL TABLE f USING fts5(content, content='', "
            "tokenize='porter unicode61 remove_diacritics 2', prefix='2')"
        )
        rows = ((number, index_text(text)) for number, text in enumerate(texts))
        self.db.executemany("INSERT INTO f (rowid, content) VALUES (?, ?)", rows)

    def holding(self, term: Term) -> set[str]:
        rows = self.db.execute("SELECT rowid FROM f WHERE f MATCH ?", (term.fts(),))
        return {self.texts[row[0]] for row in rows}

    def find(self, typed: str, *, typing: bool = False) -> set[str]:
        found: set[str] = set()
        for term in parse(typed, prefix_last=typing).terms:
            found |= self.holding(term)
        return found

    def best(self, typed: str) -> str:
        def score(text: str) -> float:
            held = terms(text)
            return sum(
                min(term.matches(held), 1) * (0.5 if term.part else len(term.words)) for term in parse(typed).terms
            )

        return max(self.texts, key=score)


NOTES = (
    "The user's name is Alice",
    "Project deadline: Friday",
    "deadline of another project",
    "Alice writes C++ and hates C",
    "Mail goes to a@b.c only",
    "Meet on 14/03 at noon",
    "this AND that",
    "the foo of all foos",
    "set key:value in the file",
    "the aquarium holds a 🐟",
    "明日は東京の天気を見る",
    "京東 is a shop",
    "Pat O'Brien called",
    "DROP the table reservation",
    "a level-headed person",
)
SHELF = Shelf(*NOTES)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("what's the user's name?", "The user's name is Alice"),
        ("what’s the user’s name?", "The user's name is Alice"),
        ("project-deadline", "Project deadline: Friday"),
        ("c++", "Alice writes C++ and hates C"),
        ("cplusplus", "Alice writes C++ and hates C"),
        ("a@b.c", "Mail goes to a@b.c only"),
        ("14/03", "Meet on 14/03 at noon"),
        ("foo*", "the foo of all foos"),
        ("key:value", "set key:value in the file"),
        ("🐟", "the aquarium holds a 🐟"),
        ("東京", "明日は東京の天気を見る"),
        ("O'Brien; DROP", "Pat O'Brien called"),
        ("NEAR(project deadline, 5)", "Project deadline: Friday"),
        ("content:deadline -project ^friday", "Project deadline: Friday"),
    ],
)
def test_everyday_queries_find_first_what_a_person_expects(typed: str, expected: str) -> None:
    assert expected in SHELF.find(typed)
    assert SHELF.best(typed) == expected


def test_a_query_of_nothing_but_stop_words_looks_for_them() -> None:
    assert SHELF.find("AND") == {"this AND that", "Alice writes C++ and hates C"}
    assert [term.words for term in parse("to be").terms] == [("to",), ("be",)]


def test_stop_words_are_dropped_where_other_words_remain() -> None:
    assert [term.words for term in parse("what's the user's name?").terms] == [("user",), ("name",)]
    assert [term.words for term in parse("don't panic").terms] == [("panic",)]
    assert [term.words for term in parse("to-do list").terms] == [("to", "do"), ("list",)]


@pytest.mark.parametrize(
    "typed", ["", " ", '"', '""', "*", "^", "()", "'", "\0", "\ud800", "\u200b", "''\"\"", "-", "::"]
)
def test_what_holds_no_word_matches_nothing(typed: str) -> None:
    assert parse(typed) == SearchQuery()
    assert highlights("any text", parse(typed)) == []


def test_a_compound_is_a_phrase_and_its_words_are_parts() -> None:
    phrase, *parts = parse("project-deadline").terms
    assert (phrase.words, phrase.stems, phrase.part) == (("project", "deadline"), ("project", "deadlin"), False)
    assert [(term.words, term.part) for term in parts] == [(("project",), True), (("deadline",), True)]
    assert phrase.fts() == '"project deadline"'


def test_a_quotation_is_one_exact_phrase() -> None:
    (term,) = parse('"project deadline"').terms
    assert (term.words, term.exact) == (("project", "deadline"), True)
    assert SHELF.find('"project deadline"') == {"Project deadline: Friday"}
    assert SHELF.find("“to be or not”") == set()
    assert parse("“project deadline”") == parse('"project deadline"')


def test_a_stray_quotation_mark_is_nothing() -> None:
    assert parse('say "hello you') == parse("say hello you")
    assert [term.words for term in parse('the 5" pipe and 3" tube').terms] == [("5",), ("pipe",), ("3",), ("tube",)]


def test_two_han_characters_are_one_phrase_in_that_order() -> None:
    assert [term.words for term in parse("東京").terms] == [("東", "京")]
    assert SHELF.find("東京") == {"明日は東京の天気を見る"}


def test_a_longer_run_finds_what_shares_two_neighbours_with_it() -> None:
    shelf = Shelf("東京に住む", "天気予報", "京")
    assert shelf.find("東京の天気") == {"東京に住む", "天気予報"}
    assert parse("東京の天気").terms[0].words == ("東", "京", "の", "天", "気")
    assert all(term.part for term in parse("東京の天気").terms[1:])


def test_single_members_of_a_family_are_found_but_no_half_of_a_flag() -> None:
    shelf = Shelf("👨‍👩‍👧 at home", "👧🏽 plays", "🇩🇪 team", "🇪🇩")
    assert shelf.find("👧") == {"👨‍👩‍👧 at home", "👧🏽 plays"}
    assert shelf.find("👨‍👩‍👧") == {"👨‍👩‍👧 at home", "👧🏽 plays"}
    assert shelf.find("🇩🇪") == {"🇩🇪 team"}


@pytest.mark.parametrize("typed", ["GitHub", "github", "hub", "git"])
def test_a_name_in_humps_is_found_whole_and_by_its_parts(typed: str) -> None:
    assert "pushed to GitHub" in Shelf("pushed to GitHub").find(typed)


def test_a_name_in_humps_finds_the_same_name_without() -> None:
    assert Shelf("pushed to github").find("GitHub") == {"pushed to github"}


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("d", "deadline"),
        ("dep", "deployment"),
        ("deploym", "deployment"),
        ("deploymen", "two deployments"),
        ("deployed", "we deploy"),
        ("runnin", "she runs"),
        ("runn", "running"),
        ("play", "player"),
        ("memor", "memories"),
        ("memory", "memories"),
        ("organiz", "the organization"),
        ("organizati", "the organization"),
        ("happines", "happy and happiness"),
        ("universi", "university"),
        ("relationa", "relational"),
        ("usefu", "useful"),
        ("project-dea", "project deadline"),
        ("the deadl", "deadline"),
        ("getUserNa", "getUserName"),
        ("東", "東京"),
        ("हिन्", "हिन्दी"),
        ("caf", "Café"),
    ],
)
def test_a_word_that_is_being_typed_finds_what_it_may_become(typed: str, text: str) -> None:
    assert Shelf(text).find(typed, typing=True) == {text}


WORDS = (
    *("deployment", "running", "organization", "happiness", "universities", "relational", "usefulness", "memories"),
    *("player", "believable", "studies", "connection", "conditional", "generalizations", "opportunity", "stopped"),
    *("hoping", "caresses", "agreed", "probability", "sensitivity", "decisive", "friendly", "skies", "dying"),
    *("controller", "adjustment", "irresistible", "vietnamization", "formalize", "electricity", "analogously"),
)


@pytest.mark.parametrize("word", WORDS)
def test_each_beginning_of_a_word_finds_it_while_it_is_typed(word: str) -> None:
    shelf = Shelf(word)
    missed = [word[:length] for length in range(1, len(word) + 1) if not shelf.find(word[:length], typing=True)]
    assert missed == []


def test_white_space_or_a_sign_ends_the_word_that_is_being_typed() -> None:
    for typed in ("dead ", "dead.", '"dead"', "🐟", "❤️", "👍🏽", "C++"):
        assert not any(term.prefix for term in parse(typed, prefix_last=True).terms)
    assert parse("dead", prefix_last=True).terms[0].prefix
    assert not parse("dead").terms[0].prefix


def test_a_short_beginning_is_not_stemmed_into_a_shorter_one() -> None:
    assert Shelf("newton", "news", "new").find("news", typing=True) == {"news", "new"}  # "new" is the stem of "news"


def test_equal_words_count_once_and_what_stood_alone_is_no_part() -> None:
    assert [term.words for term in parse("cat Cat cats dog").terms] == [("cat",), ("dog",)]
    assert [(term.words, term.part) for term in parse("cat-dog cat").terms if term.words == ("cat",)] == [
        (("cat",), False)
    ]


def test_no_more_than_the_first_sixty_four_terms_are_kept() -> None:
    found = parse(" ".join(f"w{number}" for number in range(500))).terms
    assert [term.words for term in found] == [(f"w{number}",) for number in range(MAX_TERMS)]


def test_what_is_typed_is_looked_at_up_to_a_bound() -> None:
    assert parse("the " * (MAX_TYPED // 4 - 1) + "cat dog").terms == parse("cat").terms


def test_matches_counts_words_phrases_and_beginnings() -> None:
    held = terms("the cat sat; cats sit, the cat naps. caterpillar cat-nap")
    word, phrase = parse("cat").terms[0], parse("cat-naps").terms[0]
    assert word.matches(held) == 4
    assert phrase.matches(held) == 2
    assert parse("cat", prefix_last=True).terms[0].matches(held) == 5
    assert parse("the-ca", prefix_last=True).terms[0].matches(held) == 2


ANYTHING = st.one_of(
    st.text(st.characters(), max_size=50),
    st.text(st.characters(categories=("Cs", "Lu", "Cc", "Po")), max_size=20),
    st.lists(
        st.sampled_from(
            (
                *('"', "“", "”", " ", "AND", "OR", "NOT", "NEAR(", ")", "*", "^", ":", "-", "+", "{", "\0", "\ud800"),
                *("a", "東", "c++", "the", "ก์", "👩\u200d", "🇩", "\u0301", "क्", "content:", "É", "'s", "\uffff", "gN"),
            )
        ),
        max_size=20,
    ).map("".join),
)


@given(ANYTHING, st.booleans())
def test_whatever_is_typed_fts5_takes_it(typed: str, typing: bool) -> None:
    query = parse(typed, prefix_last=typing)
    assert len(query.terms) <= MAX_TERMS
    for term in query.terms:
        SHELF.holding(term)
    if query.terms:
        every = " OR ".join(term.fts() for term in query.terms)
        SHELF.db.execute("SELECT rowid FROM f WHERE f MATCH ?", (every,)).fetchall()
        every = " AND ".join(term.fts() for term in query.terms)
        SHELF.db.execute("SELECT rowid FROM f WHERE f MATCH ?", (every,)).fetchall()


# As the store takes it: no lone surrogates, no NUL (a query drops both).
CLEAN = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=12)


@given(CLEAN, CLEAN, CLEAN)
def test_a_text_is_found_by_each_of_its_chunks_whatever_the_script(before: str, wanted: str, after: str) -> None:
    text = f"{before} {wanted} {after}"
    found = parse(wanted.replace('"', " ").replace("“", " "))
    assert bool(found.terms) == bool(words(wanted.replace('"', " ").replace("“", " ")))
    if found.terms and not any(sign in text for sign in '"“'):
        assert Shelf(text).holding(found.terms[0]) == {text}
        assert highlights(text, found)


@given(ANYTHING, st.lists(st.text(max_size=40), min_size=1, max_size=4), st.booleans())
def test_matches_and_fts5_agree_on_what_holds_a_term(typed: str, texts: list[str], typing: bool) -> None:
    shelf = Shelf(*texts)
    for term in parse(f"{texts[0]} {typed}", prefix_last=typing).terms[:8]:
        assert {text for text in texts if term.matches(terms(text))} == shelf.holding(term)


def test_highlights_are_the_places_in_the_text_as_it_was_stored() -> None:
    text = "I use GitHub; 明日は東京の天気 in 2 cafe\u0301s, 👩🏽‍👧 RUNNING"
    spans = highlights(text, parse("hub 東京 café 👧 runs"))
    assert [text[start:end] for start, end in spans] == ["Hub", "東京", "cafe\u0301s", "👩🏽‍👧", "RUNNING"]


def test_a_phrase_is_highlighted_from_its_first_word_to_its_last() -> None:
    text = "the project-deadline, C++ or user’s"
    spans = highlights(text, parse('"project deadline" c++ user'))
    assert [text[start:end] for start, end in spans] == ["project-deadline", "C++", "user"]


def test_a_beginning_highlights_the_whole_word() -> None:
    text = "connections were connected"
    assert highlights(text, parse("connecti", prefix_last=True)) == [(0, 11), (17, 26)]


@given(st.one_of(ANYTHING, st.text(max_size=60)), ANYTHING, st.booleans())
def test_highlights_lie_apart_within_the_text_and_part_no_sign(text: str, typed: str, typing: bool) -> None:
    spans = highlights(text, parse(f"{text} {typed}", prefix_last=typing))
    position = -1
    for start, end in spans:
        assert position < start < end <= len(text)
        position = end
        for edge in (start, end):
            if 0 < edge < len(text):
                assert unicodedata.category(text[edge])[0] != "M"
                assert text[edge - 1] != "\u200d"


@pytest.mark.parametrize(
    "unit", ["a", "a ", '"', "“", '" a', "👩\u200d👧\u200d", "東", "the ", "a\u0301\u0323", "aB", "c++ "]
)
def test_a_mebibyte_typed_or_highlighted_does_not_hang(unit: str) -> None:
    text = unit * ((1 << 20) // len(unit.encode()))
    started = time.process_time()
    parse(text, prefix_last=True)
    highlights(text, parse("👩 a b 東 c++ the"))
    assert time.process_time() - started < 30
