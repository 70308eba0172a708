"""The taint switcher: acting at a level, as a session, raising and resetting; the banner always says as whom."""

from __future__ import annotations

from pathlib import Path

from tests.tui.playing import app_over, calm, keys_shown, layered_store, press, screen_lines, until
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.tui.acting import Health
from tfmem_tui.tui.screens.main import MainScreen
from tfmem_tui.tui.screens.sessions import SessionList
from tfmem_tui.tui.widgets.frame import Banner, KeyBar
from tfmem_tui.tui.widgets.memory_table import MemoryTable


async def test_the_digits_act_at_that_level_both_ways_with_a_session_for_each() -> None:
    store = layered_store()
    app = app_over(store)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        ids = {}
        for digit in "4123":
            await press(pilot, digit)
            assert app.acting is not None
            assert int(app.acting.taint) == int(digit)
            ids[digit] = app.acting.session_id
        await press(pilot, "1")

        assert app.acting is not None
        assert app.acting.session_id == ids["1"]
        assert len(set(ids.values())) == 4
        assert set(keys_shown(app)) == {"user-name", "parking"}


async def test_nothing_of_a_higher_level_stays_on_the_screen_after_going_down() -> None:
    app = app_over(layered_store(), Level.RESTRICTED)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        assert "merger" in "\n".join(screen_lines(app))
        await app.become(app.acting.__class__(app.acting.session, "x", Level.PUBLIC)) if app.acting else None

        assert app.query_one(MemoryTable).row_count == 0
        await press(pilot, "1")
        for view in "mias":
            await press(pilot, view)
            assert "merger" not in "\n".join(screen_lines(app))


async def test_levels_above_the_clearance_are_not_offered_and_do_nothing() -> None:
    app = app_over(layered_store(), Level.INTERNAL, clearance=Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        assert "1-2 level" in app.screen.query_one(KeyBar).render().plain
        await press(pilot, "4")
        assert app.acting is not None
        assert app.acting.taint is Level.INTERNAL

        await press(pilot, "t")
        sessions = app.screen.query_one(SessionList).sessions
        assert max(one.taint for one in sessions) is Level.INTERNAL


async def test_the_banner_stands_on_every_view_and_dialog() -> None:
    app = app_over(layered_store(), Level.CONFIDENTIAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        for keys in (["m"], ["i"], ["a"], ["s"], ["t"], ["escape", "question_mark"], ["escape", "m", "n"]):
            await press(pilot, *keys)
            lines = screen_lines(app)
            assert "◑ CONFIDENTIAL   reads PUBLIC..CONFIDENTIAL · writes CONFIDENTIAL" in lines[0], keys
            assert "◑ CONFIDENTIAL" in lines[-1], keys


async def test_a_session_is_chosen_from_the_list_and_acted_as() -> None:
    store = layered_store()
    desk = store.operator().labelled("desk")
    assert desk is not None
    app = app_over(store)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "t")
        rows = app.screen.query_one(SessionList)
        rows.cursor = next(at for at, one in enumerate(rows.sessions) if one.id == desk.id)
        await press(pilot, "enter")

        assert isinstance(app.screen, MainScreen)
        assert app.acting is not None
        assert (app.acting.session_id, app.acting.name, app.acting.taint) == (desk.id, "desk", Level.INTERNAL)


async def test_raising_a_session_asks_first_and_takes_effect_in_the_store() -> None:
    store = layered_store()
    chat = store.operator().labelled("chat")
    assert chat is not None
    app = app_over(store)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "t")
        rows = app.screen.query_one(SessionList)
        rows.cursor = next(at for at, one in enumerate(rows.sessions) if one.id == chat.id)
        await press(pilot, "R", "j", "enter", "enter")
        assert store.session(chat.id).taint is Level.PUBLIC  # the safe answer has the focus

        await press(pilot, "R", "j", "enter", "tab", "enter")
        assert store.session(chat.id).taint is Level.CONFIDENTIAL


async def test_resetting_the_acting_session_acts_as_the_fresh_one() -> None:
    store = layered_store()
    app = app_over(store, Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        before = app.acting_id
        await press(pilot, "t", "0", "tab", "enter")

        assert app.acting is not None
        assert app.acting.taint is Level.PUBLIC
        assert app.acting_id != before


async def test_a_session_is_started_at_a_level_with_a_label() -> None:
    store = layered_store()
    app = app_over(store)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "t", "n", "j", "tab", *"night", "enter")

        found = store.operator().labelled("night")
        assert found is not None
        assert (found.taint, found.kind) == (Level.INTERNAL, "agent")


async def test_a_session_raised_elsewhere_is_shown_at_its_new_level() -> None:
    store = layered_store()
    app = app_over(store)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        assert app.acting_id is not None
        store.operator().escalate(app.acting_id, Level.RESTRICTED)

        await until(pilot, lambda: app.acting is not None and app.acting.taint is Level.RESTRICTED)
        await calm(pilot)
        assert "merger" in keys_shown(app)


async def test_a_session_ended_elsewhere_is_said_in_the_banner() -> None:
    store = layered_store()
    app = app_over(store)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        assert app.acting_id is not None
        store.operator().reset(app.acting_id)

        await until(pilot, lambda: app.health is Health.ENDED)
        assert "session ended" in app.screen.query_one(Banner).render().plain
        await press(pilot, "1")
        assert app.health is Health.LIVE


async def test_a_read_only_store_is_looked_at_and_not_written(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path, agent="demo") as store:
        store.memories(store.operator().scratch(Level.PUBLIC)).save("a", "b")
    app = app_over(lambda: Store.open(path, agent="demo", read_only=True))
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        assert keys_shown(app) == ["a"]
        assert "writes nothing" in app.screen.query_one(Banner).render().plain
        assert "read-only" in app.screen.query_one(Banner).render().plain
        await press(pilot, "n")
        assert isinstance(app.screen, MainScreen)
