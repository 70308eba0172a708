"""Export of what a session may see, streamed in constant memory: JSON Lines, YAML, and Markdown for reading."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

import yaml

from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.memory import MemoryRepository
from tfmem_tui.core.records import AuditEvent, MemoryVersion
from tfmem_tui.exchange.plain import header, to_plain

FORMATS = ("jsonl", "yaml", "md")


def export_lines(memories: MemoryRepository, agent: str, form: str, *, history: bool = False) -> Iterator[str]:
    """The export, a piece at a time; nothing above the session's taint (G2), one consistent state.

    Without ``history``: the effective memories. With it: every version, tombstone and audit event up to the taint.
    """
    yield from record_lines(memories.everything(history=history), header(agent, memories.taint(), history), form)


def record_lines(records: Iterable[MemoryVersion | AuditEvent], first: dict[str, Any], form: str) -> Iterator[str]:
    """Any records after their ``header``, a piece at a time, in one of ``FORMATS``. Raises ``InvalidInput``."""
    if form == "md":
        yield from _markdown(records)
    elif form == "yaml":
        yield from map(_document, _with(first, records))
    elif form == "jsonl":
        for data in _with(first, records):
            yield json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
    else:
        raise InvalidInput(f"format must be one of {', '.join(FORMATS)}")


def _with(first: dict[str, Any], records: Iterable[MemoryVersion | AuditEvent]) -> Iterator[dict[str, Any]]:
    yield first
    yield from map(to_plain, records)


def _document(data: dict[str, Any]) -> str:
    """A YAML document of its own for each record, so that neither side ever holds the whole."""
    return "---\n" + str(yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=10**9))


class _Dumper(yaml.CSafeDumper if hasattr(yaml, "CSafeDumper") else yaml.SafeDumper):  # type: ignore[misc]
    """The library's fast writer where it was built."""


def _markdown(records: Iterable[MemoryVersion | AuditEvent]) -> Iterator[str]:
    for record in records:
        if isinstance(record, AuditEvent):
            yield f"\n- {record.at:%Y-%m-%d %H:%M:%S}Z {record.level.name} {record.action} {record.outcome}"
            yield f" {json.dumps(record.key, ensure_ascii=False)}\n" if record.key else "\n"
            continue
        front = {name: value for name, value in to_plain(record).items() if name not in ("type", "content")}
        matter = yaml.dump(front, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=10**9)
        yield f"---\n{matter}---\n\n## {_heading(record.key)}\n\n{record.content}\n\n"


def _heading(key: str) -> str:
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|!" else char for char in key)


@contextmanager
def written_whole(target: Path) -> Iterator[TextIO]:
    """A file that appears at ``target`` when all of it is written (0600), or not at all; what was there is replaced."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise
