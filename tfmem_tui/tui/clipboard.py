"""Copying: to the system's clipboard where there is one at this screen, else by OSC 52 to the terminal's.

Only text that a person asks to copy goes out here, encoded; no byte of it is obeyed by the terminal.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tfmem_tui.core.level import Level

# xterm takes 100,000 bytes of an escape sequence, and many terminals have followed it.
MOST_OSC52_BYTES = 74_994
REMOTE = ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT")


@dataclass(frozen=True, slots=True)
class Copyable:
    """What can be copied of the row or record in sight."""

    key: str | None
    text: str
    json: str
    level: Level
    name: str = "content"


class Way(StrEnum):
    """How a text got out."""

    SYSTEM = "the system clipboard"
    TERMINAL = "the terminal's clipboard"
    TOO_LONG = "too long"


def copy(text: str, write: Callable[[str], None], environment: Mapping[str, str] | None = None) -> Way:
    """Copies ``text``; ``write`` sends a string to the terminal. ``TOO_LONG`` where neither way takes it."""
    env = os.environ if environment is None else environment
    if not any(env.get(name) for name in REMOTE) and _to_system(text):
        return Way.SYSTEM
    if len(text.encode()) > MOST_OSC52_BYTES:
        return Way.TOO_LONG
    write(osc52(text, tmux=bool(env.get("TMUX")), screen=env.get("TERM", "").startswith("screen")))
    return Way.TERMINAL


def osc52(text: str, *, tmux: bool = False, screen: bool = False) -> str:
    """The sequence that sets a terminal's clipboard, wrapped so that tmux or GNU screen hands it on."""
    sequence = f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07"
    if tmux:
        return "\x1bPtmux;" + sequence.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    return f"\x1bP{sequence}\x1b\\" if screen else sequence


def _to_system(text: str) -> bool:
    import pyperclip

    try:
        pyperclip.copy(text)
    except pyperclip.PyperclipException:
        return False
    return True
