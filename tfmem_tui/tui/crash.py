"""What an unforeseen exception leaves on the terminal: where it happened, and nothing of what is stored.

Messages and local variables may hold memory text, so the report names types, files and lines alone.
"""

from __future__ import annotations

import traceback
from pathlib import Path

EXIT_CODE = 70  # EX_SOFTWARE of sysexits.h: a fault of the program, not of its use
REPORT_TO = "the project's issue tracker"
MOST_FRAMES = 12


def report(error: BaseException) -> str:
    """The report of an exception: a chain of types, each with file, line and function of its frames."""
    lines = ["tfmem stopped because of a fault of its own. Nothing that was saved is lost."]
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        lines.append(f"  {type(current).__module__}.{type(current).__qualname__}")
        frames = traceback.extract_tb(current.__traceback__)[-MOST_FRAMES:]
        lines += [f"    {short(frame.filename)}:{frame.lineno} in {frame.name}" for frame in frames]
        current = inner if (inner := _carried(current)) is not None else current.__cause__ or current.__context__
    lines.append(f"Please report these lines to {REPORT_TO}; they hold no memory text.")
    return "\n".join(lines)


def _carried(error: BaseException) -> BaseException | None:
    """The exception that one of Textual's worker failures stands for."""
    carried = getattr(error, "error", None)
    return carried if isinstance(carried, BaseException) else None


def place(error: BaseException) -> str:
    """File and line of the innermost frame."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{short(frames[-1].filename)}:{frames[-1].lineno}" if frames else "an unknown place"


def short(filename: str) -> str:
    """The last parts of a file's path: enough to find it, and no user's folder."""
    return "/".join(Path(filename).parts[-3:])
