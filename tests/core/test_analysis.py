"""What the analyser makes of text, and that Python and FTS5 agree on every term of it."""

from __future__ import annotations

import itertools
import sqlite3
import time
import unicodedata
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfmem_tui.core.analysis import index_text, terms, tokens, words
from tfmem_tui.core.porter import stem

ENDINGS = (
    "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize ational tional enci anci izer bli "
    "alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti "
    "ical ful ness ed ing eed y s es ies sses ly logi e ll i at bl iz"
)
BEGINNINGS = (
    "b tr st fly hopp run agree relat condition sky y yy toy play enjoy sens cons box fizz fall fil mill ceas prob "
    "rat control roll é naïv łód über æon ø x1 2 emo electr vis us adopt a ee oo sss xyz"
)
LANGUAGES = (
    "The café's owner, O'Brien, pays 14/03 in Zürich; naïve façades",
    "東京の天気は晴れです。 ﾊﾝｶｸ カタカナ がぎぐ",
    "서울에서 만나요 ㅋㅋㅋ",
    "ภาษาไทยไม่มีช่องว่าง กำลัง",
    "ສະບາຍດີ ຂອບໃຈ",
    "មេរៀនភាសាខ្មែរ",
    "မြန်မာဘာသာ",
    "हिन्दी में लिखा हुआ पाठ",
    "தமிழ் மொழி",
    "اَلْعَرَبِيَّة أحمد إبراهيم آدم كتـــاب ١٤",
    "می‌خواهم کتاب",
    "שָׁלוֹם עולם צה״ל",
    "Ёлка и йод, їжак, съешь ещё",
    "Ελλάδα, Αθήνας ΌΔΟΣ",
    "İstanbul ısırgan Łódź Tromsø Straße Đà Nẵng",
    "🐟 👩🏽‍💻 👨‍👩‍👧 🇩🇪 ❤️ → € ½ ™ №5 ①",
    "getUserName HTTPServer URLs C++ c# F# .NET user's user’s",
    "\U0001e900\U0001e922 \U00030000 \ue0b0 \U000f0001",
)


class Index:
    """A contentless FTS5 table made as the store makes its own."""

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:")
        self.db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        self.db.execute(
            "CREATE VIRTUAL TABLE f USING fts5(content, content='', "
            "tokenize='porter unicode61 remove_diacritics 2', prefix='2')"
        )
        self.db.execute("CREATE VIRTUAL TABLE v USING fts5vocab(f, 'instance')")

    def terms_of(self, texts: Iterable[str]) -> list[list[str]]:
        analysed = [index_text(text) for text in texts]
        self.db.execute("INSERT INTO f (f) VALUES ('delete-all')")
        self.db.executemany("INSERT INTO f (rowid, content) VALUES (?, ?)", enumerate(analysed))
        held: list[list[str]] = [[] for _ in analysed]
        for document, term in self.db.execute("SELECT doc, term FROM v ORDER BY doc, offset"):
            held[document].append(term)
        return held


INDEX = Index()


def test_stems_are_those_of_fts5_over_a_large_vocabulary() -> None:
    endings, beginnings = ["", *ENDINGS.split()], ["", *BEGINNINGS.split()]
    vocabulary = {a + b + c for a in beginnings for b in endings for c in endings} - {""}
    vocabulary |= {"".join(letters) for n in (1, 2, 3, 4) for letters in itertools.product("aeysdngl", repeat=n)}
    vocabulary |= {letter * n + ending for letter in "aé" for n in (61, 62, 63, 64, 65) for ending in ("", "s", "ed")}
    listed = sorted(vocabulary)
    assert len(listed) > 100_000
    expected = INDEX.terms_of(listed)
    assert [text for text, held in zip(listed, expected, strict=True) if held != terms(text)] == []


def _is_telling(cp: int) -> bool:
    """All but surrogates, and of the vast uniform blocks (Han, Hangul, private use, unassigned) a sample."""
    if 0xD800 <= cp < 0xE000:
        return False
    uniform = 0x3400 <= cp < 0xA000 or 0xAC00 <= cp < 0xF900 or cp >= 0x20000 or unicodedata.category(chr(cp)) == "Cn"
    return not uniform or cp % 61 == 0


@pytest.mark.parametrize("pattern", ["{}", "ab{}ing", "東{}の", "ก{}์ed"])
def test_every_character_of_unicode_gives_the_terms_that_fts5_holds(pattern: str) -> None:
    texts = [pattern.format(chr(cp)) for cp in range(0x110000) if _is_telling(cp)]
    expected = INDEX.terms_of(texts)
    assert [text for text, held in zip(texts, expected, strict=True) if held != terms(text)] == []


@pytest.mark.parametrize("text", LANGUAGES)
def test_terms_of_many_languages_are_those_of_fts5(text: str) -> None:
    assert terms(text) == INDEX.terms_of([text])[0]
    assert terms(text)


