"""The app: wires store, gateway, acting session and views together. What is shown is the views' business."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual import on, work
from textual.app import App
from textual.reactive import reactive
from textual.screen import Screen
from textual.worker import Worker

from tfmem_tui.core.level import Level
from tfmem_tui.tui import crash, questions, safe_text
from tfmem_tui.tui.acting import UNWELL, Acting, Health, Setting
from tfmem_tui.tui.answers import Answer, Done, Failed
from tfmem_tui.tui.everywhere import Everywhere
from tfmem_tui.tui.gateway import Gateway, OpenStore
from tfmem_tui.tui.guard import AsciiFrames, ControlGuard
from tfmem_tui.tui.history import History, Place
from tfmem_tui.tui.keymap import DEFAULT_KEYS, Keymap
from tfmem_tui.tui.screens.main import MainScreen
from tfmem_tui.tui.screens.view import FailureMet, Inspect
from tfmem_tui.tui.signs import ASCII, UNICODE
from tfmem_tui.tui.styles import FIRST, LATER, style_sheets
from tfmem_tui.tui.themes import THEMES
from tfmem_tui.tui.times import utc_now

if TYPE_CHECKING:
    from tfmem_tui.core.store import Store

POLL_SECONDS = 0.5


class TfmemApp(Everywhere, App[int]):
    """The screen over one store. ``open_store`` is called in a thread, after the first paint."""

    TITLE = "tfmem"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (110, "-wide")]  # noqa: RUF012  # as Textual declares it
    VERTICAL_BREAKPOINTS = [(0, "-flat"), (18, "-short"), (30, "-tall")]  # noqa: RUF012

    acting: reactive[Acting | None] = reactive(None)
    health: reactive[Health] = reactive(Health.OPENING)

    def __init__(
        self,
        open_store: OpenStore,
        *,
        agent: str = "main",
        clearance: Level = Level.RESTRICTED,
        level: Level = Level.PUBLIC,
        read_only: bool = False,
        ascii_only: bool = False,
        theme: str = "dark",
        now: Callable[[], datetime] = utc_now,
        timings: bool = True,
        keymap: Keymap = DEFAULT_KEYS,
        animations: bool = True,
        settle: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(css_path=cast("Any", style_sheets(FIRST)))
        self.setting = Setting(agent, clearance, read_only, ASCII if ascii_only else UNICODE, now, timings, keymap)
        self.gateway = Gateway(open_store)
        self._first_level = level
        self._settle = settle
        self.trail = History(Place("memories"))
        self._token = ""
        self._polling = False
        self.polls = 0  # how often the store was asked whether anything has changed
        self._filters += [ControlGuard(), *([AsciiFrames()] if ascii_only else [])]
        for one in THEMES:
            self.register_theme(one)
        self.theme = theme
        self.set_keymap(keymap.moved())
        if not animations:
            self.animation_level = "none"

    def get_default_screen(self) -> Screen[Any]:
        return MainScreen()

    @property
    def main(self) -> MainScreen:
        """The screen under all dialogs."""
        return cast("MainScreen", self.screen_stack[0])

    # Opening, living, closing.

    def on_ready(self) -> None:
        """The first paint is done; only now is the engine imported and the store opened."""
        self.run_worker(self._open(), exit_on_error=True)

    async def _open(self) -> None:
        self.stylesheet.read_all(style_sheets(LATER))
        self.refresh_css(animate=False)
        await self.main.complete()
        if not self.main.is_complete:
            return
        opened = await self.gateway.open()
        if isinstance(opened, Done):
            self.setting = replace(self.setting, read_only=self.setting.read_only or opened.value.read_only)
            for warning in opened.value.warnings:
                self.notify(warning, title="store", severity="warning", markup=False, timeout=12)
            await self._become(await self.gateway.write(questions.act_at(self.setting, self._first_level)))
            self.set_interval(POLL_SECONDS, self._poll)
            if self._settle is not None:
                self._settle()
        elif isinstance(opened, Failed):
            self.health = Health.FAILED
            self.main.view.say_failed(opened)

    async def _become(self, answer: Answer[Acting]) -> bool:
        """Acts as the session of an answer: what was shown goes at once, what this one may see comes."""
        if not isinstance(answer, Done):
            if isinstance(answer, Failed):
                self.fail(answer)
            return False
        await self.become(answer.value)
        return True

    async def become(self, acting: Acting) -> None:
        """Acts as ``acting`` from now on."""
        for view in self.main.views:
            view.forget()
        self.acting, self.health = acting, Health.LIVE
        pulse = await self.gateway.poll(questions.pulse(acting))  # before the rows, so that no change falls between
        if self.acting is not acting:
            return
        self._token = pulse.value.token if isinstance(pulse, Done) else ""
        self.main.view.reload(keep=True)
        self.main.view.tell_where()

    @property
    def token(self) -> str:
        """The state of the store, as far as the acting session may see it, when it was last asked for."""
        return self._token

    @property
    def acting_id(self) -> str | None:
        """The id of the acting session."""
        return None if self.acting is None else self.acting.session_id

    @property
    def busy_with_timers(self) -> bool:
        """Whether a view waits for a pause in typing or moving before it asks."""
        return any(view.waiting for view in self.main.views)

    def known_key(self) -> str | None:
        """The key that was last looked at, for a form that wants one."""
        keys = (view.selected_key() for view in self.main.views)
        return next((key for key in keys if key is not None and safe_text.is_plain(key)), None)

    def _poll(self) -> None:
        if self.acting is not None and not self._polling:
            self._polling = True
            _: Worker[None] = self.run_worker(partial(self._pulse, self.acting), exit_on_error=True)

    async def _pulse(self, acting: Acting) -> None:
        answer = await self.gateway.poll(questions.pulse(acting))
        self._polling = False
        self.polls += 1
        if self.acting is not acting:
            return
        if isinstance(answer, Failed):
            self.health = UNWELL.get(answer.why, Health.BUSY)
        elif isinstance(answer, Done):
            self.health = Health.LIVE
            pulse, before = answer.value, self._token
            self._token = pulse.token
            if pulse.taint is not acting.taint:  # raised in another process (G6)
                self.acting = replace(acting, taint=pulse.taint)
                self.main.view.reload(keep=True)
            elif pulse.token != before:
                self.main.view.reload(keep=True)

    async def on_unmount(self) -> None:
        """Stores and threads are given up."""
        await self.gateway.close()

    def send_to_terminal(self, sequence: str) -> None:
        """Writes a control sequence of the program's own past the screen."""
        if self._driver is not None:
            self._driver.write(sequence)
            self._driver.flush()

    # Failures.

    @on(FailureMet)
    def _failure_met(self, event: FailureMet) -> None:
        self.fail(event.failed)

    def fail(self, failed: Failed) -> None:
        """Says what could not be done, and what that means for the whole screen."""
        self.health = UNWELL.get(failed.why, self.health)
        self.notify(failed.message, title=str(failed.why), severity="error", markup=False, timeout=8)

    def _handle_exception(self, error: Exception) -> None:
        """Ends the app with a report that holds no stored text; Textual's own would show locals and messages."""
        self._return_code = crash.EXIT_CODE
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        from rich.text import Text

        self.panic(Text(crash.report(error)))

    def allows(self, predicate: str) -> bool:
        """``no_dialog``: the views are on top; ``may_switch``: so they are, over an open store; ``level_N``: to N."""
        on_top = isinstance(self.screen, MainScreen) and self.screen.is_complete
        if predicate == "no_dialog":
            return on_top
        if predicate == "may_switch":
            return on_top and self.acting is not None
        if predicate == "may_copy":
            return on_top and self.main.view.selected_key() is not None
        if predicate == "may_import":
            full = self.setting.clearance is max(Level)
            return on_top and full and super().allows("may_write")
        if predicate.startswith("level_"):
            return self.allows("may_switch") and int(predicate[-1]) <= self.setting.clearance
        return super().allows(predicate)

    @work(group="acting", exclusive=True)
    async def action_act_at(self, level: int) -> None:
        await self._become(await self.gateway.write(questions.act_at(self.setting, Level(level))))

    async def act(self, job: questions.Job[Acting]) -> bool:
        """Acts as the session that a job answers with; whether it came to that."""
        return await self._become(await self.gateway.write(job))

    # Where one is.

    @on(Inspect)
    def _inspect(self, event: Inspect) -> None:
        self.visit(Place("inspector", event.key))

    def visit(self, place: Place, *, remember: bool = True) -> None:
        """Goes to a place; ``remember`` lets ``[`` come back from it."""
        if remember:
            self.trail.visit(place)
        view = self.main.switch(place.view)
        if place.key is not None:
            view.look_at(place.key)
        if self.acting is not None:
            view.reload(keep=True)


def run(
    path: Path,
    *,
    agent: str,
    clearance: Level = Level.RESTRICTED,
    read_only: bool = False,
    create: bool = True,
    ascii_only: bool = False,
    mouse: bool = True,
    theme: str = "dark",
    keymap: Keymap = DEFAULT_KEYS,
    animations: bool = True,
) -> int:
    """Shows the screen until the person leaves it; returns the exit code (3: the store could not be opened)."""

    def open_store() -> Store:
        from tfmem_tui.core.store import Store

        return Store.open(path, agent=agent, read_only=read_only, create=create)

    app = TfmemApp(
        open_store,
        agent=agent,
        clearance=clearance,
        read_only=read_only,
        ascii_only=ascii_only,
        theme=theme,
        keymap=keymap,
        animations=animations,
        settle=gc.freeze,  # what is loaded by now stays: looking through it for garbage would hold up the screen
    )
    result = app.run(mouse=mouse)
    if app.return_code == crash.EXIT_CODE:
        return crash.EXIT_CODE
    return 3 if app.health is Health.FAILED else (result or 0)
