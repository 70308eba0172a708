"""The last line of defence before the terminal: a filter over every strip of every widget.

Stored text is made safe in ``safe_text.py``; what slips past it, or is pasted into a text field, ends here.
"""

from __future__ import annotations

import re

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

# Controls (escape among them) and bidi overrides. None has a width, so leaving one out moves nothing.
DANGEROUS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
)
# Marks beyond the fourth on one base would climb over other lines; they have no width either.
MARK = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
FLOOD = re.compile(f"([{MARK}]{{4}})[{MARK}]+")
FRAMES = str.maketrans(
    {
        **dict.fromkeys("─━═╌╍┄┅┈┉▔▁▂▃▄▅▆▇╸╺╴╶", "-"),
        **dict.fromkeys("│┃║╎╏┆┇┊┋▏▎▍▌▋▊▉▐▕", "|"),
        **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┣┫┳┻╋", "+"),
        **dict(zip("⏎…⇥‹›◌“”", '/~><>.""', strict=True)),  # the signs of safe_text.py, and quotation marks
        **dict.fromkeys("█▀▖▗▘▙▚▛▜▝▞▟", "#"),
    }
)


class ControlGuard(LineFilter):
    """Takes every control and bidi character, and floods of marks, out of what is about to be written."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments without such characters; those of Textual's own control segments are left alone."""
        if not any(DANGEROUS.search(text) or FLOOD.search(text) for text, _, control in segments if not control):
            return segments
        return [
            Segment(FLOOD.sub(r"\1", DANGEROUS.sub("", text)), style, control)
            if not control
            else Segment(text, style, control)
            for text, style, control in segments
        ]


class AsciiFrames(LineFilter):
    """Draws lines, blocks and scroll bars with ASCII characters."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments with frames of ASCII."""
        return [Segment(text.translate(FRAMES), style, control) for text, style, control in segments]