PIECES = st.sampled_from(
    (
        *(
            *" '’.+#-_\"\0\x01\n",
            "a",
            "B",
            "9",
            "é",
            "É",
            "e\u0301",
            "東",
            "が",
            "か\u3099",
            "ᄀ",
            "ᅡ",
            "ᆨ",
            "ก",
            "ำ",
            "์",
        ),
        *("\u200c", "\u200d", "\u00ad", "\ufe0f", "🏽", "👩", "🇩", "ب", "\u0650", "ि", "्", "क", "c++", "C#", ".NET"),
        *("\uffff", "\ue000", "\U000f0001", "ﬁ", "™", "½", "ﷺ", "İ", "ς", "getName", "\u0323", "\u0308", "ﾞ", "ｶ", "ㅏ"),
        "'s",
    )
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=20).map("".join))


@given(TEXTS)
def test_terms_of_any_text_are_those_of_fts5(text: str) -> None:
    assert terms(text) == INDEX.terms_of([text])[0]


@given(st.one_of(TEXTS, st.text(st.characters(), max_size=30)))
def test_tokens_are_the_terms_in_order_with_places_inside_the_text(text: str) -> None:
    found = tokens(text)
    assert [token.term for token in found] == terms(text) == list(map(stem, words(text)))
    assert all(0 <= token.start < token.end <= len(text) for token in found)


@pytest.mark.parametrize("text", LANGUAGES)
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_the_form_of_unicode_makes_no_difference(text: str, form: str) -> None:
    if "™" in text:
        text = "🐟 👩🏽‍💻 👨‍👩‍👧"
    assert terms(unicodedata.normalize(form, text)) == terms(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ＡＢＣ ﬁsh", "abc fish"),
        ("Café NAÏVE Ελλάδα", "cafe naive ελλαδα"),
        ("йод ёж", "йод еж"),
        ("Łódź Tromsø Straße", "lodz tromso strasse"),
        ("أحمد كِتَـاب کتاب", "احمد كتاب كتاب"),
        ("שָׁלוֹם", "שלום"),
        ("東京", "東 京"),
        ("서울", "서 울"),
        ("getUserName", "get user name getusername"),
        ("HTTPServer", "http server httpserver"),
        ("GitHub's URLs", "git hub github urls"),
        ("utf8 POL358", "utf8 pol358"),
        ("utf8Decoder", "utf8 decoder utf8decoder"),
        ("user's user’s USER'S 's", "user user user s"),
        ("C++ c# F# .NET", "c cplusplus c csharp f fsharp net dotnet"),
        ("使用C++开发", "使 用 c cplusplus 开 发"),
        ("example.net a#b", "example net a b"),
        ("Acme™ 2½", "acme tm 2 1 2"),
        ("pass\u00adword pass\u200bword pass\u202eword pass\u200cword", "password password password password"),
        ("می\u200cخواهم", "مي خواهم"),
        ("3.11 2026-03-14 ١٤", "3 11 2026 03 14 14"),
        ("snake_case a-b/c", "snake case a b c"),
        ("мояПеременная", "моя переменная мояпеременная"),
        ("Hawaiʻi Hawai'i", "hawai i hawai i"),
    ],
)
def test_text_becomes_these_words(text: str, expected: str) -> None:
    assert words(text) == expected.split()


def test_each_member_of_an_emoji_family_is_a_word_whatever_its_skin() -> None:
    assert words("👩🏽‍💻") == words("👩💻") == words("👩") + words("💻")
    assert words("❤️") == words("❤")
    assert words("👍🏿ok") == [*words("👍"), "ok"]


def test_vowel_signs_keep_words_whole_and_apart() -> None:
    assert len(words("हिन्दी")) == 1
    assert words("कि") != words("का") != words("क")


def test_plain_text_is_handed_on_as_it_is() -> None:
    text = "The deadline moves to friday, 14:00."
    assert index_text(text) is text


@pytest.mark.parametrize(
    "unit",
    [
        "word ",
        "a",
        "aB",
        "c++",
        "a's",
        "a\u0300\u0323",
        "\u0300",
        "\u0300\u200d\u0323",
        "👩\u200d",
        "東",
        "ก์",
        "\u1100\u1161",
        "\ufdfa",
    ],
)
def test_a_mebibyte_of_anything_takes_no_more_than_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit.encode()))
        started = time.process_time()
        index_text(text)
        return time.process_time() - started

    seconds(1 << 16)
    small, large = max(min(seconds(1 << 17) for _ in range(2)), 0.002), seconds(1 << 20)
    assert large / small < 8 * 5


def test_a_run_of_marks_in_no_order_is_cut_before_it_is_sorted() -> None:
    text = "a" + "\u0300" * 200_000 + "\u0323" * 200_000 + "b " + "\u0b82\u0c4d" * 100_000
    started = time.process_time()
    assert terms(text)[0] == "ab"
    assert time.process_time() - started < 5
