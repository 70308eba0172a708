"""Editing a text in the person's own editor: a private file, the screen aside, and nothing left behind."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

FILE = "memory.md"


class EditorError(Exception):
    """The text could not be edited; the message says why, without a word of it."""


def command() -> list[str]:
    """The editor as ``VISUAL``, ``EDITOR`` or else ``vi``, with its options. Raises ``EditorError``."""
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        return shlex.split(named)
    except ValueError:
        raise EditorError("EDITOR is not a command") from None


def edited(app: App[Any], text: str) -> str | None:
    """The text as it was left in the editor; ``None`` where it is as it was. Raises ``EditorError``.

    The file is 0600 in a folder 0700, in the user's runtime folder where there is one, which is never on a disk.
    """
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    where = runtime if runtime and Path(runtime).is_dir() else None
    with tempfile.TemporaryDirectory(prefix="tfmem-", dir=where) as folder:
        file = Path(folder) / FILE
        handle = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "wb") as out:
            out.write(text.encode())
        _run(app, [*command(), str(file)])
        try:
            after = file.read_bytes().decode()
        except UnicodeDecodeError:
            raise EditorError("what the editor left is not text in UTF-8; the memory is as it was") from None
        except OSError:
            raise EditorError("the editor took the file away; the memory is as it was") from None
    if after == text + "\n" and not text.endswith("\n"):
        return None  # most editors end a last line that was not ended
    if after.endswith("\n") and not text.endswith("\n"):
        after = after[:-1]
    return None if after == text else after


def _run(app: App[Any], arguments: list[str]) -> None:
    try:
        with app.suspend():
            code = subprocess.run(arguments, check=False).returncode
    except SuspendNotSupported:
        raise EditorError("this terminal cannot lend itself to an editor; use e") from None
    except OSError:
        raise EditorError(f"there is no editor called {arguments[0]}; set EDITOR") from None
    if code != 0:
        raise EditorError(f"the editor ended with code {code}; the memory is as it was")
