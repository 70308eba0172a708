"""Reading other files than Triggerfish's: our JSON Lines and YAML, the reference MCP memory server's, Markdown.

Each reader yields records, or says which place of the file holds none and why; it never repeats stored text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from tfmem_tui.core.errors import InvalidInput, StoreUnavailable
from tfmem_tui.core.importing import ImportCounts, ImportedMemory, ImportedRecord, Importer
from tfmem_tui.core.level import Level
from tfmem_tui.core.validation import MAX_KEY_CHARACTERS, check_content, check_key, check_tags
from tfmem_tui.exchange.plain import from_plain

SQLITE_MAGIC = b"SQLite format 3\x00"
LONGEST_LINE = 16 * 1024 * 1024
KINDS = ("triggerfish", "jsonl", "yaml", "mcp-memory", "notes")
Skip = Callable[[str, str], None]  # where in the file, why


@dataclass(frozen=True, slots=True)
class Origin:
    """What a foreign file does not say: the level that the operator names, and who is said to have saved."""

    level: Level
    saved_by: str


def kind_of(path: Path) -> str:
    """What sort of file this is, by its first bytes and its name. Raises ``StoreUnavailable`` for none of ours."""
    if path.is_dir():
        return "notes"
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise StoreUnavailable(f"there is no file {path}" if missing else f"{path}: {error.strerror}") from None
    if head.startswith(SQLITE_MAGIC):
        return "triggerfish"
    first = head.split(b"\n", 1)[0].lstrip()
    if first.startswith(b'{"type":"tfmem"') or first.startswith(b'{"type": "tfmem"'):
        return "jsonl"
    if first.startswith((b'{"type":"entity"', b'{"type":"relation"', b'{"type": "entity"', b'{"type": "relation"')):
        return "mcp-memory"
    if path.suffix.lower() in (".yaml", ".yml") or first.rstrip() == b"---":
        return "yaml" if path.suffix.lower() != ".md" else "notes"
    if path.suffix.lower() == ".md":
        return "notes"
    if path.suffix.lower() in (".jsonl", ".ndjson", ".json"):
        return "jsonl"
    raise StoreUnavailable(f"{path} is no Triggerfish database and no export that tfmem can read")


def read_records(path: Path, kind: str, origin: Origin | None, skip: Skip) -> Iterator[ImportedRecord]:
    """The records of a file of that kind, streamed; a broken one is handed to ``skip``.

    Raises ``InvalidInput`` for a foreign file whose level nobody named, ``StoreUnavailable`` where it is unreadable.
    """
    if kind in ("mcp-memory", "notes"):
        if origin is None:
            raise InvalidInput("this file says no level; name the one its memories are to have with --level")
        yield from (_mcp_memory if kind == "mcp-memory" else _notes)(path, origin, skip)
        return
    for where, data in (_json_lines if kind == "jsonl" else _yaml_documents)(path, skip):
        try:
            record = from_plain(data)
        except InvalidInput as error:
            skip(where, error.message)
            continue
        if record is not None:
            yield record


def add_all(importer: Importer, records: Iterator[ImportedRecord], skip: Skip, batch: int = 1_000) -> ImportCounts:
    """Adds records batch by batch; one that the store refuses stays out alone."""
    total, waiting = ImportCounts(), []
    for record in records:
        waiting.append(record)
        if len(waiting) >= batch:
            total += _add(importer, waiting, skip)
            waiting = []
    return total + _add(importer, waiting, skip)


def _add(importer: Importer, records: list[ImportedRecord], skip: Skip) -> ImportCounts:
    if not records:
        return ImportCounts()
    try:
        return importer.add(records)
    except InvalidInput as error:
        if len(records) == 1:
            skip("a record", error.message)
            return ImportCounts()
    middle = len(records) // 2
    return _add(importer, records[:middle], skip) + _add(importer, records[middle:], skip)


def _json_lines(path: Path, skip: Skip) -> Iterator[tuple[str, Any]]:
    with path.open("rb") as file:
        number = 0
        while line := file.readline(LONGEST_LINE):
            number += 1
            where = f"line {number}"
            if len(line) >= LONGEST_LINE and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = file.readline(LONGEST_LINE)
                skip(where, f"longer than {LONGEST_LINE} bytes")
                continue
            if not line.strip():
                continue
            try:
                yield where, json.loads(line)
            except (ValueError, RecursionError):
                skip(where, "not JSON in UTF-8")


def _yaml_documents(path: Path, skip: Skip) -> Iterator[tuple[str, Any]]:
    """One document after the other: the file is cut at the lines that begin one, so a broken one is lost alone."""
    lines: list[str] = []
    start = 1
    with path.open(encoding="utf-8", errors="strict", newline="\n") as file:
        number = 0
        for number, line in enumerate(file, 1):
            if line.rstrip("\r\n") == "---" and lines:
                yield from _document(lines, start, skip)
                lines, start = [], number
            lines.append(line)
    yield from _document(lines, start, skip)


def _document(lines: list[str], start: int, skip: Skip) -> Iterator[tuple[str, Any]]:
    loader = yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader
    text, where = "".join(lines), f"document at line {start}"
    if not text.strip().removeprefix("---").strip():
        return
    try:
        yield where, yaml.load(text, Loader=loader)  # both are safe loaders
    except (yaml.YAMLError, ValueError, RecursionError):
        skip(where, "not YAML")


def _mcp_memory(path: Path, origin: Origin, skip: Skip) -> Iterator[ImportedRecord]:
    """The reference MCP memory server keeps JSON Lines of entities (name, type, observations) and relations."""
    saved = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    for where, data in _json_lines(path, skip):
        try:
            yield _entity(data, origin, saved)
        except InvalidInput as error:
            skip(where, error.message)


def _entity(data: Any, origin: Origin, saved: datetime) -> ImportedMemory:
    if not isinstance(data, dict):
        raise InvalidInput("not an object")
    if data.get("type") == "relation":
        ends = [str(one) for one in map(data.get, ("from", "relationType", "to")) if isinstance(one, str)]
        if len(ends) != 3:
            raise InvalidInput("a relation needs from, relationType and to")
        return _memory(" ".join(ends)[:MAX_KEY_CHARACTERS], " ".join(ends), ("relation",), origin, saved)
    observations = data.get("observations", [])
    if data.get("type") != "entity" or not isinstance(data.get("name"), str):
        raise InvalidInput("neither an entity with a name nor a relation")
    if not isinstance(observations, list) or not all(isinstance(one, str) for one in observations):
        raise InvalidInput("observations must be a list of texts")
    kind = data.get("entityType")
    return _memory(
        data["name"], "\n".join(observations), (kind,) if isinstance(kind, str) and kind else (), origin, saved
    )


def _notes(path: Path, origin: Origin, skip: Skip) -> Iterator[ImportedRecord]:
    """A folder of Markdown notes: front matter may hold key and tags; else the key is the file's name."""
    files = sorted(path.rglob("*.md")) if path.is_dir() else [path]
    for file in files:
        where = str(file.relative_to(path)) if path.is_dir() else file.name
        try:
            text = file.read_text("utf-8")
            front, content = _front_matter(text)
            saved = datetime.fromtimestamp(file.stat().st_mtime, UTC)
            tags = front.get("tags") or []
            key = front.get("key", Path(where).with_suffix("").as_posix())
            yield _memory(key, content, tuple(tags if isinstance(tags, list) else [tags]), origin, saved)
        except InvalidInput as error:
            skip(where, error.message)
        except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
            skip(where, f"cannot be read ({type(error).__name__})")


def _front_matter(text: str) -> tuple[dict[str, Any], str]:
    lines = text.split("\n")
    if lines[0].strip() != "---":
        return {}, text
    end = next((at for at, line in enumerate(lines[1:], 1) if line.strip() == "---"), None)
    if end is None:
        return {}, text
    front = yaml.safe_load("\n".join(lines[1:end])) or {}
    if not isinstance(front, dict):
        raise InvalidInput("the front matter is no mapping")
    return front, "\n".join(lines[end + 1 :]).strip("\n")


def _memory(key: object, content: str, tags: tuple[Any, ...], origin: Origin, saved: datetime) -> ImportedMemory:
    return ImportedMemory(
        check_key(key), origin.level, check_content(content), check_tags(tags), saved, saved, origin.saved_by
    )
