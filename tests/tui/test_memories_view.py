"""The memories view: what the acting session sees, searched, ordered, filtered, saved and deleted."""

from __future__ import annotations

import pytest
from textual.widgets import Input, TextArea

from tests.support import HandClock, fresh_store, session_at, viewer_at
from tests.tui.playing import app_over, calm, keys_shown, layered_store, press, text_of, until
from tfmem_tui.core.level import Level
from tfmem_tui.tui.screens.dialog import Question
from tfmem_tui.tui.screens.forms import NewMemory
from tfmem_tui.tui.screens.main import MainScreen
from tfmem_tui.tui.screens.pick_filter import OfferList
from tfmem_tui.tui.widgets.memory_table import MemoryTable


@pytest.mark.parametrize(
    ("level", "keys"),
    [
        (Level.PUBLIC, {"user-name", "parking"}),
        (Level.INTERNAL, {"user-name", "parking", "deploy-window"}),
        (Level.RESTRICTED, {"user-name", "parking", "deploy-window", "merger"}),
    ],
)
async def test_the_table_shows_the_effective_memories_of_the_acting_level(level: Level, keys: set[str]) -> None:
    app = app_over(layered_store(), level)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)

        assert set(keys_shown(app)) == keys
        assert text_of(app, "#count").strip() == str(len(keys))


async def test_a_search_shows_matches_while_it_is_typed_with_the_last_word_as_a_beginning() -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "slash", *"free")

        assert keys_shown(app) == ["deploy-window", "parking"] or keys_shown(app) == ["parking", "deploy-window"]
        assert text_of(app, "#count").strip() == "2 of 3"


async def test_a_stale_lower_version_never_surfaces_in_a_search() -> None:
    app = app_over(layered_store(), Level.RESTRICTED)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "slash", *"operations")

        assert keys_shown(app) == []
        assert "No match" in "".join(app.query_one(MemoryTable).note)


async def test_escape_leaves_the_field_first_and_the_search_second() -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "slash", *"free", "escape")
        assert isinstance(app.focused, MemoryTable)
        assert len(keys_shown(app)) == 2

        await press(pilot, "escape")
        assert len(keys_shown(app)) == 3


async def test_letters_in_the_field_are_text() -> None:
    app = app_over(layered_store())
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "slash", *"qt1")

        assert app.query_one("#find", Input).value == "qt1"
        assert app.acting is not None
        assert app.acting.taint is Level.PUBLIC


async def test_a_column_is_chosen_and_ordered_by_and_turned_round() -> None:
    app = app_over(layered_store(), Level.RESTRICTED)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "less_than_sign", "less_than_sign", "less_than_sign", "o")
        assert keys_shown(app) == ["deploy-window", "merger", "parking", "user-name"]

        await press(pilot, "o")
        assert keys_shown(app) == ["user-name", "parking", "merger", "deploy-window"]


async def test_a_tag_filter_applies_after_shadowing_and_is_dropped_again() -> None:
    app = app_over(layered_store(), Level.CONFIDENTIAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "f", *"staff", "enter")
        assert keys_shown(app) == ["user-name"]
        assert "tag: staff" in text_of(app, "#chips")

        await press(pilot, "x")
        assert len(keys_shown(app)) == 3


async def test_tags_that_only_a_higher_session_sees_are_not_offered() -> None:
    app = app_over(layered_store(), Level.PUBLIC)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "f")

        offers = app.screen.query_one(OfferList).offers
        assert {one.chip.value for one in offers if one.chip.kind == "tag"} == {"persona", "service"}
        assert {one.chip.value for one in offers if one.chip.kind == "level"} == {"PUBLIC"}


async def test_the_pane_shows_the_memory_under_the_cursor_and_what_it_shadows() -> None:
    app = app_over(layered_store(), Level.CONFIDENTIAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "slash", *"promotion", "enter")

        shown = text_of(app, "#memory-detail")
        assert "Mara Quill, up for promotion" in shown
        assert "◑ CONFIDENTIAL · effective, shadows 2" in shown


