"""Keys as the configuration moves them: the registry with other keys, or a clear error that names the line."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from textual.keys import Keys, _character_to_key

from tfmem_tui.preferences import ConfigError, KeySetting
from tfmem_tui.tui.actions import REGISTRY, Action, Scope, shown_key

MODIFIERS = ("ctrl", "alt", "shift", "meta", "super", "hyper")
NAMED = {key.value for key in Keys} | {"space"}
MOST_KEYS = 8  # of one action

# Scopes that hold at the same time, where one action could shadow another.
VIEWS = (Scope.MEMORIES, Scope.INSPECTOR, Scope.AUDIT, Scope.SIMULATOR)
TOGETHER: tuple[frozenset[Scope], ...] = (
    *(frozenset({Scope.LISTS, view, Scope.EVERYWHERE}) for view in VIEWS),
    *(frozenset({Scope.LISTS, dialog, Scope.EVERYWHERE}) for dialog in (Scope.SESSIONS, Scope.CHOICE, Scope.PLAY)),
    frozenset({Scope.TEXT, Scope.EVERYWHERE}),
)


@dataclass(frozen=True, slots=True)
class Keymap:
    """The registry's actions with the keys that they have here."""

    actions: tuple[Action, ...] = REGISTRY

    def of(self, *scopes: Scope) -> list[Action]:
        """The actions of the scopes, in the registry's order."""
        return [action for action in self.actions if action.scope in scopes]

    def keys(self, id: str) -> tuple[str, ...]:
        """The keys of an action. Raises ``KeyError`` for an unknown id."""
        return next(action.keys for action in self.actions if action.id == id)

    def moved(self) -> dict[str, str]:
        """What Textual is to be told: the ids whose keys differ from the registry's, and their keys."""
        before = {action.id: action.keys for action in REGISTRY}
        return {action.id: ",".join(action.keys) for action in self.actions if action.keys != before[action.id]}


DEFAULT_KEYS = Keymap()


def make_keymap(given: Mapping[str, KeySetting]) -> Keymap:
    """The registry with the keys of the configuration.

    Raises ``ConfigError`` with file and line for an unknown id, a key that is none, and a key that two actions would
    share where both hold.
    """
    known = {action.id: action for action in REGISTRY}
    for id, setting in given.items():
        if id not in known:
            near = difflib.get_close_matches(id, known, n=1)
            raise ConfigError(f"{setting.where}: unknown action {id}" + (f"; did you mean {near[0]}?" if near else ""))
        if not known[id].keys:
            raise ConfigError(f"{setting.where}: {id} has no key; it is a command")
    moved = {id: _keys(id, setting) for id, setting in given.items()}
    keymap = Keymap(tuple(replace(action, keys=moved.get(action.id, action.keys)) for action in REGISTRY))
    _refuse_clashes(keymap, given)
    return keymap


def _keys(id: str, setting: KeySetting) -> tuple[str, ...]:
    if not 1 <= len(setting.keys) <= MOST_KEYS:
        raise ConfigError(f"{setting.where}: {id} needs from 1 to {MOST_KEYS} keys")
    return tuple(_key(text, setting.where) for text in setting.keys)


def _key(text: str, where: str) -> str:
    *modifiers, last = [text] if len(text) == 1 else text.split("+")
    name = _character_to_key(last) if len(last) == 1 and last.isprintable() else last
    good = name in NAMED or len(last) == 1
    if not last or not good or any(one not in MODIFIERS for one in modifiers):
        raise ConfigError(f"{where}: {text!r} is not a key; use one such as j, G, ctrl+s, f5, enter or slash")
    return "+".join([*modifiers, name])


def _refuse_clashes(keymap: Keymap, given: Mapping[str, KeySetting]) -> None:
    before = {action.id: set(action.keys) for action in REGISTRY}
    for scopes in TOGETHER:
        for one, other in combinations(keymap.of(*scopes), 2):
            shared = set(one.keys) & set(other.keys)
            fresh = shared - (before[one.id] & before[other.id])
            if fresh:
                blamed = other if other.id in given else one
                rest = one if blamed is other else other
                key = shown_key(min(fresh))
                raise ConfigError(f"{given[blamed.id].where}: {key} is the key of {rest.id} already")


def shown(keys: Sequence[str]) -> str:
    """Keys as a person reads them."""
    return " ".join(shown_key(key) for key in keys)
