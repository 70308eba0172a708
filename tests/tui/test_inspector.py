"""The inspector: the ladder up to the taint, and nothing told of what lies above."""

from __future__ import annotations

from tests.support import viewer_at
from tests.tui.playing import app_over, calm, layered_store, press, screen_lines, text_of, until
from tfmem_tui.core.level import Level
from tfmem_tui.tui.screens.main import MainScreen
from tfmem_tui.tui.widgets.ladder_list import LadderList


def rows(app: object) -> list[tuple[str, str, bool]]:
    ladder = app.query_one(LadderList)  # type: ignore[attr-defined]
    return [(row.level.name, row.words, row.nested) for row in ladder.rows]


async def test_the_ladder_shows_winner_shadowed_and_hidden_rungs() -> None:
    app = app_over(layered_store(), Level.CONFIDENTIAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "slash", *"promotion", "enter", "enter")

        assert rows(app) == [
            ("RESTRICTED", "not visible at this taint", False),
            ("CONFIDENTIAL", "effective", False),
            ("INTERNAL", "shadowed", False),
            ("PUBLIC", "shadowed", False),
        ]
        assert "up for promotion" in text_of(app, "#version-detail")
        assert "A delete here would uncover ◔ INTERNAL." in text_of(app, "#why")


async def test_earlier_and_deleted_versions_stand_under_their_rung() -> None:
    app = app_over(layered_store(), Level.CONFIDENTIAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "slash", *"tuesdays", "enter", "enter")
        assert rows(app)[2:4] == [("INTERNAL", "effective", False), ("INTERNAL", "replaced", True)]

        await press(pilot, "escape", "escape", "slash", *"quay", "enter", "enter")
        assert rows(app)[1] == ("CONFIDENTIAL", "deleted", False)


async def test_levels_above_the_taint_look_alike_whatever_is_there() -> None:
    pictures = []
    for key in ("user-name", "parking"):  # the first lives at every level above, the second nowhere there
        app = app_over(layered_store(), Level.PUBLIC)
        async with app.run_test(size=(120, 36)) as pilot:
            await calm(pilot)
            app.main.query_one("#inspector").look_at(key)  # type: ignore[attr-defined]
            await press(pilot, "i")
            await until(pilot, lambda app=app: app.query_one(LadderList).rows)  # type: ignore[misc]
            pictures.append(screen_lines(app)[4:7])

    assert pictures[0][0].startswith("  ● RESTRICTED")
    assert [line[:70] for line in pictures[0]] == [line[:70] for line in pictures[1]]


async def test_h_and_l_act_as_a_lower_or_higher_session_on_the_same_key() -> None:
    app = app_over(layered_store(), Level.INTERNAL, clearance=Level.CONFIDENTIAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "slash", *"operations", "enter", "enter", "l")
        assert app.acting is not None
        assert app.acting.taint is Level.CONFIDENTIAL
        assert "up for promotion" in text_of(app, "#version-detail")

        await press(pilot, "l", "h", "h")
        assert app.acting is not None
        assert app.acting.taint is Level.PUBLIC
        assert rows(app)[3] == ("PUBLIC", "effective", False)


async def test_the_way_back_lands_in_the_memories_where_it_left() -> None:
    app = app_over(layered_store(), Level.RESTRICTED)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "j", "j")
        key = app.main.view.selected_key()
        await press(pilot, "enter")
        assert app.main.view.selected_key() == key

        await press(pilot, "escape")
        assert app.main.view.id == "memories"
        assert app.main.view.selected_key() == key


async def test_a_key_is_deleted_from_the_inspector() -> None:
    store = layered_store()
    app = app_over(store, Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "slash", *"tuesdays", "enter", "enter", "d", "tab", "enter")
        await until(pilot, lambda: isinstance(app.screen, MainScreen))
        await calm(pilot)

        assert rows(app)[2] == ("INTERNAL", "deleted", False)
        assert viewer_at(store, Level.INTERNAL).effective("deploy-window") is None
