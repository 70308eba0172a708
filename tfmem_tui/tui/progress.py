"""Long acts: in a thread of their own, with a bar when they take more than a moment, and a way to stop them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Button, ProgressBar, Static

from tfmem_tui.tui.answers import Done, Failed
from tfmem_tui.tui.host import host
from tfmem_tui.tui.questions import LongJob
from tfmem_tui.tui.screens.dialog import Dialog

if TYPE_CHECKING:
    from tfmem_tui.core.store import Store
    from tfmem_tui.tui.screens.view import View

T = TypeVar("T")
SHOWN_AFTER_SECONDS = 0.25
FRAME_SECONDS = 0.1


class Stopped(Exception):
    """The person stopped the act; raised where it reports its progress."""


@dataclass(slots=True)
class Progress:
    """How far an act is. Written by its thread, read by the screen."""

    done: int = 0
    total: int | None = None
    stop: bool = False

    def report(self, done: int, total: int | None = None) -> None:
        """Says how far the act is. Raises ``Stopped`` when it is to end here."""
        self.done, self.total = done, total
        if self.stop:
            raise Stopped


class Working(Dialog[None]):
    """A long act: how far it is, and a way to stop it."""

    def __init__(self, title: str, progress: Progress) -> None:
        super().__init__()
        self.title_text = title
        self._progress = progress

    def inside(self) -> ComposeResult:
        yield ProgressBar(show_eta=False)
        yield Static(id="done", markup=False)
        with Vertical(classes="buttons"):
            yield Button("Stop", id="stop", compact=True)

    def on_mount(self) -> None:
        self._show()
        self.set_interval(FRAME_SECONDS, self._show)

    def _show(self) -> None:
        done, total = self._progress.done, self._progress.total
        self.query_one(ProgressBar).update(total=total, progress=done)
        of = f" of {total:,}" if total is not None else ""
        words = "stopping" if self._progress.stop else f"{done:,}{of}"
        self.query_one("#done", Static).update(Content.styled(words, "$quiet"))

    def on_button_pressed(self) -> None:
        self.layer_back()

    def layer_back(self) -> bool:
        """Asks the act to stop; the dialog goes when it has."""
        self._progress.stop = True
        self._show()
        return True


async def carried_through(view: View, title: str, job: LongJob[T]) -> T | None:
    """The job's value, or nothing where it failed or was stopped, which is said."""
    app, progress = host(view), Progress()

    def work(store: Store) -> T | None:
        try:
            return job(store, progress.report)
        except Stopped:
            return None

    running = asyncio.create_task(app.gateway.long(work))
    done, _ = await asyncio.wait({running}, timeout=SHOWN_AFTER_SECONDS)
    if not done:
        dialog = Working(title, progress)
        await app.push_screen(dialog)
        await asyncio.wait({running})
        if dialog in app.screen_stack:
            await dialog.dismiss()
    answer = running.result()
    if isinstance(answer, Failed):
        app.fail(answer)
    if progress.stop:
        app.notify("stopped", title=title, severity="warning", markup=False)
    return answer.value if isinstance(answer, Done) else None
