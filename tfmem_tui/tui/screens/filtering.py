"""Chips over a list: added by a dialog or by the command line, dropped one by one or all at once."""

from __future__ import annotations

from collections.abc import Sequence

from textual import work
from textual.content import Content
from textual.widgets import Static

from tfmem_tui.tui import safe_text
from tfmem_tui.tui.filters import Chip, FilterError, parse_chip, with_chip
from tfmem_tui.tui.host import setting_of
from tfmem_tui.tui.screens.pick_filter import Offer, PickFilter
from tfmem_tui.tui.screens.view import View

CHIP_CELLS = 20


class FilteredView(View):
    """A view whose list is narrowed by chips."""

    chips: tuple[Chip, ...] = ()

    @property
    def kinds(self) -> Sequence[str]:
        """What can be filtered on; the first needs no ``kind:`` in front."""
        raise NotImplementedError

    async def offers(self) -> list[Offer]:
        """Filters to choose from, out of what the session may see."""
        raise NotImplementedError

    def refilter(self, chips: tuple[Chip, ...]) -> None:
        """Shows the list under other chips."""
        raise NotImplementedError

    @work(exclusive=True, group="dialog")
    async def action_add_filter(self) -> None:
        chip = await self.app.push_screen_wait(PickFilter(self.kinds, await self.offers()))
        if chip is not None:
            self.refilter(with_chip(self.chips, chip))

    def filter_by(self, text: str) -> None:
        """Adds the filter that was typed on the command line."""
        try:
            chip = parse_chip(text, self.kinds, setting_of(self).now())
        except FilterError as error:
            self.app.notify(str(error), severity="error", markup=False)
            return
        self.refilter(with_chip(self.chips, chip))

    def action_drop_filter(self) -> None:
        self.refilter(self.chips[:-1])

    def action_drop_filters(self) -> None:
        self.refilter(())

    def allows(self, predicate: str) -> bool:
        return bool(self.chips) if predicate == "has_filters" else super().allows(predicate)

    def say_chips(self, selector: str) -> None:
        """Draws the chips."""
        close = setting_of(self).signs.close
        chips = [
            Content.assemble(
                "[", (f"{chip.kind}: ", "$quiet"), safe_text.line(chip.value, CHIP_CELLS), (f" {close}", "$quiet"), "]"
            )
            for chip in self.chips
        ]
        shown, content = self.query_one(selector, Static), Content(" ").join(chips)
        if shown.content != content:  # a new width has the whole screen laid out anew
            shown.update(content)
