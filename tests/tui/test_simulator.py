"""The simulator: tool calls as the acting session on a copy, with what the hook did to them."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Input, TextArea

from tests.support import viewer_at
from tests.tui.playing import app_over, calm, layered_store, press, text_of
from tfmem_tui.core.level import Level
from tfmem_tui.simulate.scenario import read_scenario
from tfmem_tui.tui.screens.compare import Compare
from tfmem_tui.tui.screens.play import PlayScenario
from tfmem_tui.tui.screens.simulator import SimulatorView
from tfmem_tui.tui.screens.simulator_state import ToolList


async def test_a_save_shows_call_hook_and_answer_and_leaves_the_live_store_alone() -> None:
    store = layered_store()
    app = app_over(store, Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "s")
        app.query_one("#field-key", Input).value = "tide"
        app.query_one("#field-content", TextArea).text = "High at noon"
        app.query_one("#field-extra", Input).value = '{"classification": "RESTRICTED"}'
        await press(pilot, "enter")

        shown = text_of(app, "#answer")
        assert "CALL  memory_save" in shown
        assert "stripped  classification" in shown
        assert "forced    ◔ INTERNAL" in shown
        assert '"saved": true' in shown
        assert "1 call made" in text_of(app, "#snapshot")
        assert viewer_at(store, Level.RESTRICTED).effective("tide") is None


async def test_calls_build_on_one_another_until_a_fresh_copy_is_taken() -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "s", "G")  # memory_delete
        app.query_one("#field-key", Input).value = "deploy-window"
        await press(pilot, "enter")
        assert '"deleted": true' in text_of(app, "#answer")
        await press(pilot, "enter")
        assert "NOT_FOUND" in text_of(app, "#answer")

        await press(pilot, "R", "enter")
        assert '"deleted": true' in text_of(app, "#answer")


async def test_the_form_follows_the_schema_of_the_chosen_tool() -> None:
    app = app_over(layered_store())
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "s")
        fields = {}
        for index in range(5):
            app.query_one(ToolList).cursor = index
            await calm(pilot)
            name = str(app.query_one(ToolList).schemas[index]["name"])
            fields[name] = [one.id.removeprefix("field-") for one in app.query("#form Input, #form TextArea") if one.id]

        assert fields == {
            "memory_save": ["key", "content", "tags", "extra"],
            "memory_get": ["key", "extra"],
            "memory_search": ["query", "max_results", "extra"],
            "memory_list": ["tag", "cursor", "extra"],
            "memory_delete": ["key", "extra"],
        }


async def test_a_field_that_holds_no_number_is_named() -> None:
    app = app_over(layered_store())
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "s", "j", "j")
        app.query_one("#field-query", Input).value = "mara"
        app.query_one("#field-max_results", Input).value = "many"
        await press(pilot, "enter")

        assert "max_results: a whole number is needed" in text_of(app, "#answer")


async def test_the_answer_of_one_level_goes_when_another_acts() -> None:
    app = app_over(layered_store(), Level.RESTRICTED)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "s", "j")
        app.query_one("#field-key", Input).value = "merger"
        await press(pilot, "enter")
        assert "Signed on Friday" in text_of(app, "#answer")

        await press(pilot, "1")
        assert "Signed on Friday" not in text_of(app, "#answer")


async def test_the_same_call_at_every_level_up_to_the_taint() -> None:
    app = app_over(layered_store(), Level.CONFIDENTIAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "s", "j")  # memory_get
        app.query_one("#field-key", Input).value = "user-name"
        await press(pilot, "c")

        assert isinstance(app.screen, Compare)
        shown = text_of(app, ".columns")
        assert [name for name in ("PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED") if f" {name}\n" in shown] == [
            "PUBLIC",
            "INTERNAL",
            "CONFIDENTIAL",
        ]
        assert "under investigation" not in shown
        assert "up for promotion" in shown


async def test_calls_are_written_as_a_scenario_that_the_simulator_plays(tmp_path: Path) -> None:
    app = app_over(layered_store(), Level.INTERNAL)
    path = tmp_path / "recorded.yaml"
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "s")
        app.query_one("#field-key", Input).value = "tide"
        app.query_one("#field-content", TextArea).text = "High at noon"
        await press(pilot, "enter")
        assert "AUDIT EVENT" in text_of(app, "#answer")
        await press(pilot, "w")
        app.screen.query_one("#file", Input).value = str(path)
        await press(pilot, "enter")
        assert [step.call for step in read_scenario(path).steps] == ["memory_save"]

        await press(pilot, "O")
        app.screen.query_one("#file", Input).value = str(path)
        await press(pilot, "enter")
        assert isinstance(app.screen, PlayScenario)
        assert "0 of 1 played" in text_of(app, "#verdict")
        await press(pilot, "n")
        assert "1 of 1 played   all as expected" in text_of(app, "#verdict")
        assert '"saved": true' in text_of(app, "DetailPane")


async def test_a_scenario_file_that_is_wrong_is_named_by_line_and_nothing_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text("name: x\nsessions: {a: SECRET}\nsteps: []\n")
    app = app_over(layered_store(), Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "s", "O")
        app.screen.query_one("#file", Input).value = str(path)
        await press(pilot, "enter")
        assert any("wrong.yaml:2:12" in note.message for note in app._notifications)

        await press(pilot, "G", "k")  # memory_list
        await press(pilot, "enter", "w")
        app.screen.query_one("#file", Input).value = str(path)
        await press(pilot, "enter")
        assert path.read_text().startswith("name: x")


async def test_what_a_higher_session_did_is_not_written_by_a_lower_one() -> None:
    app = app_over(layered_store(), Level.CONFIDENTIAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "s", "j")
        app.query_one("#field-key", Input).value = "user-name"
        await press(pilot, "enter")
        assert app.query_one(SimulatorView).allows("has_recorded")
        await press(pilot, "1")
        assert not app.query_one(SimulatorView).allows("has_recorded")


async def test_the_live_store_is_reached_only_after_a_question_and_shows_an_unmistakable_sign() -> None:
    store = layered_store()
    app = app_over(store, Level.INTERNAL)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "s", "L", "escape")
        assert "SNAPSHOT" in text_of(app, "#snapshot")
        await press(pilot, "L", "tab", "enter")
        assert "LIVE STORE" in text_of(app, "#snapshot")
        app.query_one("#field-key", Input).value = "tide"
        app.query_one("#field-content", TextArea).text = "High at noon"
        await press(pilot, "enter")
        assert viewer_at(store, Level.INTERNAL).effective("tide") is not None
        await press(pilot, "L")
        assert "SNAPSHOT" in text_of(app, "#snapshot")
