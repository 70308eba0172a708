"""Ten clients over ten stdio servers write to one store at once: nothing is lost, and every chain holds."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.support import viewer_at
from tfmem_tui.core.home import agent_path
from tfmem_tui.core.level import Level
from tfmem_tui.core.store import Store

ROOT = Path(__file__).parents[2]
CLIENTS, SAVES = 10, 200


async def test_ten_clients_save_two_hundred_memories_each(tmp_path: Path) -> None:
    Store.open(agent_path(tmp_path, "main")).close()
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "tfmem_tui", "mcp", "--home", str(tmp_path)],
        cwd=ROOT,
        env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
    )

    async def write(name: int) -> list[bool]:
        async with Client(stdio_client(server)) as client:
            results = [
                await client.call_tool("memory_save", {"key": f"{name}-{number}", "content": "text"})
                for number in range(SAVES)
            ]
        return [result.is_error for result in results]

    errors = await asyncio.gather(*(write(name) for name in range(CLIENTS)))
    assert not any(any(one) for one in errors)
    with Store.open(agent_path(tmp_path, "main")) as store:
        assert viewer_at(store, Level.PUBLIC).count() == CLIENTS * SAVES
        assert all(report.ok for report in store.audit(store.operator().viewer(Level.RESTRICTED)).verify())
        assert store.operator().examine() == []
