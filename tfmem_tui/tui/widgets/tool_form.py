"""A form made from a tool's JSON schema: one field for each argument, and one for whatever else a model might send."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from textual import on
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Label, Static, TextArea

from tfmem_tui.tui.screens.dialog import split_tags

EXTRA = "extra"
EXTRA_HINT = '{"classification": "RESTRICTED"}'
LONG_TEXTS = ("content",)


class FormError(Exception):
    """A field does not hold what its argument needs; the text names the field."""


class ToolForm(VerticalScroll, can_focus=False):
    """The arguments of one call."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._schema: Mapping[str, Any] = {}

    async def show(self, schema: Mapping[str, Any], key: str | None) -> None:
        """Makes the fields of a tool; ``key`` is put where the tool wants one."""
        self._schema = schema
        await self.remove_children()
        widgets: list[Widget] = [Static(schema["description"], markup=False, classes="tool-description")]
        for name, field in self._fields().items():
            mark = ", separated by commas" if _kind(field) == "array" else ""
            mark += "" if name in self._required() else " (optional)"
            widgets.append(Label(f"{name}{mark}", markup=False))
            widgets.append(self._field(name, field, key))
        widgets += [
            Label("more arguments, as a model might invent them (JSON)", markup=False),
            Input(placeholder=EXTRA_HINT, id=f"field-{EXTRA}", compact=True),
        ]
        await self.mount(Static(id="form-problem", markup=False), *widgets)

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _changed(self) -> None:
        """Says what is wrong while it is typed; a field that is still empty is not wrong yet."""
        self.query_one("#form-problem", Static).update(Content.styled(self.problem() or "", "$error"))

    def problem(self) -> str | None:
        """What is wrong with what is typed so far."""
        from tfmem_tui.agent.tools import problem_with

        try:
            given = {name: value for name, value in self.arguments().items() if value not in ("", [])}
        except FormError as error:
            return str(error)
        found = problem_with(str(self._schema["name"]), given)
        missing = [name for name in self._required() if name not in given]
        return None if found is None or any(found.startswith(f"{name}: ") for name in missing) else found

    def _fields(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._schema["inputSchema"].get("properties", {})
        return found

    def _required(self) -> list[str]:
        return list(self._schema["inputSchema"].get("required", ()))

    def _field(self, name: str, field: Mapping[str, Any], key: str | None) -> Widget:
        hint = str(field.get("description") or "")
        if name in LONG_TEXTS:
            return TextArea(id=f"field-{name}", compact=True)
        default = "" if field.get("default") is None else str(field["default"])
        value = key if name == "key" and key is not None else default
        return Input(value, placeholder=hint, id=f"field-{name}", compact=True)

    def arguments(self) -> dict[str, object]:
        """The arguments as they are typed; empty optional ones are left out. Raises ``FormError``."""
        found: dict[str, object] = {}
        for name, field in self._fields().items():
            text = self._text(name)
            if text or name in self._required():
                found[name] = _value(name, _kind(field), text)
        extra = self._text(EXTRA).strip()
        if extra:
            found.update(_object(extra))
        return found

    def _text(self, name: str) -> str:
        widget = self.query_one(f"#field-{name}")
        return widget.text if isinstance(widget, TextArea) else widget.value if isinstance(widget, Input) else ""


def _kind(field: Mapping[str, Any]) -> str:
    kinds = [field, *field.get("anyOf", ())]
    return next((str(one["type"]) for one in kinds if one.get("type", "null") != "null"), "string")


def _value(name: str, kind: str, text: str) -> object:
    if kind == "array":
        return split_tags(text)
    if kind == "integer":
        try:
            return int(text)
        except ValueError:
            raise FormError(f"{name}: a whole number is needed") from None
    return text


def _object(text: str) -> dict[str, object]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise FormError("more arguments: this is not JSON") from None
    if not isinstance(found, dict):
        raise FormError("more arguments: a JSON object is needed")
    return found
