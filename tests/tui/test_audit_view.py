"""The audit view: deleted records and events, both ending at the acting session's taint."""

from __future__ import annotations

import pytest

from tests.tui.playing import app_over, calm, layered_store, press, text_of
from tfmem_tui.core.level import Level
from tfmem_tui.tui.widgets.audit_lists import EventList, TombstoneList


async def test_deleted_records_come_first_with_their_full_text() -> None:
    app = app_over(layered_store(), Level.CONFIDENTIAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "a")

        row = app.query_one(TombstoneList).current
        assert row is not None
        assert row.key == "parking"
        assert "The gate code is 4711" in text_of(app, "#record-detail")


async def test_a_deleted_record_above_the_taint_is_not_there() -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "a")

        assert app.query_one(TombstoneList).row_count == 0
        assert app.query_one(TombstoneList).note[0] == "Nothing deleted"


@pytest.mark.parametrize("level", [Level.PUBLIC, Level.RESTRICTED])
async def test_tab_goes_to_the_events_which_end_at_the_taint(level: Level) -> None:
    store = layered_store()
    app = app_over(store, level)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "a", "tab")

        events = app.query_one(EventList)
        shown = [events.row(index) for index in range(events.row_count)]
        assert max(one.level for one in shown if one is not None) is level
        assert events.row_count == store.audit(store.operator().viewer(level)).count()
        assert "memory_save" in "".join(one.action for one in shown if one is not None)


async def test_the_chains_are_checked_up_to_the_taint() -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "a")
        assert text_of(app, "#chains") == "chains not checked"
        await press(pilot, "c")

        assert "○ PUBLIC ✓" in text_of(app, "#chains")
        assert "◔ INTERNAL ✓" in text_of(app, "#chains")
        assert "CONFIDENTIAL" not in text_of(app, "#chains")


async def test_enter_shows_the_key_in_the_inspector() -> None:
    app = app_over(layered_store(), Level.CONFIDENTIAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "a", "enter")

        assert app.main.view.id == "inspector"
        assert app.main.view.selected_key() == "parking"
