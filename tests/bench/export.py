"""Export and import of a large store: ``python -m tests.bench.export [COUNTS…]``.

Each direction runs in a process of its own, whose peak memory must not grow with the store.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.corpus import memories
from tests.bench.engine import fill
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store
from tfmem_tui.exchange.exporting import export_lines, written_whole
from tfmem_tui.exchange.reading import add_all, kind_of, read_records


def peak_mb() -> float:
    """This process's own peak (Linux): ``getrusage`` would count what its parent held before it was started."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def export(store_path: Path, target: Path) -> None:
    with Store.open(store_path) as store, written_whole(target) as file:
        viewer = store.memories(store.operator().viewer(Level.RESTRICTED))
        for piece in export_lines(viewer, store.agent, target.suffix[1:], history=True):
            file.write(piece)


def bring_in(source: Path, store_path: Path) -> None:
    def skip(where: str, why: str) -> None:
        raise SystemExit(f"{where}: {why}")

    with Store.open(store_path) as store:
        add_all(store.operator().importer(), read_records(source, kind_of(source), None, skip), skip)


def measured(verb: str, first: Path, second: Path) -> tuple[float, float]:
    begin = time.perf_counter()
    child = subprocess.run(
        [sys.executable, "-m", "tests.bench.export", verb, str(first), str(second)],
        check=True,
        capture_output=True,
        text=True,
    )
    return time.perf_counter() - begin, float(child.stdout)


def same(left: Path, right: Path) -> bool:
    """Whether both stores hold the same memories in the same order, as one at the top sees them."""
    with Store.open(left) as a, Store.open(right) as b:
        streams = [one.memories(one.operator().viewer(Level.RESTRICTED)).everything() for one in (a, b)]
        return all(x == y for x, y in zip(*streams, strict=True))


def main() -> None:
    counts = [int(text.replace("_", "")) for text in sys.argv[1:]] or [1_000, 10_000, 100_000]
    print("memories | format | export s | peak MB | import s | peak MB | same\n---|---|---|---|---|---|---")
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "from.db"
            with Store.open(path) as store:
                fill(store, memories(count, Level.PUBLIC))
            for form in ("jsonl", "yaml"):
                target, copy = Path(folder) / f"all.{form}", Path(folder) / f"{form}.db"
                out, out_peak = measured("export", path, target)
                back, back_peak = measured("import", target, copy)
                figures = f"{out:.1f} | {out_peak:.0f} | {back:.1f} | {back_peak:.0f}"
                print(f"{count:,} | {form} | {figures} | {same(path, copy)}")


if __name__ == "__main__":
    if sys.argv[1:2] in (["export"], ["import"]):
        (export if sys.argv[1] == "export" else bring_in)(Path(sys.argv[2]), Path(sys.argv[3]))
        print(peak_mb())
    else:
        main()
