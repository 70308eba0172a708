"""Adding a filter: typed as ``kind:value``, or chosen from what the session may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from tfmem_tui.core.level import readable
from tfmem_tui.core.records import TagCount
from tfmem_tui.tui import actions, questions
from tfmem_tui.tui.actions import Scope
from tfmem_tui.tui.filters import Chip, FilterError, parse_chip
from tfmem_tui.tui.host import host, setting_of
from tfmem_tui.tui.screens.dialog import Dialog
from tfmem_tui.tui.screens.view import View
from tfmem_tui.tui.widgets.row_list import Cells, RowList

AGES = ("1h", "24h", "7d", "30d", "90d")


@dataclass(frozen=True, slots=True)
class Offer:
    """A filter that can be chosen, with what a person should know of it."""

    chip: Chip
    note: str = ""


class OfferList(RowList):
    """Filters to choose from."""

    def __init__(self) -> None:
        super().__init__(id="offers", header=False)
        self.offers: Sequence[Offer] = ()
        self.note = ("Nothing like it here",)

    @property
    def current(self) -> Offer | None:
        """The filter under the cursor."""
        return self.offers[self.cursor] if self.offers else None

    def show(self, offers: Sequence[Offer]) -> None:
        """Shows other filters, the cursor on the first."""
        self.offers = offers
        self.row_count = len(offers)
        self.cursor = 0
        self.refresh()

    def draw_row(self, index: int, width: int) -> Cells | None:
        """A filter and its note."""
        one, quiet = self.offers[index], self.style_of("row--quiet")
        return [
            *self.text(f"{one.chip.kind}: ", 10, quiet),
            *self.text(one.chip.value, max(8, width - 24)),
            *self.text(f"{one.note:>12}", 12, quiet),
        ]


class PickFilter(Dialog[Chip | None]):
    """Type to narrow the list, ``enter`` to take what is under the cursor or what was typed as ``kind:value``."""

    title_text = "Add a filter"
    SCOPES: ClassVar[tuple[Scope, ...]] = (Scope.CHOICE,)
    BINDINGS: ClassVar[list[Any]] = actions.bindings(Scope.CHOICE)

    def __init__(self, kinds: Sequence[str], offers: Sequence[Offer]) -> None:
        super().__init__()
        self._kinds, self._offers = kinds, offers

    def inside(self) -> ComposeResult:
        kinds = "  ".join(f"{kind}:…" for kind in self._kinds)
        yield Static(Content.styled(kinds, "$quiet"), markup=False)
        yield Input(placeholder=self._kinds[0], id="filter", compact=True)
        yield Static(id="problem", markup=False)
        yield OfferList()

    def on_mount(self) -> None:
        self._show("")
        self.query_one(Input).focus()

    @property
    def rows(self) -> OfferList:
        """The filters to choose from."""
        return self.query_one(OfferList)

    def _show(self, typed: str) -> None:
        kind, colon, value = typed.casefold().partition(":")
        named = bool(colon) and kind in self._kinds
        wanted = value.strip() if named else typed.casefold().strip()
        self.rows.show(
            [
                one
                for one in self._offers
                if (not named or one.chip.kind == kind)
                and (wanted in one.chip.value.casefold() or (not named and one.chip.kind.startswith(wanted)))
            ]
        )

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self.query_one("#problem", Static).update("")
        self._show(event.value)

    def allows(self, predicate: str) -> bool:
        return self.rows.current is not None if predicate == "has_row" else super().allows(predicate)

    @on(RowList.Chosen)
    def action_take(self) -> None:
        current = self.rows.current
        if current is not None:
            self.dismiss(current.chip)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        typed, current = event.value.strip(), self.rows.current
        if current is not None and (":" not in typed or current.chip.value.casefold() == typed.partition(":")[2]):
            self.dismiss(current.chip)
            return
        try:
            self.dismiss(parse_chip(typed, self._kinds, setting_of(self).now()))
        except FilterError as error:
            self.query_one("#problem", Static).update(Content.styled(str(error), "$error"))

    def key_down(self) -> None:
        """From the field the arrow goes into the list."""
        self.rows.action_move(1)
        self.rows.focus()


def level_offers(view: View) -> list[Offer]:
    """The levels that the acting session reads."""
    acting = host(view).acting
    return [] if acting is None else [Offer(Chip("level", level.name)) for level in readable(acting.taint)]


async def session_offers(view: View) -> list[Offer]:
    """The sessions that are going on at or below the acting taint."""
    acting = host(view).acting
    found = await view.ask(questions.sessions(setting_of(view))) if acting is not None else None
    return [
        Offer(Chip("session", one.id), one.label or one.kind)
        for one in found or ()
        if acting is not None and one.taint <= acting.taint
    ]


def time_offers() -> list[Offer]:
    """Ages that are often asked for."""
    return [Offer(Chip("since", age), "ago") for age in AGES] + [Offer(Chip("before", age), "ago") for age in AGES]


def tag_offers(tags: Sequence[TagCount]) -> list[Offer]:
    """Tags with how many memories carry each."""
    return [Offer(Chip("tag", one.tag), f"{one.count:,}") for one in tags]


def word_offers(kind: str, words: Sequence[str]) -> list[Offer]:
    """Values that are known beforehand."""
    return [Offer(Chip(kind, word)) for word in words]
