"""The one registry of actions: bindings, footer and help are views of it, and of nothing else.

What an action does lives in the widget that handles it; whether it is allowed is asked there by the predicate's name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from textual.binding import Binding


class Scope(StrEnum):
    """Where an action applies; the value is the heading in the help."""

    EVERYWHERE = "Everywhere"
    LISTS = "Lists"
    MEMORIES = "Memories"
    INSPECTOR = "Inspector"
    AUDIT = "Audit"
    SIMULATOR = "Simulator"
    SESSIONS = "Sessions"
    CHOICE = "Choosing from a list"
    TEXT = "In a text field"


@dataclass(frozen=True, slots=True)
class Action:
    """Something a person can do: its keys, its words, where it applies and who carries it out."""

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    scope: Scope
    handler: str  # an action of the widget that holds the scope, or ``app.…``
    allowed: str = "always"  # the predicate that the handling widget is asked for
    weight: int = 0  # the greater, the longer it stays in a narrow footer; 0: in the help alone
    shown: str = ""  # the key as it is shown, where its name would not do

    @property
    def key(self) -> str:
        """The first key as a person reads it."""
        return self.shown or NAMES.get(self.keys[0], self.keys[0])


NAMES = {
    "question_mark": "?",
    "slash": "/",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "enter": "⏎",
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
}

E, L, M, I, A, S, T, C, X = (  # noqa: E741  # the scopes' initials keep the table below readable
    Scope.EVERYWHERE,
    Scope.LISTS,
    Scope.MEMORIES,
    Scope.INSPECTOR,
    Scope.AUDIT,
    Scope.SIMULATOR,
    Scope.SESSIONS,
    Scope.CHOICE,
    Scope.TEXT,
)

REGISTRY: tuple[Action, ...] = (
    # What the focused pane offers comes first in the footer, in this order; then what holds everywhere.
    Action(
        "memories.find",
        ("slash",),
        "find",
        "search key, content and tags as you type",
        M,
        "find",
        "not_typing",
        weight=90,
    ),
    Action("memories.filter", ("f",), "filter", "show only memories with a tag", M, "add_filter", weight=60),
    Action("memories.unfilter", ("x",), "drop", "drop the last filter", M, "drop_filter", "has_filters", weight=40),
    Action("memories.clear", ("X",), "clear", "drop all filters", M, "drop_filters", "has_filters"),
    Action("memories.left", ("less_than_sign",), "column", "choose the column to the left", M, "column(-1)"),
    Action("memories.right", ("greater_than_sign",), "column", "choose the column to the right", M, "column(1)"),
    Action("memories.sort", ("o",), "sort", "order by the chosen column; again: the other way", M, "sort", weight=50),
    Action("lists.inspect", ("enter",), "inspect", "show the key in the inspector", L, "choose", "may_inspect", 80),
    Action("memories.new", ("n",), "new", "save a memory at this session's level", M, "new", "may_write", weight=70),
    Action("memories.delete", ("d",), "delete", "delete it; says what that uncovers", M, "delete", "may_delete", 65),
    Action("inspector.lower", ("h", "left"), "lower", "act one level lower", I, "step(-1)", "has_lower", 60),
    Action("inspector.higher", ("l", "right"), "higher", "act one level higher", I, "step(1)", "has_higher", 60),
    Action("inspector.delete", ("d",), "delete", "delete it; says what that uncovers", I, "delete", "may_delete", 50),
    Action("audit.other", ("tab",), "deleted/events", "deleted records, or the event log", A, "other_list", weight=80),
    Action("audit.check", ("c",), "check", "check the chain of every visible level", A, "check", weight=70),
    Action("simulator.call", ("enter",), "call", "run the call on the snapshot", S, "call", "has_tool", weight=90),
    Action("simulator.compare", ("c",), "all levels", "the same call at every level", S, "compare", "has_tool", 60),
    Action("simulator.write", ("w",), "write", "write the calls as a scenario", S, "write", "has_recorded", 50),
    Action("simulator.open", ("O",), "open", "play a scenario file", S, "open", weight=45),
    Action("simulator.live", ("L",), "live store", "switch to the live store, or back", S, "live", "may_write", 35),
    Action("simulator.fresh", ("R",), "fresh copy", "take a new snapshot", S, "fresh", weight=40),
    Action("sessions.act", ("enter",), "act as it", "act as the chosen session", T, "act", "has_row", weight=90),
    Action("sessions.new", ("n",), "new", "start a session at a level", T, "new", "may_write", weight=80),
    Action("sessions.raise", ("R",), "raise", "raise the session's taint for good", T, "raise_taint", "may_raise", 70),
    Action("sessions.reset", ("0",), "reset", "end it and start afresh at PUBLIC", T, "reset", "may_reset", weight=60),
    Action("choice.take", ("enter",), "take", "take the row under the cursor", C, "take", "has_row", weight=90),
    Action("text.leave", ("escape",), "leave the field", "leave the field", X, "app.leave_field", weight=90),
    Action("lists.down", ("j", "down"), "down", "one row down", L, "move(1)"),
    Action("lists.up", ("k", "up"), "up", "one row up", L, "move(-1)"),
    Action("lists.first", ("g", "home"), "first", "to the first row", L, "first"),
    Action("lists.last", ("G", "end"), "last", "to the last row", L, "last"),
    Action("lists.pageup", ("pageup", "ctrl+b"), "page up", "one page up", L, "page(-1)"),
    Action("lists.pagedown", ("pagedown", "ctrl+f"), "page down", "one page down", L, "page(1)"),
    Action(
        "app.sessions",
        ("t",),
        "session",
        "choose, start or raise a session",
        E,
        "app.sessions",
        "may_switch",
        weight=75,
    ),
    *(
        Action(
            f"app.act{level}",
            (str(level),),
            "level",
            f"act as the scratch session at {name}",
            E,
            f"app.act_at({level})",
            f"level_{level}",
            weight=72 if level == 1 else 0,
        )
        for level, name in enumerate(("PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"), start=1)
    ),
    Action("app.memories", ("m",), "Memories", "the memories view", E, "app.view('memories')", "no_dialog"),
    Action(
        "app.inspector",
        ("i",),
        "Inspector",
        "inspect the selected key",
        E,
        "app.view('inspector')",
        "no_dialog",
    ),
    Action("app.audit", ("a",), "Audit", "deleted records and the event log", E, "app.view('audit')", "no_dialog"),
    Action("app.simulator", ("s",), "Simulator", "try a call on a snapshot", E, "app.view('simulator')", "no_dialog"),
    Action(
        "app.earlier",
        ("left_square_bracket",),
        "earlier",
        "the view before",
        E,
        "app.history(-1)",
        "no_dialog",
    ),
    Action("app.later", ("right_square_bracket",), "later", "the view after", E, "app.history(1)", "no_dialog"),
    Action("app.next_pane", ("tab",), "next", "to the next pane or field", E, "app.next_pane", weight=30),
    Action("app.zoom", ("z",), "zoom", "give the focused pane all the room", E, "app.zoom", "no_dialog", weight=20),
    Action("app.help", ("question_mark",), "help", "all keys", E, "app.help", weight=99),
    Action("app.back", ("escape",), "back", "one layer back", E, "app.back"),
    Action("app.quit", ("q",), "back", "one layer back; at the top: quit", E, "app.back_or_quit", weight=95),
)


def of(*scopes: Scope) -> list[Action]:
    """The actions of the scopes, in the registry's order."""
    return [action for action in REGISTRY if action.scope in scopes]


