"""The registry: ids and keys do not clash, and whoever is named to carry an action out does so."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tfmem_tui.tui import actions
from tfmem_tui.tui.actions import REGISTRY, Action, Scope
from tfmem_tui.tui.app import TfmemApp
from tfmem_tui.tui.keymap import DEFAULT_KEYS
from tfmem_tui.tui.screens.audit import AuditView
from tfmem_tui.tui.screens.command_line import CommandLine, Palette
from tfmem_tui.tui.screens.help import help_text
from tfmem_tui.tui.screens.inspector import InspectorView
from tfmem_tui.tui.screens.memories import MemoriesView
from tfmem_tui.tui.screens.pick_filter import PickFilter
from tfmem_tui.tui.screens.pick_level import PickLevel
from tfmem_tui.tui.screens.play import PlayScenario
from tfmem_tui.tui.screens.sessions import Sessions
from tfmem_tui.tui.screens.simulator import SimulatorView
from tfmem_tui.tui.widgets.row_list import RowList

HANDLERS: dict[Scope, tuple[type, ...]] = {
    Scope.EVERYWHERE: (TfmemApp,),
    Scope.TEXT: (TfmemApp,),
    Scope.LISTS: (RowList,),
    Scope.MEMORIES: (MemoriesView,),
    Scope.INSPECTOR: (InspectorView,),
    Scope.AUDIT: (AuditView,),
    Scope.SIMULATOR: (SimulatorView,),
    Scope.SESSIONS: (Sessions,),
    Scope.CHOICE: (PickFilter, PickLevel, CommandLine, Palette),
    Scope.PLAY: (PlayScenario,),
}


def test_no_two_actions_share_an_id() -> None:
    assert [name for name, times in Counter(action.id for action in REGISTRY).items() if times > 1] == []


@pytest.mark.parametrize("scope", Scope)
def test_no_two_actions_of_a_scope_share_a_key(scope: Scope) -> None:
    keys = Counter(key for action in actions.of(scope) for key in action.keys)

    assert [key for key, times in keys.items() if times > 1] == []


@pytest.mark.parametrize("action", REGISTRY, ids=lambda action: action.id)
def test_every_action_is_carried_out_by_a_method_of_its_scope(action: Action) -> None:
    name = re.sub(r"\(.*", "", action.handler.removeprefix("app."))

    assert all(callable(getattr(owner, f"action_{name}", None)) for owner in HANDLERS[action.scope])


def test_the_help_names_every_action() -> None:
    text = help_text(DEFAULT_KEYS).plain

    assert [action.id for action in REGISTRY if action.help not in text] == []
