"""The acts of the audit view: restore, purge, compare, filter, write out and copy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual import on, work
from textual.content import Content

from tfmem_tui.core.records import AuditEvent, MemoryVersion, Outcome
from tfmem_tui.tui import files, questions
from tfmem_tui.tui.clipboard import Copyable
from tfmem_tui.tui.filters import DELETED_KINDS, EVENT_KINDS, Chip, event_filters
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.screens.dialog import Question, quoted
from tfmem_tui.tui.screens.diff import Diff
from tfmem_tui.tui.screens.filtering import FilteredView
from tfmem_tui.tui.screens.pick_filter import Offer, level_offers, session_offers, time_offers, word_offers
from tfmem_tui.tui.screens.purge import purge
from tfmem_tui.tui.screens.writing import event_copyable, memory_copyable, write_out
from tfmem_tui.tui.widgets.detail import level_content
from tfmem_tui.tui.widgets.paged_list import PagedList
from tfmem_tui.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from tfmem_tui.core.audit import EventFilters

ACTIONS = (
    *("memory_save", "memory_get", "memory_search", "memory_list", "memory_delete"),
    *("session_start", "session_escalate", "session_reset", "restore", "purge", "import", "repair"),
)


class AuditActs(FilteredView):
    """What can be done to records and events; which ones are shown is told by the view itself."""

    state: Any

    @property
    def rows(self) -> PagedList[Any] | None:
        """The list in sight, if it is one."""
        raise NotImplementedError

    # Filters: each list has its own.

    @property
    def chips(self) -> tuple[Chip, ...]:  # type: ignore[override]  # one for each list
        found: tuple[Chip, ...] = self.state.chips.get(self.state.listed, ())
        return found

    @property
    def kinds(self) -> Sequence[str]:
        return DELETED_KINDS if self.state.listed == "deleted" else EVENT_KINDS

    async def offers(self) -> list[Offer]:
        key = self.current.key if self.current is not None else None
        this = [Offer(Chip("key", key), "this one")] if key is not None else []
        if self.state.listed == "deleted":
            return this
        return [
            *word_offers("action", ACTIONS),
            *word_offers("outcome", tuple(Outcome)),
            *this,
            *level_offers(self),
            *time_offers(),
            *await session_offers(self),
        ]

    def refilter(self, chips: tuple[Chip, ...]) -> None:
        self.state = self.with_chips(chips)
        self.reload(keep=True)

    def with_chips(self, chips: tuple[Chip, ...]) -> Any:
        """The state with other chips over the list in sight."""
        return replace(self.state, chips={**self.state.chips, self.state.listed: chips})

    def event_filters(self) -> EventFilters:
        """The chips over the events, as the core takes them."""
        return event_filters(self.state.chips.get("events", ()), setting_of(self).now())

    # What is allowed, and on what.

    @property
    def current(self) -> MemoryVersion | AuditEvent | None:
        """The record under the cursor."""
        return self.rows.current if self.rows is not None else None

    def allows(self, predicate: str) -> bool:
        if predicate == "has_list":
            return self.rows is not None
        if predicate == "on_deleted":
            return isinstance(self.current, MemoryVersion)
        if predicate in ("may_restore", "may_purge"):
            acting, setting = host(self).acting, setting_of(self)
            able = acting is not None and not setting.read_only
            return able and (predicate == "may_purge" or isinstance(self.current, MemoryVersion))
        return super().allows(predicate)

    # Acts.

    @work(exclusive=True, group="dialog")
    async def action_restore(self) -> None:
        one, acting, setting = self.current, host(self).acting, setting_of(self)
        if not isinstance(one, MemoryVersion) or acting is None:
            return
        words = (
            Content("Save ")
            + quoted(one.key)
            + Content(" again at ")
            + level_content(one.level, setting)
            + Content("? What lives there now goes into history; this record stays.")
        )
        if not await self.app.push_screen_wait(Question("Restore", words, "Restore")):
            return
        made = await self.ask(questions.restore(setting, acting, one.ref), host(self).gateway.write)
        if made is not None:
            self.app.notify(f"restored at {made.level.name}", markup=False, timeout=4)
            self.reload(keep=True)

    @work(exclusive=True, group="dialog")
    async def action_purge(self) -> None:
        rows = self.rows
        marked = [one for one in rows.marked.values() if isinstance(one, MemoryVersion)] if rows is not None else []
        if await purge(self, marked):
            if rows is not None:
                rows.unmark()
            self.reload(keep=True)

    @work(exclusive=True, group="dialog")
    async def action_diff(self) -> None:
        """The deleted text against what lives at its level now, or else against what a session gets."""
        one, acting = self.current, host(self).acting
        if not isinstance(one, MemoryVersion) or acting is None:
            return
        found = await self.ask(questions.inspect(acting, one.key))
        if found is None:
            return
        live = [version for version in found.versions if version.ended_at is None]
        same = [version for version in live if version.level is one.level]
        other = next(iter([*same, *live]), None)
        if other is None:
            self.app.notify("nothing lives under this key now", markup=False, timeout=4)
        else:
            self.app.push_screen(Diff(one, other))

    @on(RowList.WriteOut)
    @work(exclusive=True, group="dialog")
    async def _write(self, event: RowList.WriteOut) -> None:
        acting, rows, setting = host(self).acting, self.rows, setting_of(self)
        if acting is None or rows is None:
            return
        marked = list(rows.marked.values())
        if self.state.listed == "events":
            filters = self.event_filters()
            what = f"the {len(marked):,} marked events" if marked else f"the {rows.row_count:,} events shown"
            await write_out(
                self,
                what,
                "events.jsonl",
                files.EVENT_ENDINGS,
                lambda path: files.write_events(acting, path, marked or None, filters),
                event.path,
            )
            return
        key = next((chip.value for chip in self.chips if chip.kind == "key"), "")
        what = f"the {len(marked):,} marked records" if marked else f"the {rows.row_count:,} deleted records shown"
        await write_out(
            self,
            what,
            "deleted.jsonl",
            tuple(files.MEMORY_ENDINGS),
            lambda path: files.write_deleted(acting, setting, path, marked or None, key),
            event.path,
        )

    async def copyable(self) -> Copyable | None:
        one = self.current
        if one is None:
            return None
        return event_copyable(one) if isinstance(one, AuditEvent) else memory_copyable(one)
