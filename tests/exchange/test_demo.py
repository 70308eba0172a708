"""The demo store keeps what its own welcome text promises, and is the same at every start."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support import START, HandClock, viewer_at
from tfmem_tui.core.errors import StoreUnavailable
from tfmem_tui.core.home import agents
from tfmem_tui.core.level import Level
from tfmem_tui.core.memory import MemoryRepository
from tfmem_tui.core.records import Outcome, Status
from tfmem_tui.core.store import Store
from tfmem_tui.demo import demo_store


@pytest.fixture(scope="module")
def demo() -> Iterator[Store]:
    with demo_store(clock=HandClock(), user="tester") as store:
        yield store


def keys(memories: MemoryRepository) -> set[str]:
    return {row.key for row in memories.page(limit=1000).rows}


def content(store: Store, level: Level, key: str) -> str:
    found = viewer_at(store, level).effective(key)
    assert found is not None
    return found.content


def test_the_demo_is_the_same_at_every_start(demo: Store) -> None:
    with demo_store(clock=HandClock(), user="tester") as again:
        heads = again.audit(again.operator().viewer(Level.RESTRICTED)).heads()
        sessions = again.operator().sessions(include_ended=True)

    assert heads == demo.audit(demo.operator().viewer(Level.RESTRICTED)).heads()
    assert sessions == demo.operator().sessions(include_ended=True)


def test_user_name_is_another_truth_at_each_level(demo: Store) -> None:
    assert len({content(demo, level, "user-name") for level in Level}) == 4


def test_there_are_about_forty_memories_at_all_levels(demo: Store) -> None:
    totals = viewer_at(demo, Level.RESTRICTED).totals()

    assert 35 <= totals.effective <= 50
    assert min(totals.by_level.values()) >= 4


def test_keys_are_shadowed_two_and_three_levels_deep(demo: Store) -> None:
    memories = viewer_at(demo, Level.RESTRICTED)
    shadowed = {
        key: sum(rung.status is Status.SHADOWED for rung in memories.ladder(key).rungs)
        for key in ("kiosk-menu", "project-deadline", "user-name")
    }

    assert shadowed == {"kiosk-menu": 1, "project-deadline": 2, "user-name": 3}


def found(demo: Store, level: Level, words: str) -> set[str]:
    """The keys that a search finds, but for the welcome text, which names every word to search for."""
    memories = viewer_at(demo, level)
    places = memories.find(words)
    return {row.key for row in memories.rows(places, 0, len(places))} - {"start-here"}


def test_the_stale_chowder_does_not_surface_above_it(demo: Store) -> None:
    assert found(demo, Level.PUBLIC, "chowder") == {"kiosk-menu"}
    assert found(demo, Level.INTERNAL, "chowder") == set()


def test_aurora_means_the_northern_lights_to_the_public(demo: Store) -> None:
    assert found(demo, Level.PUBLIC, "aurora") == {"northern-lights-tour"}
    assert {"project-aurora", "aurora-ceiling"} < found(demo, Level.RESTRICTED, "aurora")


@pytest.mark.parametrize(
    ("words", "key"),
    [("東京", "おすすめ"), ("العبّارة", "لغة-الزائر"), ("pantalan", "paalala-ng-biyahe"), ("ete", "préférence-été")],
)
def test_words_of_many_scripts_are_found(demo: Store, words: str, key: str) -> None:
    assert key in found(demo, Level.PUBLIC, words)


def test_a_delete_has_uncovered_the_lower_version(demo: Store) -> None:
    assert content(demo, Level.CONFIDENTIAL, "parking") == "Parking at quay 2 is free for passengers."
    assert "parking" in {one.key for one in viewer_at(demo, Level.CONFIDENTIAL).tombstones()}


def test_a_key_was_deleted_and_saved_again_and_its_tombstone_is_there(demo: Store) -> None:
    versions = viewer_at(demo, Level.PUBLIC).versions("ferry-name-vote")

    assert [version.end_reason for version in versions] == [None, "deleted"]


def test_an_expired_version_has_uncovered_the_lower_one(demo: Store) -> None:
    assert "Bosun" in content(demo, Level.INTERNAL, "gate-code")
    assert len(viewer_at(demo, Level.INTERNAL).versions("gate-code")) == 2


def test_one_session_wrote_at_two_levels(demo: Store) -> None:
    versions = viewer_at(demo, Level.RESTRICTED).versions("dockside-note")

    assert {version.level for version in versions} == {Level.PUBLIC, Level.CONFIDENTIAL}
    assert len({version.saved_by for version in versions}) == 1


def test_the_audit_tells_of_forced_missed_and_invalid_calls_and_of_older_history(demo: Store) -> None:
    trail = demo.audit(demo.operator().viewer(Level.RESTRICTED))
    events = trail.events(limit=1000)

    assert {Outcome.ALLOWED, Outcome.FORCED, Outcome.MISSED, Outcome.INVALID} <= {event.outcome for event in events}
    assert {"import", "session_escalate", "session_reset", "memory_search"} <= {event.action for event in events}
    assert min(event.at for event in events) < START - timedelta(days=365)
    assert all(report.ok for report in trail.verify())


def test_many_scripts_are_there(demo: Store) -> None:
    memories = viewer_at(demo, Level.RESTRICTED)
    text = "".join(row.key + row.preview for row in memories.page(limit=1000).rows)
    scripts = {unicodedata.name(character, "").split(" ")[0] for character in text}

    assert {"HIRAGANA", "CJK", "ARABIC", "GREEK", "LATIN"} <= scripts
    assert "🐧" in text
    assert "Dumating sa pantalan" in text


def test_hostile_text_is_there_to_be_shown_safely(demo: Store) -> None:
    text = content(demo, Level.PUBLIC, "[bold]not markup[/]")

    assert {"\x1b", "\x07", "\u202e", "\u200b", "\t", "\r"} <= set(text)


def test_all_of_it_happened_before_now_and_the_clock_runs_on(demo: Store) -> None:
    rows = viewer_at(demo, Level.RESTRICTED).page(limit=1000).rows
    assert max(row.saved_at for row in rows) < START

    clock = HandClock()
    with demo_store(clock=clock) as store:
        clock.tick(60)
        saved = store.memories(store.operator().scratch(Level.PUBLIC)).save("new", "text")
        assert saved.saved_at == clock.now


def test_every_key_that_the_welcome_text_names_exists(demo: Store) -> None:
    welcome = content(demo, Level.PUBLIC, "start-here")
    named = {word for word in welcome.split("`")[1::2] if word not in {"chowder", "aurora"}}

    assert len(named) >= 6
    assert named <= keys(viewer_at(demo, Level.RESTRICTED)) | keys(viewer_at(demo, Level.INTERNAL))


def test_a_demo_in_a_folder_is_a_store_like_any_other(tmp_path: Path) -> None:
    with demo_store(tmp_path) as store:
        path, agent = store.path, store.agent
    assert path is not None
    assert agents(tmp_path) == [agent]

    with Store.open(path, create=False) as again:
        assert len(keys(viewer_at(again, Level.RESTRICTED))) >= 35
    with pytest.raises(StoreUnavailable, match="already"):
        demo_store(tmp_path)
