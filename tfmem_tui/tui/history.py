"""The way through the views: where one has been, for going back and forth."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 50


@dataclass(frozen=True, slots=True)
class Place:
    """A view and, in the inspector, the key that is looked at."""

    view: str
    key: str | None = None


class History:
    """Visited places and where among them one is."""

    def __init__(self, start: Place) -> None:
        self._places = [start]
        self._at = 0

    def visit(self, place: Place) -> None:
        """Goes to a new place; what lay ahead is given up."""
        if place != self._places[self._at]:
            self._places = [*self._places[: self._at + 1], place][-LONGEST:]
            self._at = len(self._places) - 1

    def step(self, by: int) -> Place | None:
        """The place before or after this one, which becomes the present one; ``None`` at an end."""
        if not 0 <= self._at + by < len(self._places):
            return None
        self._at += by
        return self._places[self._at]
