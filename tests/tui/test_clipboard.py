"""Copying: the way out is chosen by where the screen runs, has a cap, and goes through tmux."""

from __future__ import annotations

import base64
import os
import subprocess
from pathlib import Path

import pytest

from tfmem_tui.tui.clipboard import MOST_OSC52_BYTES, Way, copy, osc52


def test_over_ssh_a_text_goes_to_the_terminal_encoded() -> None:
    sent: list[str] = []
    text = "naïve \x1b]52;c;evil\x07 東京"
    assert copy(text, sent.append, {"SSH_TTY": "/dev/pts/1"}) is Way.TERMINAL
    assert sent == [f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07"]


def test_in_tmux_the_sequence_is_wrapped_and_its_escapes_doubled() -> None:
    assert osc52("a", tmux=True) == "\x1bPtmux;\x1b\x1b]52;c;YQ==\x07\x1b\\"
    sent: list[str] = []
    copy("a", sent.append, {"SSH_TTY": "x", "TMUX": "/tmp/tmux"})
    assert sent[0].startswith("\x1bPtmux;")


def test_what_is_longer_than_a_terminal_takes_is_not_sent_at_all() -> None:
    sent: list[str] = []
    assert copy("é" * (MOST_OSC52_BYTES // 2), sent.append, {"SSH_TTY": "x"}) is Way.TERMINAL
    assert copy("é" * (MOST_OSC52_BYTES // 2) + "a", sent.append, {"SSH_TTY": "x"}) is Way.TOO_LONG
    assert len(sent) == 1


def test_at_a_desk_the_system_clipboard_takes_it(tmp_path: Path) -> None:
    tool = tmp_path / "xclip"
    tool.write_text(f"#!/bin/sh\n/bin/cat > {tmp_path}/copied\n")
    tool.chmod(0o755)
    script = (
        "from tfmem_tui.tui.clipboard import copy\n"
        "print(copy('x' * 200000, lambda text: print('sent to the terminal')).name)"
    )
    environment = {**os.environ, "DISPLAY": ":0", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for name in ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    import sys

    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["SYSTEM"]
    assert (tmp_path / "copied").read_text() == "x" * 200000


@pytest.mark.parametrize("name", ["SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT"])
def test_the_clipboard_of_a_far_machine_is_of_no_use(name: str) -> None:
    sent: list[str] = []
    assert copy("a", sent.append, {name: "x", "DISPLAY": ":0"}) is Way.TERMINAL
