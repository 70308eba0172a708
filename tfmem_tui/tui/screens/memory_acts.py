"""The acts of the memories view: on the memory under the cursor, or on all that are marked."""

from __future__ import annotations

from textual import on, work

from tfmem_tui.tui import files, questions
from tfmem_tui.tui.clipboard import Copyable
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.screens import acts
from tfmem_tui.tui.screens.filtering import FilteredView
from tfmem_tui.tui.screens.memories_state import MemoriesState
from tfmem_tui.tui.screens.writing import memory_copyable, write_out
from tfmem_tui.tui.widgets.memory_table import MemoryTable
from tfmem_tui.tui.widgets.row_list import RowList


class MemoryActs(FilteredView):
    """What can be done to memories; which ones are shown is told by the view itself."""

    state: MemoriesState

    @property
    def table(self) -> MemoryTable:
        """The table."""
        return self.query_one(MemoryTable)

    @work(exclusive=True, group="dialog")
    async def action_new(self) -> None:
        if await acts.new_memory(self):
            self.reload(keep=True)

    @work(exclusive=True, group="dialog")
    async def action_edit(self) -> None:
        key = self.selected_key()
        if key is not None and await acts.edit_memory(self, key):
            self.reload(keep=True)

    @work(exclusive=True, group="dialog")
    async def action_editor(self) -> None:
        key = self.selected_key()
        if key is not None and await acts.edit_in_editor(self, key):
            self.reload(keep=True)

    @work(exclusive=True, group="dialog")
    async def action_delete(self) -> None:
        keys = self._marked_keys()
        key = self.selected_key()
        if keys:
            if await acts.delete_memories(self, keys):
                self.table.unmark()
                self.reload(keep=True)
        elif key is not None and await acts.delete_memory(self, key):
            self.reload(keep=True)

    @work(exclusive=True, group="dialog")
    async def action_tag(self) -> None:
        keys = self._marked_keys() or [key for key in [self.selected_key()] if key is not None]
        if keys and await acts.tag_memories(self, keys):
            self.table.unmark()
            self.reload(keep=True)

    def _marked_keys(self) -> list[str]:
        return [row.memory.key for row in self.table.marked.values()]

    @on(RowList.WriteOut)
    @work(exclusive=True, group="dialog")
    async def _write(self, event: RowList.WriteOut) -> None:
        acting, keys = host(self).acting, self._marked_keys()
        if acting is None:
            return
        what = f"the {len(keys):,} marked memories" if keys else f"what is shown: {self.table.length} memories"
        await write_out(
            self,
            f"{what}, no more than this session sees",
            "memories.jsonl",
            tuple(files.MEMORY_ENDINGS),
            lambda path: files.write_memories(acting, setting_of(self), path, keys or None, self.state.question),
            event.path,
        )

    async def copyable(self) -> Copyable | None:
        acting, key = host(self).acting, self.selected_key()
        found = await self.ask(questions.effective(acting, key)) if acting is not None and key is not None else None
        return None if found is None else memory_copyable(found)
