"""The program that is killed: ``python -m tests.killed.writer WHAT STORE SEED``. A line out is an acknowledgement."""

from __future__ import annotations

import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.killed.acts import acts, imported
from tfmem_tui.core.errors import NotFound
from tfmem_tui.core.importing import ImportedMemory
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store


def write(path: Path, seed: int) -> None:
    """One act after another."""
    store = Store.open(path)
    session = store.operator().start(Level.INTERNAL)
    memories, operator = store.memories(session), store.operator()
    print("ready", flush=True)
    for what, key, content in acts(seed):
        if what == "save":
            memories.save(key, content, ["tag", key])
        elif what == "delete":
            with suppress(NotFound):
                memories.delete(key)
        elif what == "purge":
            ended = operator.purgeable(timedelta(0))
            if ended:
                operator.purge(session, [one.ref for one in ended])
        elif what == "import":
            now = datetime.now(UTC)
            operator.importer().add(
                ImportedMemory(name, Level.INTERNAL, text, ("tag", name), now, now, "elsewhere")
                for name, text in imported(key, content).items()
            )
        else:
            operator.backup(path.with_name(f"backup-{key}.db"))
        print("done", flush=True)


def main() -> None:
    what, path, seed = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    if what == "write":
        write(path, seed)
        return
    print("ready", flush=True)
    store = Store.open(path)
    if what == "repair":
        store.operator().make_anew()
    print("done", flush=True)


if __name__ == "__main__":
    main()
