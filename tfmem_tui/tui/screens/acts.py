"""What Memories and Inspector do to the live store: save, edit, tag and delete, all as tool calls of the session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textual.content import Content

from tfmem_tui.core.records import Ladder, MemoryVersion
from tfmem_tui.tui import editor, questions
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.progress import carried_through
from tfmem_tui.tui.questions import Report
from tfmem_tui.tui.screens.dialog import Question, quoted
from tfmem_tui.tui.screens.forms import EditMemory, EditTags, Given, NewMemory
from tfmem_tui.tui.screens.view import View
from tfmem_tui.tui.widgets.detail import level_content


async def new_memory(view: View, key: str = "") -> bool:
    """Asks for a memory and saves it; whether it was saved."""
    acting = host(view).acting
    if acting is None:
        return False
    given = await view.app.push_screen_wait(NewMemory(acting.taint, key))
    return given is not None and await _call(view, "memory_save", given, "saved")


async def edit_memory(view: View, key: str) -> bool:
    """Asks for another text of a key and saves it at the session's level; whether it was saved."""
    acting = host(view).acting
    version = await view.ask(questions.effective(acting, key)) if acting is not None else None
    if version is None or acting is None:
        return False
    given = await view.app.push_screen_wait(EditMemory(acting.taint, version))
    return given is not None and await _save_over(view, version, given)


async def edit_in_editor(view: View, key: str) -> bool:
    """The same in ``$EDITOR``, while the screen stands aside; whether anything was saved."""
    acting = host(view).acting
    version = await view.ask(questions.effective(acting, key)) if acting is not None else None
    if version is None:
        return False
    try:
        text = editor.edited(view.app, version.content)
    except editor.EditorError as error:
        view.app.notify(str(error), title="not edited", severity="error", markup=False)
        return False
    if text is None:
        view.app.notify("nothing was changed", markup=False, timeout=3)
        return False
    return await _save_over(view, version, {"key": key, "content": text, "tags": list(version.tags)})


async def _save_over(view: View, version: MemoryVersion, given: Given) -> bool:
    """Saves; where another has saved since ``version`` was read, asks first."""
    acting = host(view).acting
    now = await view.ask(questions.effective(acting, version.key)) if acting is not None else None
    if now is not None and now.id != version.id:
        words = Content("Someone has saved ") + quoted(version.key) + Content(" meanwhile. Save yours over it?")
        if not await view.app.push_screen_wait(Question("Saved meanwhile", words, "Save mine")):
            return False
    return await _call(view, "memory_save", given, "saved")


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


async def delete_memories(view: View, keys: Sequence[str]) -> bool:
    """Asks once for all marked ones and deletes those that live at the session's own level (G4)."""
    acting = host(view).acting
    if acting is None:
        return False
    level = level_content(acting.taint, setting_of(view))
    words = Content(f"Delete {len(keys):,} marked memories at ") + level + Content("?\n\n")
    words += Content("Those of lower levels stay. The texts stay in the audit as deleted records.")
    if not await view.app.push_screen_wait(Question("Delete memories", words, "Delete")):
        return False
    calls: list[tuple[str, dict[str, Any]]] = [("memory_delete", {"key": key}) for key in keys]
    return await _call_each(view, "Delete memories", calls, "deleted")


async def tag_memories(view: View, keys: Sequence[str]) -> bool:
    """Adds tags to memories or takes some away; each gets a new version at the session's level."""
    acting = host(view).acting
    if acting is None:
        return False
    given = await view.app.push_screen_wait(EditTags(len(keys), acting.taint))
    if given is None:
        return False
    added, dropped = given
    found = await view.ask(questions.effective_of(acting, keys))
    calls: list[tuple[str, dict[str, Any]]] = []
    for one in found or ():
        tags = [tag for tag in dict.fromkeys([*one.tags, *added]) if tag not in dropped]
        if tags != list(one.tags):
            calls.append(("memory_save", {"key": one.key, "content": one.content, "tags": tags}))
    return bool(calls) and await _call_each(view, "Tag memories", calls, "tagged")


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


async def _call_each(view: View, title: str, calls: Sequence[tuple[str, dict[str, Any]]], done: str) -> bool:
    """Plays calls one by one, with a bar and a way to stop; says how many came about and why others did not."""
    acting = host(view).acting
    if acting is None:
        return False

    def job(store: Any, report: Report) -> tuple[int, list[str]]:
        made, refused = 0, []
        for at, (tool, arguments) in enumerate(calls):
            report(at, len(calls))
            answer = questions.tool(acting, tool, arguments)(store)
            if answer.failed:
                refused.append(str(answer.payload["error"]["message"]))
            else:
                made += 1
        return made, refused

    found = await carried_through(view, title, job)
    if found is not None:
        made, refused = found
        view.app.notify(f"{done}: {made:,}", markup=False, timeout=4)
        if refused:
            words = f"{len(refused):,} not {done}; the first: {refused[0]}"
            view.app.notify(words, severity="warning", markup=False, timeout=8)
    return True
