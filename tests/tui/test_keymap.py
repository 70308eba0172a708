"""Keys as the configuration moves them: at work, in the footer and the help; mistakes are named by their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.playing import app_over, calm, keys_shown, layered_store, press, text_of
from tfmem_tui.core.level import Level
from tfmem_tui.preferences import ConfigError, KeySetting, load_preferences
from tfmem_tui.tui.keymap import make_keymap
from tfmem_tui.tui.screens.main import MainScreen
from tfmem_tui.tui.widgets.frame import KeyBar
from tfmem_tui.tui.widgets.memory_table import MemoryTable


def settings_of(folder: Path, text: str) -> dict[str, KeySetting]:
    file = folder / "config.yaml"
    file.write_text(text)
    return load_preferences(file).keys


async def test_a_moved_key_works_shows_in_footer_and_help_and_the_old_one_does_nothing(tmp_path: Path) -> None:
    keymap = make_keymap(settings_of(tmp_path, "keys:\n  memories.find: ctrl+s\n  app.help: [f1, H]\n"))
    app = app_over(layered_store(), Level.INTERNAL, keymap=keymap)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "slash")
        assert isinstance(app.focused, MemoryTable)
        await press(pilot, "ctrl+s", *"quay", "enter")
        assert keys_shown(app) == ["parking"]
        footer = app.screen.query_one(KeyBar).render().plain
        assert "ctrl+s find" in footer
        assert "f1 help" in footer
        await press(pilot, "H")
        await press(pilot, *"search key")
        assert "ctrl+s" in text_of(app, "#keys")
        await press(pilot, "escape", "escape", "question_mark")
        assert isinstance(app.screen, MainScreen)


async def test_two_keys_can_change_places(tmp_path: Path) -> None:
    keymap = make_keymap(settings_of(tmp_path, "keys:\n  app.audit: s\n  app.simulator: a\n"))
    app = app_over(layered_store(), Level.INTERNAL, keymap=keymap)
    async with app.run_test(size=(120, 36)) as pilot:
        await calm(pilot)
        await press(pilot, "s")
        assert app.main.view.id == "audit"
        await press(pilot, "a")
        assert app.main.view.id == "simulator"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("keys:\n  memories.fnid: f\n", "config.yaml:2: unknown action memories.fnid; did you mean memories.find?"),
        ("theme: dark\nkeys:\n  memories.find: d\n", "config.yaml:3: d is the key of memories.delete already"),
        ("keys:\n  app.audit: n\n", "config.yaml:2: n is the key of memories.new already"),
        ("keys:\n  app.audit: strg+x\n", "config.yaml:2: 'strg+x' is not a key"),
        ("keys:\n  app.audit: []\n", "config.yaml:2: app.audit needs from 1 to 8 keys"),
        ("keys:\n  app.theme: f9\n", "config.yaml:2: app.theme has no key; it is a command"),
        ("keys:\n  app.audit: {a: b}\n", "config.yaml:2: keys: expected"),
        ("keys: [a]\n", "config.yaml:1: keys: expected"),
        ("keys:\n  app.audit: b\n  app.audit: B\n", "config.yaml:3: app.audit is set in"),
    ],
)
def test_a_mistake_is_named_by_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make_keymap(settings_of(tmp_path, text))
    assert message in caught.value.message


def test_a_key_may_be_moved_to_where_another_was_moved_away_from(tmp_path: Path) -> None:
    keymap = make_keymap(settings_of(tmp_path, "keys:\n  memories.delete: D\n  memories.find: d\n"))
    assert keymap.moved() == {"memories.find": "d", "memories.delete": "D"}


def test_without_keys_nothing_moves() -> None:
    assert make_keymap({}).moved() == {}
