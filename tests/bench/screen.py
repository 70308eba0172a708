"""The screen over 1,000 and over a million memories, and its first paint: ``python -m tests.bench.screen [SIZES…]``.

Each size is played in a process of its own, headless, as a session at RESTRICTED: first rows, jumps, a keystroke to
its rows (the pause in typing that the screen waits for is part of it), the longest that the event loop was held up,
and the memory of the process at its greatest. The first paint is that of the real program in a pseudo-terminal,
beside an empty Textual app, turn by turn.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import pty
import random
import resource
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench.corpus import WORDS
from tests.bench.engine import batches
from tests.bench.scale import mixed
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.tui.app import TfmemApp
from tfmem_tui.tui.widgets.memory_table import MemoryTable
from tfmem_tui.tui.widgets.paged_list import PagedList

ROOT = Path(__file__).parents[2]
WORDS_TYPED, JUMPS, PAINTS = 25, 30, 15
LAG_SECONDS = 0.02
BETWEEN_KEYS_SECONDS = 0.1  # after the rows for the last one: a quick typist
EMPTY = "from textual.app import App\nfrom textual.widgets import Static\nclass Empty(App):\n" + (
    "    def compose(self):\n        yield Static('nothing at all')\nEmpty().run()"
)


def p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)] if times else 0.0


class Lag:
    """How long the event loop is held up beyond what was asked of it."""

    def __init__(self) -> None:
        self.worst: list[float] = []

    async def watch(self) -> None:
        while True:
            begin = time.perf_counter()
            await asyncio.sleep(LAG_SECONDS)
            self.worst.append(time.perf_counter() - begin - LAG_SECONDS)


class Player:
    """One app that is measured."""

    def __init__(self, app: TfmemApp, pilot: Any) -> None:
        self.app, self.pilot = app, pilot
        self.table = app.query_one(MemoryTable)
        self.answers: list[float] = []
        self.drawn = asyncio.Event()
        posted = self.table.post_message

        def seen(message: Any) -> bool:
            if isinstance(message, PagedList.Answered) and not self.table.old:
                self.app.call_after_refresh(self._answered)
            return posted(message)

        self.table.post_message = seen  # type: ignore[method-assign]

    def _answered(self) -> None:
        self.answers.append(time.perf_counter())
        self.drawn.set()

    async def until(self, holds: Callable[[], object]) -> None:
        """Waits for answers that are drawn until something holds; looking again and again would hold up the rest."""
        while not holds():
            self.drawn.clear()
            await asyncio.wait_for(self.drawn.wait(), 30)

    async def type_letter(self, letter: str) -> float:
        """Types a letter; seconds until the rows for all that is typed are drawn."""
        self.answers.clear()
        field = self.app.query_one("#find")
        wanted = field.value + letter  # type: ignore[attr-defined]
        begin = time.perf_counter()
        field.insert_text_at_cursor(letter)  # type: ignore[attr-defined]
        view = self.app.main.view
        await self.until(lambda: self.answers and view.state.question.words == wanted)  # type: ignore[attr-defined]
        return self.answers[0] - begin

    async def jump(self, to: int) -> float:
        begin = time.perf_counter()
        self.table.cursor = to
        while self.table.current is None:
            await asyncio.sleep(0.005)
        return time.perf_counter() - begin


async def play(path: Path) -> dict[str, float]:
    rng, lag = random.Random(4), Lag()
    app = TfmemApp(lambda: Store.open(path, agent="bench"), agent="bench", level=Level.RESTRICTED, settle=gc.freeze)
    begin = time.perf_counter()
    async with app.run_test(size=(120, 36)) as pilot:
        while not [one for one in app.query(MemoryTable) if one.row_count]:
            await asyncio.sleep(0.005)
        table = app.query_one(MemoryTable)
        first = time.perf_counter() - begin
        it = Player(app, pilot)
        while not table.exact:
            await asyncio.sleep(0.01)
        counted = time.perf_counter() - begin
        watching = asyncio.create_task(lag.watch())
        end = await it.jump(table.row_count - 1)
        jumps = [await it.jump(rng.randrange(table.row_count)) for _ in range(JUMPS)]
        await pilot.press("slash")
        letters: list[float] = []
        for _ in range(WORDS_TYPED):
            word = WORDS[int(rng.random() ** 3 * 19_000)]
            app.query_one("#find").insert_text_at_cursor(word[0])  # type: ignore[attr-defined]  # alone it is not sought
            for letter in word[1:]:
                await asyncio.sleep(BETWEEN_KEYS_SECONDS)
                letters.append(await it.type_letter(letter))
            app.query_one("#find").value = ""  # type: ignore[attr-defined]
            await asyncio.sleep(0.3)
        watching.cancel()
    return {
        "rows": float(table.row_count),
        "first rows": first,
        "exact count": counted,
        "jump to the end": end,
        "jump anywhere, p95": p95(jumps),
        "keystroke to rows, p50": statistics.median(letters),
        "keystroke to rows, p95": p95(letters),
        "keystroke to rows, worst": max(letters),
        "event loop held up, p99": sorted(lag.worst)[int(len(lag.worst) * 0.99)],
        "event loop held up, worst": max(lag.worst),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def measured(size: int, folder: Path) -> dict[str, float]:
    path = folder / f"{size}.db"
    with Store.open(path, agent="bench", create=True) as store:
        importer = store.operator().importer()
        for batch in batches(mixed(size)):
            importer.add(batch)
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.screen", "--play", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def paint(command: list[str], seen: bytes, home: Path) -> float:
    """Seconds from the start of a program to ``seen`` in what it writes to a terminal."""
    outer, inner = pty.openpty()
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    begin = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=inner, stdout=inner, stderr=inner, start_new_session=True
    )
    os.close(inner)
    written = b""
    while seen not in written and select.select([outer], [], [], 20)[0]:
        written += os.read(outer, 65536)
    took = time.perf_counter() - begin
    process.kill()
    process.wait()
    os.close(outer)
    return took


def paints(path: Path, folder: Path) -> None:
    ours = [sys.executable, "-m", "tfmem_tui", "open", str(path)]
    empty = [sys.executable, "-c", EMPTY]
    times = [(paint(ours, b"Simulator", folder), paint(empty, b"nothing", folder)) for _ in range(PAINTS)]
    mine, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"\nfirst paint: {mine * 1e3:.0f} ms, empty Textual app: {theirs * 1e3:.0f} ms, ratio {mine / theirs:.2f}")


def main(sizes: list[int]) -> None:
    with tempfile.TemporaryDirectory(prefix="tfmem-bench-") as name:
        folder = Path(name)
        columns = {size: measured(size, folder) for size in sizes}
        print(f"| at RESTRICTED | {' | '.join(f'{size:,}' for size in sizes)} |\n|---|{'---|' * len(sizes)}")
        for row in columns[sizes[0]]:
            plain = row in ("rows", "memory")
            cells = (f"{one[row]:,.0f}" if plain else f"{one[row] * 1e3:.1f} ms" for one in columns.values())
            print(f"| {row}{' (MB)' if row == 'memory' else ''} | {' | '.join(cells)} |")
        paints(folder / f"{sizes[0]}.db", folder)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--play"]:
        print(json.dumps(asyncio.run(play(Path(sys.argv[2])))))
    else:
        main([int(one) for one in sys.argv[1:]] or [1_000, 1_000_000])
