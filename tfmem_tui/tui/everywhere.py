"""What can be done everywhere, as the app's actions: views, history, panes, help, commands, copying, importing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import work
from textual.content import Content

from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.history import Place
from tfmem_tui.tui.host import Allowing
from tfmem_tui.tui.screens.dialog import Dialog, Question
from tfmem_tui.tui.screens.main import MainScreen
from tfmem_tui.tui.widgets.frame import takes_text

if TYPE_CHECKING:
    from tfmem_tui.tui.app import TfmemApp
    from tfmem_tui.tui.screens.command_line import Finder


class Everywhere(Allowing):
    """Mixed into the app."""

    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.EVERYWHERE,)

    @property
    def _app(self) -> TfmemApp:
        return cast("TfmemApp", self)

    # Views and panes.

    def action_view(self, name: str) -> None:
        app = self._app
        if app.allows("no_dialog"):
            app.visit(Place(name, app.main.view.selected_key() if name == "inspector" else None))

    def inspect(self, key: str) -> None:
        """Shows a key that was typed on the command line."""
        self._app.visit(Place("inspector", key))

    def action_history(self, by: int) -> None:
        app = self._app
        if isinstance(app.screen, MainScreen) and (place := app.trail.step(by)) is not None:
            app.visit(place, remember=False)

    def action_next_pane(self) -> None:
        from tfmem_tui.tui.screens.command_line import CommandLine

        screen = self._app.screen
        if isinstance(screen, MainScreen):
            if screen.is_complete:
                screen.view.next_pane()
        elif not (isinstance(screen, CommandLine) and screen.complete()):
            screen.focus_next()

    def action_zoom(self) -> None:
        if isinstance(self._app.screen, MainScreen):
            self._app.main.view.zoom()

    # Dialogs.

    def action_help(self) -> None:
        from tfmem_tui.tui.screens.help import Help

        if not isinstance(self._app.screen, Help):
            self._app.push_screen(Help())

    def action_sessions(self) -> None:
        from tfmem_tui.tui.screens.sessions import Sessions

        if self._app.acting is not None and not isinstance(self._app.screen, Dialog):
            self._app.push_screen(Sessions())

    def action_command(self) -> None:
        from tfmem_tui.tui.screens.command_line import CommandLine

        self._find(CommandLine)

    def action_palette(self) -> None:
        from tfmem_tui.tui.screens.command_line import Palette

        self._find(Palette)

    def _find(self, kind: type[Finder]) -> None:
        from tfmem_tui.tui.commands import offered

        app = self._app
        commands = offered(app.focused or app.main.view)
        app.run_worker(self._take(kind(commands)), group="dialog", exclusive=True)

    async def _take(self, finder: Finder) -> None:
        from tfmem_tui.tui.commands import carry_out

        chosen = await self._app.push_screen_wait(finder)
        if chosen is not None:
            await carry_out(*chosen)

    # Back.

    def action_leave_field(self) -> None:
        app = self._app
        if isinstance(app.screen, MainScreen):
            app.main.view.take_focus()
        else:
            self.action_layer_back()

    def action_layer_back(self) -> bool:
        """One layer back; whether there was one."""
        app = self._app
        if isinstance(app.screen, MainScreen) and not app.screen.is_complete:
            return False
        if takes_text(app.focused) and isinstance(app.screen, MainScreen):
            app.main.view.take_focus()
            return True
        if isinstance(app.screen, Dialog):
            return bool(app.screen.layer_back())
        if app.main.view.layer_back():
            return True
        if app.main.view.id != "memories":
            app.visit(app.trail.step(-1) or Place("memories"), remember=False)
            return True
        return False

    def action_back_or_quit(self) -> None:
        if not self.action_layer_back():
            self._app.exit(0)

    async def action_quit(self) -> None:
        """Leaves from wherever one is; asks first where something typed would be lost."""
        app = self._app
        if any(isinstance(screen, Dialog) and screen.unsaved for screen in app.screen_stack):
            app.run_worker(self._ask_to_quit(), group="dialog")
        else:
            app.exit(0)

    async def _ask_to_quit(self) -> None:
        words = Content("What you have typed is not saved. Quit all the same?")
        if await self._app.push_screen_wait(Question("Not saved", words, "Quit")):
            self._app.exit(0)

    # Copying.

    @work(exclusive=True, group="copy")
    async def action_copy(self, what: str) -> None:
        from tfmem_tui.tui import clipboard

        app = self._app
        found = await app.main.view.copyable()
        if found is None or (what == "key" and found.key is None):
            return
        text = {"text": found.text, "json": found.json, "key": found.key or ""}[what]
        way = await asyncio.to_thread(clipboard.copy, text, app.send_to_terminal)
        name = {"text": found.name, "json": "JSON", "key": "key"}[what]
        if way is clipboard.Way.TOO_LONG:
            words = f"{len(text):,} characters are more than a terminal takes; w writes them to a file"
            app.notify(words, title="not copied", severity="warning", markup=False, timeout=6)
            return
        app.notify(f"copied the {name} ({app.setting.signs.level(found.level)}) to {way}", markup=False, timeout=4)

    # Importing, and how it looks.

    @work(exclusive=True, group="dialog")
    async def action_import(self) -> None:
        from tfmem_tui.tui.screens.ask_file import AskFile

        app = self._app
        if app.acting is None:
            return
        words = f"a Triggerfish database, an export, notes; what names no level comes in at {app.acting.taint.name}"
        path = await app.push_screen_wait(AskFile("Import", words))
        if path is not None:
            await self._import(path)

    def import_from(self, name: str) -> None:
        """Imports a file that was named on the command line."""
        from tfmem_tui.tui.screens.ask_file import is_there

        path = Path(name).expanduser()
        problem = is_there(path)
        if problem is not None:
            self._app.notify(problem, title="not imported", severity="error", markup=False)
        else:
            self._app.run_worker(self._import(path), group="dialog", exclusive=True)

    async def _import(self, path: Path) -> None:
        from tfmem_tui.tui.files import take_in
        from tfmem_tui.tui.progress import carried_through

        app = self._app
        if app.acting is None:
            return
        took = await carried_through(app.main.view, "Import", take_in(app.acting, app.setting, path))
        if took is None:
            return
        skipped = f"; skipped: {took.skipped:,}" if took.skipped else ""
        words = f"memories: {took.memories:,}, events: {took.events:,}, here already: {took.unchanged:,}{skipped}"
        app.notify(words, title="imported", markup=False, timeout=8)
        app.main.view.reload(keep=True)

    def action_theme(self) -> None:
        """The next theme, round and round."""
        names = _themes()
        self.take_theme(names[(names.index(self._app.theme) + 1) % len(names)])

    def take_theme(self, name: str) -> None:
        """The theme that was named on the command line."""
        names = _themes()
        if name in names:
            self._app.theme = name
            self._app.notify(f"colours: {name}", markup=False, timeout=3)
        else:
            self._app.notify(f"colours are {', '.join(names)}", severity="error", markup=False)


def _themes() -> list[str]:
    from tfmem_tui.tui.themes import THEMES

    return [theme.name for theme in THEMES]
