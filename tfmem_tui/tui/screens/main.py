"""The main screen: banner, tabs, the view in sight, keys, the level once more."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Static

from tfmem_tui.tui import actions
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.screens.audit import AuditView
from tfmem_tui.tui.screens.inspector import InspectorView
from tfmem_tui.tui.screens.memories import MemoriesView
from tfmem_tui.tui.screens.simulator import SimulatorView
from tfmem_tui.tui.screens.view import View
from tfmem_tui.tui.widgets.frame import Banner, KeyBar, LevelBar, TabBar

ROOM = "tfmem needs 60 columns and 18 rows. Please make the window larger."


class MainScreen(Screen[None]):
    """Holds the four views, of which one is in sight."""

    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.EVERYWHERE)  # here, to come before Textual's own tab
    AUTO_FOCUS = "#memories-table"

    def compose(self) -> ComposeResult:
        yield Banner()
        yield TabBar()
        with ContentSwitcher(initial="memories", id="views"):
            yield MemoriesView(id="memories")
            yield InspectorView(id="inspector")
            yield AuditView(id="audit")
            yield SimulatorView(id="simulator")
        yield Static(ROOM, id="too-small", markup=False)
        yield KeyBar()
        yield LevelBar()

    @property
    def view(self) -> View:
        """The view in sight."""
        return self.query_one(f"#{self.query_one(ContentSwitcher).current}", View)

    @property
    def views(self) -> list[View]:
        """All four."""
        return list(self.query(View))

    def switch(self, name: str) -> View:
        """Brings another view into sight; the caller has it loaded."""
        self.query_one(ContentSwitcher).current = name
        self.query_one(TabBar).current = name
        view = self.view
        view.take_focus()
        view.tell_where()
        return view
