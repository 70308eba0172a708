"""Cold start beside ``python -c 'import sqlmodel'``: ``python -m tests.bench.start``. Medians, turn by turn."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 15


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"TFMEM_HOME": home}
        python = [sys.executable]
        commands = {
            "python -c 'import sqlmodel'": [*python, "-c", "import sqlmodel"],
            "tfmem --help": [*python, "-m", "tfmem_tui", "--help"],
            "tfmem call memory_get": [*python, "-m", "tfmem_tui", "call", "memory_get", '{"key": "k"}'],
            "tfmem list": [*python, "-m", "tfmem_tui", "list"],
        }
        subprocess.run(
            [*python, "-m", "tfmem_tui", "sessions", "start"], env=environment, capture_output=True, check=True
        )
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                begin = time.perf_counter()
                subprocess.run(command, env=environment, cwd=Path(__file__).parents[2], capture_output=True, check=True)
                times[name].append(time.perf_counter() - begin)
    base = statistics.median(times["python -c 'import sqlmodel'"])
    print("command | ms | ratio\n---|---|---")
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name} | {median * 1e3:.0f} | {median / base:.2f}")


if __name__ == "__main__":
    main()
