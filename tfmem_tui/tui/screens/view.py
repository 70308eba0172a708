"""What the four views share: how the app tells them what has changed, and how they tell where one is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from tfmem_tui.tui.answers import Answer, Done, Failed
from tfmem_tui.tui.clipboard import Copyable
from tfmem_tui.tui.gateway import Job
from tfmem_tui.tui.host import Allowing, host
from tfmem_tui.tui.widgets.frame import KeyBar, TabBar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pane:
    """A part of a view: what takes the room, and what in it takes the focus."""

    box: Widget
    focus: Widget


class Inspect(Message):
    """A key is to be shown in the inspector."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


class FailureMet(Message):
    """Something could not be done; the app says so and judges what it means for the whole screen."""

    def __init__(self, failed: Failed) -> None:
        super().__init__()
        self.failed = failed


class View(Allowing, Vertical):
    """One of the four views; only the one in sight asks the core for anything."""

    def reload(self, *, keep: bool) -> None:
        """Shows the state of the store as the acting session sees it; with ``keep`` the cursor stays on its row."""
        raise NotImplementedError

    def path(self) -> Content:
        """Where in the view one is, for the line of tabs."""
        return Content("")

    def layer_back(self) -> bool:
        """Takes one layer off (a search, a filter, a zoom); ``False`` where there is none."""
        return False

    def panes(self) -> list[Pane]:
        """The panes that ``tab`` goes through, the main one first."""
        raise NotImplementedError

    def forget(self) -> None:
        """Takes everything stored off the screen: it may be above the session that acts from now on (G2)."""
        raise NotImplementedError

    def say_failed(self, failed: Failed) -> None:
        """Says in place of what would be shown why it is not."""

    @property
    def waiting(self) -> bool:
        """Whether something is asked as soon as the person pauses."""
        return False

    def selected_key(self) -> str | None:
        """The key under the cursor."""
        return None

    async def copyable(self) -> Copyable | None:
        """What can be copied of what is under the cursor."""
        return None

    def look_at(self, key: str) -> None:
        """Turns to a key; for the view that shows one."""

    def take_focus(self) -> None:
        """Puts the focus on the main pane."""
        self.show_pane(next((pane for pane in self.panes() if pane.box.has_class("-front")), self.panes()[0]))

    @property
    def in_sight(self) -> bool:
        """Whether the view is the one shown."""
        return bool(self.display) and host(self).acting is not None

    async def ask(self, job: Job[T], how: Any = None) -> T | None:
        """A read's value, or nothing where it failed (which is said) or nobody waits for it."""
        answer: Answer[T] = await (how or host(self).gateway.read)(job)
        if isinstance(answer, Done):
            return answer.value
        if isinstance(answer, Failed):
            self.post_message(FailureMet(answer))
        return None

    def tell_where(self) -> None:
        """Has the line of tabs and the keys drawn anew."""
        if self.display and self.is_attached:
            self.screen.query_one(TabBar).path = self.path()
            self.screen.query_one(KeyBar).refresh_keys()

    # One pane at a time where the screen is narrow, and when zoomed.

    def next_pane(self) -> None:
        """Focuses the pane after the focused one."""
        panes = self.panes()
        at = next((i for i, pane in enumerate(panes) if pane.box.has_focus_within or pane.box.has_focus), -1)
        self.show_pane(panes[(at + 1) % len(panes)])

    def show_pane(self, pane: Pane) -> None:
        """Focuses a pane; where one has the room to itself, it is the one that is shown."""
        if pane.box.has_class("-front"):
            pane.focus.focus()
            return
        self.screen.set_focus(None)  # else hiding the focused pane would send the focus to any other field
        for one in self.panes():
            one.box.set_class(one.box is pane.box, "-front")
        self.call_after_refresh(pane.focus.focus)

    def zoom(self) -> None:
        """Gives the focused pane all the room, or takes it back; where one has it anyway, shows the other."""
        if not self.screen.has_class("-wide"):
            self.next_pane()
            return
        self.toggle_class("-zoomed")
        focused = next((pane for pane in self.panes() if pane.box.has_focus_within or pane.box.has_focus), None)
        self.show_pane(focused or self.panes()[0])
