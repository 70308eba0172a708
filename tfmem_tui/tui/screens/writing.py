"""What the views share of writing out and copying."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tfmem_tui.core.records import AuditEvent, MemoryVersion
from tfmem_tui.tui.clipboard import Copyable
from tfmem_tui.tui.files import new_file_problem
from tfmem_tui.tui.progress import carried_through
from tfmem_tui.tui.questions import LongJob
from tfmem_tui.tui.screens.ask_file import AskFile
from tfmem_tui.tui.screens.view import View


async def write_out(
    view: View,
    what: str,
    name: str,
    endings: Sequence[str],
    job: Callable[[Path], LongJob[int]],
    path: Path | None = None,
) -> bool:
    """Asks for a new file where none was named, and writes it; whether it was written."""
    check = partial(new_file_problem, endings=endings)
    if path is None:
        words = f"{what}. {', '.join(endings)}; a new file"
        path = await view.app.push_screen_wait(AskFile("Write out", words, name, check))
    elif (problem := check(path)) is not None:
        view.app.notify(problem, title="not written", severity="error", markup=False)
        return False
    if path is None:
        return False
    count = await carried_through(view, "Write out", job(path))
    if count is None:
        return False
    view.app.notify(f"{count:,} written to {path}", markup=False)
    return True


def memory_copyable(version: MemoryVersion) -> Copyable:
    """A version as text and as JSON."""
    return Copyable(version.key, version.content, plain_json(version), version.level)


def event_copyable(event: AuditEvent) -> Copyable:
    """An event; its text is its JSON, laid out."""
    text = json.dumps(json.loads(plain_json(event)), ensure_ascii=False, indent=2)
    return Copyable(event.key, text, plain_json(event), event.level, "event")


def plain_json(record: MemoryVersion | AuditEvent) -> str:
    """A record as an export has it."""
    from tfmem_tui.exchange.plain import to_plain

    return json.dumps(to_plain(record), ensure_ascii=False)
