"""What the simulator's view stands on: the list of tools, the snapshot, and its one frozen state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rich.style import Style

from tfmem_tui.tui.acting import Acting
from tfmem_tui.tui.widgets.row_list import Cells, RowList

if TYPE_CHECKING:
    from tfmem_tui.core.store import Store


class ToolList(RowList):
    """The tools by name."""

    def __init__(self) -> None:
        super().__init__(id="tools", header=False)
        self.schemas: Sequence[Mapping[str, Any]] = ()

    def draw_row(self, index: int, width: int) -> Cells | None:
        """A tool."""
        return self.text(str(self.schemas[index]["name"]), max(8, width - 2), Style(bold=index == self.cursor))


@dataclass(frozen=True, slots=True)
class Copy:
    """A snapshot, whom it is played as, and how many calls were made on it."""

    store: Store = field(repr=False)
    acting: Acting
    of: Acting
    calls: int = 0


@dataclass(frozen=True, slots=True)
class SimulatorState:
    """The tool that is chosen, and the snapshot it runs on."""

    tool: int = 0
    copy: Copy | None = None
    live: bool = False
