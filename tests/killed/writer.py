"""The writer that is killed: ``python -m tests.killed.writer STORE SEED``. A line out means the act is acknowledged."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from tests.killed.acts import acts
from tfmem_tui.core.errors import NotFound
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store


def main() -> None:
    store = Store.open(Path(sys.argv[1]))
    memories = store.memories(store.operator().start(Level.INTERNAL))
    print("ready", flush=True)
    for what, key, content in acts(int(sys.argv[2])):
        if what == "save":
            memories.save(key, content, ["tag", key])
        else:
            with suppress(NotFound):
                memories.delete(key)
        print("done", flush=True)


if __name__ == "__main__":
    main()
