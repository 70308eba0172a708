"""The main screen: banner, tabs, the view in sight, keys, the level once more."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Static

from tfmem_tui.tui import actions
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.screens.view import View
from tfmem_tui.tui.widgets.frame import TABS, Banner, KeyBar, LevelBar, TabBar

ROOM = "tfmem needs 60 columns and 18 rows. Please make the window larger."


class MainScreen(Screen[None]):
    """Holds the four views, of which one is in sight. Nothing can be done before they are there."""

    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.EVERYWHERE)  # here, to come before Textual's own tab
    AUTO_FOCUS = ""

    def compose(self) -> ComposeResult:
        yield Banner()
        yield TabBar()
        yield ContentSwitcher(id="views")  # the views come right after the first paint
        yield Static(ROOM, id="too-small", markup=False)
        yield KeyBar()
        yield LevelBar()

    async def complete(self) -> None:
        """Adds the views, which the first paint does without; they are imported only now, so that it comes soon."""
        from tfmem_tui.tui.screens.audit import AuditView
        from tfmem_tui.tui.screens.inspector import InspectorView
        from tfmem_tui.tui.screens.memories import MemoriesView
        from tfmem_tui.tui.screens.simulator import SimulatorView

        switcher = self.query_one(ContentSwitcher)
        first = MemoriesView(id="memories")
        rest: list[View] = [InspectorView(id="inspector"), AuditView(id="audit"), SimulatorView(id="simulator")]
        for view in rest:
            view.display = False
        await switcher.mount_all([first, *rest])
        if first.is_mounted:  # else the person has left already
            switcher.current = "memories"
            first.take_focus()

    @property
    def is_complete(self) -> bool:
        """Whether the views are there."""
        return len(views := self.query(View)) == len(TABS) and all(view.is_mounted for view in views)

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
