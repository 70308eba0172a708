"""The one registry of actions: bindings, footer, help, command line and palette are views of it, and of nothing else.

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
    PLAY = "Playing a scenario"
    TEXT = "In a text field"


@dataclass(frozen=True, slots=True)
class Action:
    """Something a person can do: its keys, its words, where it applies and who carries it out."""

    id: str
    keys: tuple[str, ...]  # none: in the command line and the palette alone
    label: str
    help: str
    scope: Scope
    handler: str  # an action of the widget that holds the scope, or ``app.…``
    allowed: str = "always"  # the predicate that the handling widget is asked for
    weight: int = 0  # the greater, the longer it stays in a narrow footer; 0: in the help alone
    takes: str = ""  # what may follow its name on the command line, as a person reads it
    given: str = ""  # the method that is handed what follows

    @property
    def name(self) -> str:
        """Its name on the command line: the id without its room."""
        return self.id.partition(".")[2]

    @property
    def key(self) -> str:
        """The first key as a person reads it."""
        return shown_key(self.keys[0]) if self.keys else ""


NAMES = {
    "question_mark": "?",
    "slash": "/",
    "colon": ":",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "enter": "⏎",
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
}


def shown_key(key: str) -> str:
    """A key as a person reads it."""
    return NAMES.get(key, key)


def _a(
    id: str,
    keys: str,
    label: str,
    help: str,
    handler: str,
    allowed: str = "always",
    weight: int = 0,
    takes: str = "",
    given: str = "",
) -> Action:
    scope = ROOMS[id.partition(".")[0]]
    return Action(id, tuple(keys.split()), label, help, scope, handler, allowed, weight, takes, given)


ROOMS = {
    "app": Scope.EVERYWHERE,
    "lists": Scope.LISTS,
    "memories": Scope.MEMORIES,
    "inspector": Scope.INSPECTOR,
    "audit": Scope.AUDIT,
    "simulator": Scope.SIMULATOR,
    "sessions": Scope.SESSIONS,
    "choice": Scope.CHOICE,
    "play": Scope.PLAY,
    "text": Scope.TEXT,
}
LEVELS = ("PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED")
FILTER = "show only what has a tag, a level, an age, a session"
FILTER_EVENTS = "show only what has a session, action, outcome, key, level, time"
FIND = "search key, content and tags as you type"
DELETE = "delete it; says what that uncovers"
EDIT = "change the text: a new version at this session's level"
EDITOR = "change the text in $EDITOR: a new version"

REGISTRY: tuple[Action, ...] = (
    # What the focused pane offers comes first in the footer, in this order; then what holds everywhere.
    _a("memories.find", "slash", "find", FIND, "find", "not_typing", 90, "WORDS", "find_words"),
    _a("memories.filter", "f", "filter", FILTER, "add_filter", "always", 60, "FILTER", "filter_by"),
    _a("memories.unfilter", "x", "drop", "drop the last filter", "drop_filter", "has_filters", 40),
    _a("memories.clear", "X", "clear", "drop all filters", "drop_filters", "has_filters"),
    _a("memories.left", "less_than_sign", "column", "choose the column to the left", "column(-1)"),
    _a("memories.right", "greater_than_sign", "column", "choose the column to the right", "column(1)"),
    _a("memories.sort", "o", "sort", "order by the chosen column; again: the other way", "sort", weight=50),
    _a("lists.inspect", "enter", "inspect", "show the key in the inspector", "choose", "may_inspect", 80),
    _a("memories.new", "n", "new", "save a memory at this session's level", "new", "may_write", 70),
    _a("memories.edit", "e", "edit", EDIT, "edit", "may_edit", 66),
    _a("memories.editor", "E", "editor", EDITOR, "editor", "may_edit"),
    _a(
        "memories.delete",
        "d",
        "delete",
        "delete it or the marked ones; says what that uncovers",
        "delete",
        "may_end",
        65,
    ),
    _a("memories.tag", "T", "tag", "add tags to the marked memories, or take some away", "tag", "may_edit", 0),
    _a("lists.mark", "space", "mark", "mark the row, or take its mark away", "mark", "may_mark", 45),
    _a("lists.range", "V", "range", "mark from here; again: up to here", "mark_range", "may_mark"),
    _a(
        "lists.write",
        "w",
        "write",
        "write what is marked, or else shown, to a file",
        "write",
        "may_export",
        35,
        "FILE",
        "write_to",
    ),
    _a("inspector.lower", "h left", "lower", "act one level lower", "step(-1)", "has_lower", 60),
    _a("inspector.higher", "l right", "higher", "act one level higher", "step(1)", "has_higher", 60),
    _a(
        "inspector.diff", "v", "diff", "compare with the marked version, or with the one before", "diff", "may_diff", 55
    ),
    _a("inspector.edit", "e", "edit", EDIT, "edit", "may_edit", 52),
    _a("inspector.editor", "E", "editor", EDITOR, "editor", "may_edit"),
    _a("inspector.delete", "d", "delete", DELETE, "delete", "may_delete", 50),
    _a(
        "audit.other",
        "tab",
        "other list",
        "deleted records, the event log, or pictures of both",
        "other_list",
        weight=80,
    ),
    _a("audit.restore", "u", "restore", "save the deleted text again at its level", "restore", "may_restore", 66),
    _a("audit.purge", "p", "purge", "remove ended texts for good, by age or those marked", "purge", "may_purge", 55),
    _a("audit.diff", "v", "diff", "compare the deleted text with what lives now", "diff", "on_deleted", 60),
    _a("audit.filter", "f", "filter", FILTER_EVENTS, "add_filter", "has_list", 58, "FILTER", "filter_by"),
    _a("audit.unfilter", "x", "drop", "drop the last filter", "drop_filter", "has_filters", 40),
    _a("audit.clear", "X", "clear", "drop all filters", "drop_filters", "has_filters"),
    _a("audit.check", "c", "check", "check the chain of every visible level", "check", weight=70),
    _a("simulator.call", "enter", "call", "run the call on the snapshot", "call", "has_tool", 90),
    _a("simulator.compare", "c", "all levels", "the same call at every level, side by side", "compare", "has_tool", 60),
    _a(
        "simulator.write",
        "w",
        "write",
        "write the calls as a scenario",
        "write",
        "has_recorded",
        50,
        "FILE",
        "write_to",
    ),
    _a(
        "simulator.open",
        "O",
        "open",
        "play a scenario file step by step",
        "open",
        weight=45,
        takes="FILE",
        given="open_file",
    ),
    _a("simulator.live", "L", "live store", "switch to the live store, or back", "live", "may_write", 35),
    _a("simulator.fresh", "R", "fresh copy", "take a new snapshot", "fresh", weight=40),
    _a("sessions.act", "enter", "act as it", "act as the chosen session", "act", "has_row", 90),
    _a("sessions.new", "n", "new", "start a session at a level", "new", "may_write", 80),
    _a("sessions.raise", "R", "raise", "raise the session's taint for good", "raise_taint", "may_raise", 70),
    _a("sessions.reset", "0", "reset", "end it and start afresh at PUBLIC", "reset", "may_reset", 60),
    _a("choice.take", "enter", "take", "take the row under the cursor", "take", "has_row", 90),
    _a("play.next", "n space", "next step", "play the next step", "next", "has_steps", 90),
    _a("play.rest", "r", "play the rest", "play the steps that are left", "rest", "has_steps", 80),
    _a("text.leave", "escape", "leave the field", "leave the field", "app.leave_field", weight=90),
    _a("lists.down", "j down", "down", "one row down", "move(1)"),
    _a("lists.up", "k up", "up", "one row up", "move(-1)"),
    _a("lists.first", "g home", "first", "to the first row", "first"),
    _a("lists.last", "G end", "last", "to the last row", "last"),
    _a("lists.pageup", "pageup ctrl+b", "page up", "one page up", "page(-1)"),
    _a("lists.pagedown", "pagedown ctrl+f", "page down", "one page down", "page(1)"),
    _a("app.sessions", "t", "session", "choose, start or raise a session", "app.sessions", "may_switch", 75),
    *(
        _a(
            f"app.act{rank}",
            str(rank),
            "level",
            f"act as the scratch session at {name}",
            f"app.act_at({rank})",
            f"level_{rank}",
            72 if rank == 1 else 0,
        )
        for rank, name in enumerate(LEVELS, start=1)
    ),
    _a("app.memories", "m", "Memories", "the memories view", "app.view('memories')", "no_dialog"),
    _a(
        "app.inspector",
        "i",
        "Inspector",
        "inspect the selected key",
        "app.view('inspector')",
        "no_dialog",
        0,
        "KEY",
        "inspect",
    ),
    _a("app.audit", "a", "Audit", "deleted records and the event log", "app.view('audit')", "no_dialog"),
    _a("app.simulator", "s", "Simulator", "try a call on a snapshot", "app.view('simulator')", "no_dialog"),
    _a("app.earlier", "left_square_bracket", "earlier", "the view before", "app.history(-1)", "no_dialog"),
    _a("app.later", "right_square_bracket", "later", "the view after", "app.history(1)", "no_dialog"),
    _a("app.copy", "y", "copy", "copy the text", "app.copy('text')", "may_copy", 48),
    _a("app.copy_json", "Y", "copy JSON", "copy it as JSON", "app.copy('json')", "may_copy"),
    _a("app.copy_key", "K", "copy key", "copy the key", "app.copy('key')", "may_copy"),
    _a("app.command", "colon", "command", "type a command", "app.command", "no_dialog", 34),
    _a("app.palette", "ctrl+p", "palette", "find a command by its words", "app.palette", "no_dialog"),
    _a(
        "app.import",
        "",
        "import",
        "bring in memories from a file",
        "app.import",
        "may_import",
        0,
        "FILE",
        "import_from",
    ),
    _a("app.theme", "", "theme", "change the colours", "app.theme", "no_dialog", 0, "NAME", "take_theme"),
    _a("app.next_pane", "tab", "next", "to the next pane or field", "app.next_pane", weight=30),
    _a("app.zoom", "z", "zoom", "give the focused pane all the room", "app.zoom", "no_dialog", 20),
    _a("app.help", "question_mark", "help", "all keys", "app.help", weight=99),
    _a("app.back", "escape", "back", "one layer back", "app.layer_back"),
    _a("app.quit", "q", "back", "one layer back; at the top: quit", "app.back_or_quit", weight=95),
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
        if action.keys
    ]


def dialog_bindings() -> list[Binding]:
    """What holds everywhere and over a dialog too; Textual asks no further than a modal screen for bindings."""
    kept = {action.id for action in of(Scope.EVERYWHERE) if action.allowed == "always"}
    return [replace(one, priority=one.id in AT_ONCE_IN_DIALOGS) for one in bindings(Scope.EVERYWHERE) if one.id in kept]


def by_handler(scopes: Iterable[Scope], handler: str) -> Action | None:
    """The action of the scopes that ``handler``, as in the registry without ``app.``, carries out."""
    return next((action for action in of(*scopes) if action.handler.removeprefix("app.") == handler), None)
