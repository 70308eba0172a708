"""What Memories and Inspector do to the live store: a new memory and a delete, both as tool calls of the session."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from tfmem_tui.core.records import Ladder
from tfmem_tui.tui import questions
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.screens.dialog import NewMemory, Question, quoted
from tfmem_tui.tui.screens.view import View
from tfmem_tui.tui.widgets.detail import level_content


async def new_memory(view: View, key: str = "") -> bool:
    """Asks for a memory and saves it; whether it was saved."""
    acting = host(view).acting
    if acting is None:
        return False
    given = await view.app.push_screen_wait(NewMemory(acting.taint, key))
    return given is not None and await _call(view, "memory_save", given, "saved")


async def delete_memory(view: View, key: str) -> bool:
    """Asks, saying what the delete will uncover, and deletes; whether it was deleted."""
    acting = host(view).acting
    found = await view.ask(questions.detail(acting, key)) if acting is not None else None
    if found is None or not found.ladder.deletable:
        return False
    words = what_follows(found.ladder, setting_of(view))
    if not await view.app.push_screen_wait(Question("Delete memory", words, "Delete")):
        return False
    return await _call(view, "memory_delete", {"key": key}, "deleted")


def what_follows(ladder: Ladder, setting: Setting) -> Content:
    """What a delete takes away and what it uncovers."""
    first = (
        Content("Delete ") + quoted(ladder.key) + Content(" at ") + level_content(ladder.taint, setting) + Content("?")
    )
    kept = Content.styled("The text stays in the audit as a deleted record.", "$quiet")
    if ladder.uncovers is None:
        return Content("\n").join(
            [first, Content(""), Content("Nothing lies below it: the key will not be found."), kept]
        )
    below = ladder.uncovers
    uncovered = Content("It uncovers what ") + level_content(below.level, setting) + Content(" says: ")
    return Content("\n").join([first, Content(""), uncovered + quoted(below.content, 60), kept])


async def _call(view: View, tool: str, arguments: Mapping[str, object], done: str) -> bool:
    acting = host(view).acting
    if acting is None:
        return False
    answer = await view.ask(questions.tool(acting, tool, arguments), host(view).gateway.write)
    if answer is None:
        return False
    if answer.failed:
        view.app.notify(str(answer.payload["error"]["message"]), title="not " + done, severity="error", markup=False)
        return False
    level = f" at {answer.level.name}" if answer.level is not None else ""
    view.app.notify(f"{done}{level}", markup=False, timeout=3)
    return True