# What is typed right after these, as over a slow line, belongs to the field that they lead to: they are carried out
# before the next key is looked at, and not in the turn of whatever has the focus.
AT_ONCE = frozenset({"memories.find"})
AT_ONCE_IN_DIALOGS = frozenset({"app.next_pane"})


def bindings(*scopes: Scope) -> list[Binding]:
    """Textual bindings of the scopes' actions; their ids are the actions', so that a keymap can move them."""
    return [
        Binding(
            ",".join(action.keys),
            action.handler,
            action.label,
            show=False,
            id=action.id,
            priority=action.id in AT_ONCE,
        )
        for action in of(*scopes)
    ]


def dialog_bindings() -> list[Binding]:
    """What holds everywhere and over a dialog too; Textual asks no further than a modal screen for bindings."""
    kept = {action.id for action in of(Scope.EVERYWHERE) if action.allowed == "always"}
    return [replace(one, priority=one.id in AT_ONCE_IN_DIALOGS) for one in bindings(Scope.EVERYWHERE) if one.id in kept]


def by_handler(scopes: Iterable[Scope], handler: str) -> Action | None:
    """The action of the scopes that ``handler``, as in the registry without ``app.``, carries out."""
    return next((action for action in of(*scopes) if action.handler.removeprefix("app.") == handler), None)
