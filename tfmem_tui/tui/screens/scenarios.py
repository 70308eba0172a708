"""What the simulator shows of scenarios and comparisons, and the dialog that asks for a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Button, Input, Static

from tfmem_tui.simulate.runner import Played
from tfmem_tui.simulate.scenario import Scenario
from tfmem_tui.tui import safe_text
from tfmem_tui.tui.acting import Setting
from tfmem_tui.tui.plays import Compared
from tfmem_tui.tui.screens.dialog import Dialog
from tfmem_tui.tui.widgets.detail import level_content

HEADING = "bold $accent"


class AskFile(Dialog[Path | None]):
    """Asks for the name of a file."""

    def __init__(self, title: str, words: str, name: str = "") -> None:
        super().__init__()
        self.title_text = title
        self._words, self._name = words, name

    def inside(self) -> ComposeResult:
        yield Static(self._words, markup=False, classes="words")
        yield Input(self._name, id="file", compact=True)

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    def on_input_submitted(self) -> None:
        name = self.query_one(Input).value.strip()
        self.dismiss(Path(name).expanduser() if name else None)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(None)


def compared_content(name: str, compared: Compared, setting: Setting) -> Content:
    """The same call at every level: levels that got the same answer stand together, what differs is marked."""
    lines = [Content.styled("THE SAME CALL AT EVERY LEVEL", HEADING) + Content(f"  {name}")]
    before: str | None = None
    for level, answer in compared:
        text = json.dumps(answer.payload, ensure_ascii=False, indent=2)
        lines += [Content(""), level_content(level, setting)]
        if text == before:
            lines.append(Content.styled("the same answer as the level below", "$quiet"))
            continue
        old = set() if before is None else set(before.split("\n"))
        for line in text.split("\n"):
            shown = safe_text.block(line)
            lines.append(shown if before is None or line in old else Content.styled("▌ ", "$warning") + shown)
        before = text
    return Content("\n").join(lines)


def played_content(scenario: Scenario, played: Sequence[Played], setting: Setting) -> Content:
    """A scenario as it was played: each step, who, what came of it, and whether it was as expected."""
    failed = sum(not one.passed for one in played)
    verdict = Content.styled(f"{failed} failed", "$error") if failed else Content.styled("all as expected", "$success")
    heading = safe_text.line(scenario.name, 200).stylize("bold")
    lines = [Content.styled("SCENARIO", HEADING), heading, Content(f"{len(played)} steps, ") + verdict]
    for one in played:
        lines += [Content(""), *_step(one, setting)]
    return Content("\n").join(lines)


def _step(played: Played, setting: Setting) -> list[Content]:
    step, signs = played.step, setting.signs
    sign = Content.styled(signs.yes, "$success") if played.passed else Content.styled(signs.no, "$error")
    who = step.session or step.escalate or step.reset or ""
    level = level_content(played.taint, setting) if played.taint is not None else Content("")
    what = f"{step.call} {json.dumps(step.args, ensure_ascii=False)}" if step.call else step.kind
    first = Content(" ").join(
        [sign, Content(f"{played.number:>2}"), safe_text.line(who, 24), level, safe_text.line(what, 400)]
    )
    lines = [first]
    if step.note:
        lines.insert(0, Content.styled("   ", "") + safe_text.line(step.note, 200).stylize("$quiet"))
    if played.stripped:
        names = safe_text.line(", ".join(played.stripped), 200)
        lines.append(Content.styled("     hook took out ", "$warning") + names)
    lines.append(Content("     ") + safe_text.line(json.dumps(dict(played.answer), ensure_ascii=False), 600))
    lines += [
        Content.styled("     ", "") + safe_text.line(failure, 600).stylize("$error") for failure in played.failures
    ]
    return lines
