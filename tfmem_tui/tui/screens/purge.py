"""Removing ended versions for good: by age or those that are marked; counted first, and confirmed by typing a word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Label, Static

from tfmem_tui.core.level import readable
from tfmem_tui.core.records import MemoryVersion
from tfmem_tui.moments import parse_age
from tfmem_tui.tui import questions
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.progress import carried_through
from tfmem_tui.tui.screens.dialog import Dialog
from tfmem_tui.tui.screens.view import View
from tfmem_tui.tui.widgets.detail import level_content

WORD = "purge"
USUAL_AGE = "90d"


class AskAge(Dialog[timedelta | None]):
    """Asks how long ago a version must have ended."""

    title_text = "Purge by age"

    def inside(self) -> ComposeResult:
        words = "Deleted, replaced and expired versions that ended longer ago than this. Live ones stay."
        yield Static(words, markup=False, classes="words")
        yield Label("older than, such as 90d, 12w or 3h", markup=False)
        yield Input(USUAL_AGE, id="age", compact=True)
        yield Static(id="problem", markup=False)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def _given(self, event: Input.Submitted) -> None:
        age = parse_age(event.value.strip())
        if age is None:
            problem = Content.styled("expected a length of time such as 90d, 12w or 3h", "$error")
            self.query_one("#problem", Static).update(problem)
        else:
            self.dismiss(age)


class Purge(Dialog[bool | None]):
    """Says what would go, and goes on only when the word is typed."""

    title_text = "Purge"

    def __init__(self, words: Content) -> None:
        super().__init__()
        self._words = words

    def inside(self) -> ComposeResult:
        yield Static(self._words, markup=False, classes="words")
        yield Label(f"type {WORD} to go on", markup=False)
        yield Input(id="word", compact=True)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def _given(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() == WORD)


async def purge(view: View, marked: Sequence[MemoryVersion]) -> bool:
    """Purges the marked versions, or those of an age that is asked for; whether anything was purged."""
    acting, setting = host(view).acting, setting_of(view)
    if acting is None:
        return False
    versions: Sequence[MemoryVersion] = marked
    if not versions:
        age = await view.app.push_screen_wait(AskAge())
        if age is None:
            return False
        found = await view.ask(questions.purgeable(setting, acting, age))
        if not found:
            if found is not None:
                view.app.notify("nothing has ended so long ago", markup=False, timeout=4)
            return False
        versions = found
    if not await view.app.push_screen_wait(Purge(what_goes(versions, setting))):
        view.app.notify("nothing was purged", markup=False, timeout=4)
        return False
    job = questions.purge(setting, acting, [one.ref for one in versions])
    report = await carried_through(view, "Purge", lambda store, _: job(store))
    if report is None:
        return False
    rest = "" if report.wiped else "; an open reader kept the write-ahead log: purge again when it is gone"
    view.app.notify(f"purged: {report.versions:,}{rest}", markup=False, timeout=6)
    return True


def what_goes(versions: Sequence[MemoryVersion], setting: Setting) -> Content:
    """How many versions of which level and state go, and what that means."""
    counts = Counter((one.level, one.end_reason or "ended") for one in versions)
    lines = [Content(f"{len(versions):,} versions go for good:"), Content("")]
    for level in readable(max(one.level for one in versions)):
        states = ", ".join(f"{count:,} {state}" for (at, state), count in sorted(counts.items()) if at is level)
        if states:
            lines.append(level_content(level, setting) + Content(f"  {states}"))
    lines += [Content(""), Content("Their texts are gone from the file then. The audit keeps key, level and time.")]
    return Content("\n").join(lines)
