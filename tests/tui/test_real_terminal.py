"""The screen in a real pseudo-terminal, as a person runs it: hostile text, and what another process saves."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

import pyte
import pytest

from tests.support import session_at, viewer_at
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 30.0
HOSTILE = {
    "markup": "[/] [bold]x[/bold] [@click=app.quit()]press[/]",
    "clipboard": "\x1b]52;c;aGFja2Vk\x07",
    "clear": "\x1b[2J\x1b[1;1Howned",
    "title": "\x1b]0;owned\x07\x9d0;owned\x9c",
    "c1": "\x9b31mred\x85next",
    "bidi": "user\u202egnp.exe \u2066hidden\u2069",
    "unseen": "zero\u200bwidth \U000e0041\U000e0042tags \ufeffbom",
    "flood": "Z" + "\u0301" * 300,
    "family": "👨\u200d👩\u200d👧\u200d👦 東京 ＡＢＣ",
    "long": "x" * (1024 * 1024 - 10),
}


class Terminal:
    """``tfmem open`` in a pseudo-terminal of 120 by 36, and everything that it ever wrote there."""

    def __init__(self, path: Path, home: Path, **variables: str) -> None:
        self.written = b""
        self._screen = pyte.Screen(120, 36)
        self._stream = pyte.ByteStream(self._screen)
        self._process, self._ends = None, pty.openpty()
        fcntl.ioctl(self._ends[1], termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        environment |= variables
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tfmem_tui", "open", str(path)],
            cwd=ROOT,
            env=environment,
            stdin=self._ends[1],
            stdout=self._ends[1],
            stderr=self._ends[1],
            start_new_session=True,
        )
        os.close(self._ends[1])

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        os.close(self._ends[0])

    def read_until(self, seen: bytes) -> float:
        """Reads on until ``seen`` was written since; how many seconds that took."""
        begin, since = time.monotonic(), len(self.written)
        while seen not in plain(self.written[since:]):
            left = PATIENCE_SECONDS - (time.monotonic() - begin)
            assert left > 0, "it was never written"
            if select.select([self._ends[0]], [], [], left)[0]:
                self._take()
        return time.monotonic() - begin

    def until(self, seen: str, gone: str = "") -> None:
        """Reads on until ``seen`` stands on the screen, as a terminal shows it, and ``gone`` does not."""
        begin = time.monotonic()
        while True:
            shown = "\n".join(self._screen.display)
            if seen in shown and not (gone and gone in shown):
                return
            left = PATIENCE_SECONDS - (time.monotonic() - begin)
            assert left > 0, (seen, shown)
            if select.select([self._ends[0]], [], [], left)[0]:
                self._take()

    def _take(self) -> None:
        read = os.read(self._ends[0], 65536)
        self.written += read
        self._stream.feed(read)

    def go(self, keys: str, seen: str, gone: str = "") -> None:
        """Types keys and waits for what they bring onto the screen and take from it."""
        self.press(keys)
        self.until(seen, gone)

    def press(self, keys: str) -> None:
        """Types keys."""
        os.write(self._ends[0], keys.encode())

    def leave(self) -> int:
        """Leaves by ``q``; the exit code."""
        begin = time.monotonic()
        while self._process.poll() is None:
            assert time.monotonic() - begin < PATIENCE_SECONDS
            self.press("q")
            if select.select([self._ends[0]], [], [], 0.2)[0]:
                try:
                    self.written += os.read(self._ends[0], 65536)
                except OSError:  # the other end is closed
                    break
        return self._process.wait()


# What Textual writes of its own accord: control sequences, character sets, the pointer's shape (OSC 22).
SEQUENCE = re.compile(rb"\x1b(?:\[[0-9;:<=>?]*[ -/]*[@-~]|[()][A-Z0-9]|[=>78]|\]22;[a-z]*\x07)")


def plain(written: bytes) -> bytes:
    """What was written, without the sequences that a screen of our own making may write."""
    return SEQUENCE.sub(b"", written)


@pytest.fixture
def store_file(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        memories = session_at(store, Level.PUBLIC)
        for key, content in HOSTILE.items():
            memories.save(f"evil-{key}", content, [content[:20].strip("\x00") or "t"])
        for content in (HOSTILE["clear"], HOSTILE["bidi"]):
            memories.save("gone", content)
            if content is HOSTILE["clear"]:
                memories.delete("gone")
    return path


def visit_everything(terminal: Terminal) -> None:
    """Every widget that can show stored text, over every text of the corpus."""
    go, table, escape = terminal.go, "o sort", "\x1b"
    terminal.until("evil-markup")
    terminal.until(table)
    for _ in range(len(HOSTILE) + 1):
        go("e", "saved at ○ PUBLIC", gone=table)  # its text in a field, its key in the title
        go(escape, table, gone="saved at")
        terminal.press("j")
    go("f", "Add a filter", gone=table)
    go(escape, table, gone="Add a filter")
    go("gVGV", "11 marked")
    go("T", "tags to add", gone=table)
    go(escape, table, gone="tags to add")
    go("d", "Delete memories", gone=table)
    go(escape, "11 marked", gone="Delete memories")
    go(escape, table, gone="11 marked")
    terminal.press("g")
    for _ in range(len(HOSTILE) + 1):
        go("\r", "each session gets", gone=table)
        go("m", table, gone="each session gets")
        terminal.press("j")
    go("a", "u restore")
    go("v", "Compare", gone="u restore")
    go(escape, "u restore", gone="Compare")
    go("\t", "session_start", gone="u restore")
    go("\t", "MEMORIES BY TAG")
    go("sj", "L live store", gone="MEMORIES BY TAG")
    go("\r", "AUDIT EVENT")
    go("c", "at every level", gone="L live store")
    go(escape, "L live store", gone="at every level")
    go("t", "TAINT", gone="L live store")
    go(escape, "L live store", gone="TAINT")
    go(":", "tab completes", gone="L live store")
    go(escape, "L live store", gone="tab completes")
    go("m", table, gone="L live store")


def test_no_byte_of_hostile_text_reaches_the_terminal_as_anything_but_text(store_file: Path, tmp_path: Path) -> None:
    with Terminal(store_file, tmp_path) as terminal:
        visit_everything(terminal)
        assert terminal.leave() == 0
    text = plain(terminal.written)
    assert b"\x1b]52" not in terminal.written
    assert b"\x1b]0" not in terminal.written
    assert b"\x9d" not in text.decode("utf-8", "replace").encode("latin-1", "ignore")
    shown = text.decode("utf-8", "replace")
    for char in ("\x9b", "\x85", "\u202e", "\u2066", "\u200b", "\U000e0041", "\ufeff", "\x07"):
        assert char not in shown
    assert "\u0301" * 6 not in shown


def test_what_another_process_saves_appears_in_the_open_screen_within_a_second(
    store_file: Path, tmp_path: Path
) -> None:
    with Terminal(store_file, tmp_path) as terminal:
        terminal.read_until(b"evil-markup")
        arguments = json.dumps({"key": "from-elsewhere", "content": "hello"})
        subprocess.run(
            [sys.executable, "-m", "tfmem_tui", "call", "memory_save", arguments, "--db", str(store_file)],
            cwd=ROOT,
            env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
            check=True,
            capture_output=True,
        )
        # the screen asks twice a second; the rest is room for a busy machine
        assert terminal.read_until(b"from-elsewhere") < PATIENCE_SECONDS
        assert terminal.leave() == 0


def test_keys_that_come_in_one_burst_go_where_they_would_one_by_one(store_file: Path, tmp_path: Path) -> None:
    with Terminal(store_file, tmp_path) as terminal:
        terminal.read_until(b"evil-markup")
        terminal.press("/delete north")
        terminal.read_until(b"No memory")
        terminal.press("\x1b")
        terminal.read_until(b"o sort")
        terminal.press("\x1b")
        terminal.read_until(b"evil-markup")
        terminal.press("n")
        terminal.read_until(b"New memory")
        terminal.press("burst-key\tburst content\tburst-tag\r")
        terminal.read_until(b"burst-key")
        assert terminal.leave() == 0
    with Store.open(store_file) as store:
        found = viewer_at(store, Level.PUBLIC).get("burst-key")
    assert found is not None
    assert (found.content, found.tags) == ("burst content", ("burst-tag",))


def test_a_text_is_edited_in_the_persons_editor_and_only_what_was_changed_is_saved(
    store_file: Path, tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text(
        f'#!/bin/sh\n/bin/cp "$1" {tmp_path}/seen; /usr/bin/stat -c %a "$1" > {tmp_path}/mode\n'
        f'[ -e {tmp_path}/again ] || printf " and more" >> "$1"\n: > {tmp_path}/again\n'
    )
    editor.chmod(0o755)
    with Store.open(store_file) as store:
        memories = session_at(store, Level.PUBLIC)
        memories.save("editable", "two\r\nlines\x07")
    with Terminal(store_file, tmp_path, EDITOR=str(editor), XDG_RUNTIME_DIR="") as terminal:
        terminal.read_until(b"editable")
        terminal.press("E")
        terminal.read_until(b"saved at PUBLIC")
        terminal.press("E")
        terminal.read_until(b"nothing was changed")
        assert terminal.leave() == 0
    with Store.open(store_file) as store:
        versions = viewer_at(store, Level.PUBLIC).versions("editable")
    assert [version.content for version in versions] == ["two\r\nlines\x07 and more", "two\r\nlines\x07"]
    assert (tmp_path / "mode").read_text().strip() == "600"
    assert not list(Path("/tmp").glob("tfmem-*/memory.md"))