async def test_a_new_memory_lands_at_the_sessions_level() -> None:
    store = layered_store()
    app = app_over(store, Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "n", *"tide")
        assert isinstance(app.screen, NewMemory)
        await press(pilot, "enter")
        app.screen.query_one(TextArea).insert("High at noon")
        await press(pilot, "tab", *"sea, boats", "enter")

        assert keys_shown(app)[0] == "tide" or "tide" in keys_shown(app)
        saved = viewer_at(store, Level.INTERNAL).effective("tide")
        assert saved is not None
        assert (saved.level, saved.content, saved.tags) == (Level.INTERNAL, "High at noon", ("sea", "boats"))
        assert viewer_at(store, Level.PUBLIC).effective("tide") is None


async def test_a_delete_says_what_it_uncovers_and_uncovers_it() -> None:
    store = layered_store()
    app = app_over(store, Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "slash", *"operations", "enter", "d")
        assert isinstance(app.screen, Question)
        words = text_of(app, ".words")
        assert "It uncovers what ○ PUBLIC says: “Mara”" in words

        await press(pilot, "tab", "enter")
        await until(pilot, lambda: isinstance(app.screen, MainScreen))
        left = viewer_at(store, Level.INTERNAL).effective("user-name")
        assert left is not None
        assert left.content == "Mara"


async def test_a_memory_of_a_lower_level_cannot_be_deleted_from_here() -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "slash", *"quay", "enter", "d")

        assert isinstance(app.screen, MainScreen)
        assert "delete" not in text_of_keys(app)


def text_of_keys(app: object) -> str:
    from tfmem_tui.tui.app import TfmemApp
    from tfmem_tui.tui.widgets.frame import KeyBar

    assert isinstance(app, TfmemApp)
    return app.screen.query_one(KeyBar).render().plain


async def test_a_long_list_is_walked_to_its_end_and_its_middle_by_pages() -> None:
    clock = HandClock()
    store = fresh_store(clock)
    memories = session_at(store, Level.PUBLIC)
    for number in range(1234):
        clock.tick()
        memories.save(f"key-{number:04}", "text")
    app = app_over(store)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        table = app.query_one(MemoryTable)
        assert table.row_count == 1234
        await press(pilot, "G")
        assert table.current is not None
        assert table.current.memory.key == "key-0000"
        table.cursor = 617
        await calm(pilot)
        assert table.current is not None
        assert table.current.memory.key == f"key-{1233 - 617:04}"
        assert len(table._pages) < 8


async def test_a_save_elsewhere_shows_without_moving_the_row_under_the_cursor() -> None:
    clock = HandClock()
    store = fresh_store(clock)
    memories = session_at(store, Level.PUBLIC)
    for number in range(300):
        clock.tick()
        memories.save(f"key-{number:03}", "text")
    app = app_over(store)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        table = app.query_one(MemoryTable)
        table.cursor = 150
        await calm(pilot)
        key, line = table.current.memory.key if table.current else "", table.cursor - round(table.scroll_y)
        clock.tick()
        memories.save("newest", "text")

        await until(pilot, lambda: table.row_count == 301)
        await calm(pilot)
        assert table.current is not None
        assert table.current.memory.key == key
        assert table.cursor == 151
        assert table.cursor - round(table.scroll_y) == line


async def test_at_the_top_a_save_elsewhere_comes_into_sight_and_the_cursor_stays_on_its_memory() -> None:
    clock = HandClock()
    store = fresh_store(clock)
    memories = session_at(store, Level.PUBLIC)
    memories.save("first", "text")
    app = app_over(store)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        clock.tick()
        memories.save("newest", "text")

        await until(pilot, lambda: keys_shown(app) == ["newest", "first"])
        await calm(pilot)
        assert app.main.view.selected_key() == "first"
        assert app.query_one(MemoryTable).scroll_y == 0


async def test_a_save_above_the_taint_changes_nothing_on_the_screen() -> None:
    store = layered_store()
    app = app_over(store)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        shown: list[object] = []
        app.query_one(MemoryTable).show = lambda *args, **options: shown.append(args)  # type: ignore[method-assign]
        session_at(store, Level.RESTRICTED).save("above", "text")
        polls = app.polls
        await until(pilot, lambda: app.polls >= polls + 2)

        assert shown == []


async def test_an_empty_store_says_so() -> None:
    app = app_over(fresh_store())
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)

        assert app.query_one(MemoryTable).note[0] == "No memories yet"
