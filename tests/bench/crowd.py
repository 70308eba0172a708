"""Eight writers and eight readers on one store, each a process of its own: ``python -m tests.bench.crowd [SECONDS]``.

Prints how many acts each kind did in a second and how long they took, and ends with 1 where a promise was broken: a
refusal (as of a busy store), a save that was acknowledged and is not there, a reader that saw half an act.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tfmem_tui.core.errors import TfmemError
from tfmem_tui.core.importing import ImportedMemory
from tfmem_tui.core.level import Level
from tfmem_tui.core.records import Outcome
from tfmem_tui.core.store import Store

ROOT = Path(__file__).parents[2]
WRITERS = READERS = 8
SHARED = "shared"
TRIO = ("a", "b", "c")


@dataclass
class Done:
    """What one process did."""

    times: dict[str, list[float]] = field(default_factory=dict)  # seconds, by kind of act
    broken: list[str] = field(default_factory=list)

    def timed(self, kind: str, act: Any) -> Any:
        begin = time.perf_counter()
        try:
            return act()
        except TfmemError as error:
            self.broken.append(f"{kind}: {error.code} {error.message}")
            return None
        finally:
            self.times.setdefault(kind, []).append(time.perf_counter() - begin)


def write(store: Store, name: str, turn: int, done: Done) -> None:
    """A save of a key of one's own, one of a key that all write to, and three memories in one act."""
    memories = store.memories(store.session(name))
    own = f"own-{name}-{turn % 5}"
    done.timed("save", lambda: memories.save(own, f"falcon {turn}", [f"turn-{turn}", "own"]))
    done.timed("save", lambda: memories.save(SHARED, f"from {name} {turn}", ["shared"]))
    now = datetime.now(UTC)
    trio = [
        ImportedMemory(f"trio-{name}-{one}", Level.INTERNAL, f"harbor {turn}", (f"trio-{name}",), now, now, "elsewhere")
        for one in TRIO
    ]
    done.timed("import of three", lambda: store.operator().importer().add(trio))


def read(store: Store, names: list[str], turn: int, done: Done) -> None:
    """Reads that must each see one state: a row whose tags go with its content, three memories of one act."""
    memories = store.memories(store.operator().viewer(Level.INTERNAL))
    name = names[turn % len(names)]
    own = done.timed("get", lambda: memories.get(f"own-{name}-{turn % 5}"))
    if own is not None and f"turn-{own.content.split()[1]}" not in own.tags:
        done.broken.append(f"half a save: {own.content} with {own.tags}")
    trio = done.timed("list by tag", lambda: memories.list(f"trio-{name}").memories)
    if trio and (len(trio) != len(TRIO) or len({row.content for row in trio}) != 1):
        done.broken.append(f"half an import: {[(row.key, row.content) for row in trio]}")
    for row in done.timed("search", lambda: memories.search("falcon", 20).memories) or ():
        if row.content.split()[0] != "falcon":
            done.broken.append(f"found what does not hold the word: {row.content}")
    ladder = done.timed("ladder", lambda: memories.ladder(SHARED))
    if ladder is not None and ladder.rungs[0].versions and ladder.rungs[0].version.end_reason is not None:
        done.broken.append("a replaced version without the one that replaced it")


def work(kind: str, path: Path, names: list[str], number: int, seconds: float, turns: int) -> Done:
    """One process: turns until the time is over or so many are done."""
    done = Done()
    with Store.open(path, create=False) as store:
        end = time.monotonic() + seconds
        turn = 0
        while turn < turns and time.monotonic() < end:
            turn += 1
            if kind == "write":
                write(store, names[number], turn, done)
            else:
                read(store, names, turn + number, done)
    return done


def run(path: Path, *, seconds: float, turns: int = 10**9) -> tuple[dict[str, list[float]], list[str]]:
    """All sixteen at once; the times of their acts by kind, and what was broken."""
    with Store.open(path) as store:
        names = [store.operator().start(Level.INTERNAL, label=f"writer-{number}").id for number in range(WRITERS)]
    orders = [("write", number) for number in range(WRITERS)] + [("read", number) for number in range(READERS)]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.bench.crowd", kind, str(path), json.dumps([names, number, seconds, turns])],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for kind, number in orders
    ]
    times: dict[str, list[float]] = {}
    broken: list[str] = []
    for process in started:
        out, _ = process.communicate()
        if process.returncode:
            broken.append(f"a process ended with {process.returncode}")
            continue
        told = json.loads(out)
        broken += told["broken"]
        for kind, found in told["times"].items():
            times.setdefault(kind, []).extend(found)
    broken += lost(path, times)
    return times, broken


def lost(path: Path, times: dict[str, list[float]]) -> list[str]:
    """What is not there that should be, and what does not hold."""
    with Store.open(path) as store:
        viewer = store.operator().viewer(Level.INTERNAL)
        memories, trail = store.memories(viewer), store.audit(viewer)
        saves = len(times.get("save", ()))
        problems = []
        versions = len(memories.versions(SHARED, limit=10**7))
        if versions != saves // 2:
            problems.append(f"{saves // 2} saves of the shared key were acknowledged, {versions} versions are there")
        actions = Counter(one.action for one in trail.events(limit=10**7) if one.outcome is Outcome.ALLOWED)
        if actions["memory_save"] != saves:
            problems.append(f"{saves} saves were acknowledged, {actions['memory_save']} are in the audit")
        problems += [f"{one.what}: {one.text}" for one in store.operator().examine()]
        problems += [f"the chain of {one.level.name} is broken" for one in trail.verify() if not one.ok]
        return problems


def main() -> None:
    if len(sys.argv) == 4:
        names, number, seconds, turns = json.loads(sys.argv[3])
        done = work(sys.argv[1], Path(sys.argv[2]), names, number, seconds, turns)
        print(json.dumps({"times": done.times, "broken": done.broken[:20]}))
        return
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    with tempfile.TemporaryDirectory() as folder:
        times, broken = run(Path(folder) / "store.db", seconds=seconds)
    print(f"{WRITERS} writers and {READERS} readers for {seconds:g} s")
    print(f"{'act':<18}{'acts':>9}{'a second':>11}{'p50 ms':>9}{'p99 ms':>9}{'worst ms':>10}")
    for kind, found in times.items():
        found.sort()
        p50, p99 = (found[int(share * (len(found) - 1))] * 1_000 for share in (0.5, 0.99))
        print(f"{kind:<18}{len(found):>9,}{len(found) / seconds:>11,.0f}{p50:>9.1f}{p99:>9.1f}{found[-1] * 1e3:>10.1f}")
    print("\n".join(broken) or "no refusal, no lost save, no half state; the chains hold")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
