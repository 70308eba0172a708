"""Bad input gets a clear error, changes nothing and is never repeated in the message."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.support import HandClock, fresh_store, session_at, viewer_at
from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.home import agent_path, agents, encode_agent
from tfmem_tui.core.level import ALL_LEVELS, Level, can_flow_to
from tfmem_tui.core.store import Store

MIB = 1024 * 1024


@pytest.mark.parametrize(
    "key", ["", "   ", "\t", "a\nb", "nul\x00", "esc\x1b[0m", "\x85", "k" * 257, "\ud800", 7, None]
)
def test_keys_that_may_not_be_are_refused(key: object) -> None:
    store = fresh_store()
    memories = session_at(store, Level.PUBLIC)
    for call in (lambda: memories.save(key, "text"), lambda: memories.get(key), lambda: memories.delete(key)):  # type: ignore[arg-type]
        with pytest.raises(InvalidInput):
            call()
    assert viewer_at(store, Level.PUBLIC).count() == 0


@pytest.mark.parametrize("content", ["nul\x00", "\udfff", "x" * (MIB + 1), "é" * (MIB // 2 + 1), 7, None, ["list"]])
def test_contents_that_may_not_be_are_refused(content: object) -> None:
    memories = session_at(fresh_store(), Level.PUBLIC)
    with pytest.raises(InvalidInput) as caught:
        memories.save("note", content)  # type: ignore[arg-type]
    assert len(caught.value.message) < 100
    assert memories.count() == 0


@pytest.mark.parametrize("tags", [["x" * 65], [""], ["nul\x00"], [7], "text", None, [f"t{n}" for n in range(33)]])
def test_tags_that_may_not_be_are_refused(tags: object) -> None:
    memories = session_at(fresh_store(), Level.PUBLIC)
    with pytest.raises(InvalidInput):
        memories.save("note", "text", tags)  # type: ignore[arg-type]
    assert memories.count() == 0


@pytest.mark.parametrize("max_results", [0, -1, 101, True, 2.0, "3", None])
def test_max_results_is_a_whole_number_from_1_to_100(max_results: object) -> None:
    with pytest.raises(InvalidInput, match="1 to 100"):
        session_at(fresh_store(), Level.PUBLIC).search("text", max_results)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "cursor", ["", "%%%", "bm90IGpzb24=", "WzEsMl0=", "W10=", "WyJhIiwiYiJd", 7, "WzFlOTksImEiXQ=="]
)
def test_a_cursor_that_was_never_given_is_refused(cursor: object) -> None:
    with pytest.raises(InvalidInput, match="cursor"):
        session_at(fresh_store(), Level.PUBLIC).list(cursor=cursor)  # type: ignore[arg-type]


def test_the_largest_allowed_values_are_kept_as_given() -> None:
    memories = session_at(fresh_store(), Level.PUBLIC)
    key, content, tags = "k" * 256, "é" * (MIB // 2), tuple(f"{n:02}" + "t" * 62 for n in range(32))
    memories.save(key, content, tags)
    got = memories.get(key)
    assert got is not None
    assert (got.content, got.tags) == (content, tags)


@pytest.mark.parametrize(
    "content", ["", " ", "e\u0301", "\u202eabc", "a\r\nb\tc", "\x1b[31mred", "👨‍👩‍👧", "\ufeffbom"]
)
def test_text_is_kept_as_given(content: str) -> None:
    memories = session_at(fresh_store(), Level.PUBLIC)
    memories.save("note", content, ["x", "x", "y"])
    got = memories.get("note")
    assert got is not None
    assert (got.content, got.tags) == (content, ("x", "x", "y"))
    assert [row.key for row in memories.list("x").memories] == ["note"]


@pytest.mark.parametrize("moment", [datetime(2026, 3, 2, 9, 0, tzinfo=UTC), datetime(2030, 1, 1)])
def test_an_expiry_in_the_past_or_without_a_zone_is_refused(moment: datetime) -> None:
    memories = session_at(fresh_store(HandClock()), Level.PUBLIC)
    with pytest.raises(InvalidInput, match="expires_at"):
        memories.save("note", "text", expires_at=moment)


def test_listing_goes_on_exactly_where_it_stopped() -> None:
    memories = session_at(fresh_store(), Level.PUBLIC)
    keys = [f"note-{number:03}" for number in range(150)]
    for key in keys:
        memories.save(key, "text")
    seen, cursor, rounds = [], None, 0
    while True:
        room = iter(range(40))
        listing = memories.list(cursor=cursor, take=lambda _, room=room: next(room, None) is not None)
        seen += [row.key for row in listing.memories]
        rounds += 1
        cursor = listing.next_cursor
        if cursor is None:
            break
    assert seen == keys  # saved at one moment: by key
    assert rounds == 4


def test_the_first_row_always_comes_even_if_it_is_too_large() -> None:
    memories = session_at(fresh_store(), Level.PUBLIC)
    for key in "ab":
        memories.save(key, "text")
    assert [row.key for row in memories.list(take=lambda _: False).memories] == ["a"]
    answer = memories.search("text", take=lambda _: False)
    assert len(answer.memories) == 1
    assert answer.truncated


@pytest.mark.parametrize(("source", "target"), [(a, b) for a in ALL_LEVELS for b in ALL_LEVELS])
def test_can_flow_to_is_target_at_least_source(source: Level, target: Level) -> None:
    order = ["PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"]
    assert can_flow_to(source, target) == (order.index(target.name) >= order.index(source.name))


@pytest.mark.parametrize("text", ["public", " Internal ", "CONFIDENTIAL", "restricted"])
def test_a_level_is_parsed_in_any_case(text: str) -> None:
    assert Level.parse(text).name == text.strip().upper()


@pytest.mark.parametrize("text", ["", "secret", "1", "PUBLIC INTERNAL"])
def test_what_is_no_level_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="PUBLIC, INTERNAL"):
        Level.parse(text)


@pytest.mark.parametrize("name", ["", "  ", "x" * 241, "É" * 50, "\ud800"])
def test_agent_names_that_can_have_no_file_are_refused(name: str) -> None:
    with pytest.raises(InvalidInput):
        encode_agent(name)


def test_agents_are_found_by_their_files(tmp_path: object) -> None:
    from pathlib import Path

    home = Path(str(tmp_path))
    for name in ("b", "A", "cron:7", "ü"):
        Store.open(agent_path(home, name)).close()
    (home / "agents" / "not%zz.db").write_text("")
    assert agents(home) == ["A", "b", "cron:7", "ü"]
    assert agents(home / "nowhere") == []
