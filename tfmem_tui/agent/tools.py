"""The five tools as Pydantic models, and ``run_tool``, which plays one call through the hook and the gate.

Results keep Triggerfish's shape, so that prompts carry over. No rule of the gate lives here: the repository is bound
to a session, and the session's taint decides.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema

from tfmem_tui.agent.hooks import HookDecision, pre_tool_call
from tfmem_tui.core.errors import InvalidInput, TfmemError
from tfmem_tui.core.level import Level
from tfmem_tui.core.memory import MemoryRepository
from tfmem_tui.core.records import MemoryVersion
from tfmem_tui.core.validation import MAX_KEY_CHARACTERS, MAX_RESULTS, MAX_TAG_CHARACTERS, MAX_TAGS

LARGEST_ANSWER_BYTES = 256 * 1024
AROUND_ROWS_BYTES = 5 * 1024  # names of fields, and a cursor: base64 of a key of 256 characters, each one escaped

Key = Annotated[
    str,
    Field(description="A short descriptive name such as user-name or project-acme-deadline; 1 to 256 characters."),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_KEY_CHARACTERS}),
]
Tags = Annotated[
    list[str] | None,
    WithJsonSchema(
        {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": MAX_TAG_CHARACTERS},
            "maxItems": MAX_TAGS,
        }
    ),
]


class ToolArguments(BaseModel):
    """What a tool takes; anything else was stripped before."""

    model_config = ConfigDict(strict=True, extra="forbid")


class MemorySave(ToolArguments):
    """Save a fact, preference or piece of context under a key, so that it outlives this conversation.

    Saving a key again replaces what it said. The classification level is set by the session; it is not an argument.
    """

    key: Key
    content: str = Field(description="The text to remember; at most 1 MiB.")
    tags: Tags = Field(default=None, description="Labels to list by, such as persona, rule, preference or project.")


class MemoryGet(ToolArguments):
    """Get the memory saved under exactly this key."""

    key: Key


class MemorySearch(ToolArguments):
    """Search memories by words in key, content and tags, best match first. Plain words; any of them may match."""

    query: str = Field(description="Words to look for; a question will do.")
    max_results: int = Field(default=10, ge=1, le=MAX_RESULTS, description="At most so many results.")


class MemoryList(ToolArguments):
    """List memories, newest first; with a tag, only those that carry exactly this tag."""

    tag: str | None = Field(default=None, description="Only memories with this tag.")
    cursor: str | None = Field(default=None, description="next_cursor of the answer before, to go on from there.")


class MemoryDelete(ToolArguments):
    """Delete the memory saved under this key at this session's own level."""

    key: Key


TOOLS: dict[str, type[ToolArguments]] = {
    "memory_save": MemorySave,
    "memory_get": MemoryGet,
    "memory_search": MemorySearch,
    "memory_list": MemoryList,
    "memory_delete": MemoryDelete,
}


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The answer of one call, what the hook let through and took out, and the level that was forced, if any."""

    payload: dict[str, Any]
    arguments: dict[str, object] = field(default_factory=dict)
    stripped: tuple[str, ...] = ()
    level: Level | None = None

    @property
    def failed(self) -> bool:
        """Whether the answer is an error."""
        return "error" in self.payload


def tool_schemas() -> list[dict[str, Any]]:
    """Name, description and JSON schema of the arguments of each tool."""
    return [
        {"name": name, "description": description(model), "inputSchema": model.model_json_schema()}
        for name, model in TOOLS.items()
    ]


def description(model: type[BaseModel]) -> str:
    """What a tool says of itself to a model."""
    return " ".join((model.__doc__ or "").split())


def run_tool(repository: MemoryRepository, name: str, arguments: object) -> ToolAnswer:
    """Plays one call: hook, validation, gate, answer. Bad input of any kind is an answer too, never an exception."""
    model = TOOLS.get(name)
    decision = HookDecision({}, ())
    try:
        if model is None:
            raise _refused(
                repository, "unknown_tool", None, f"there is no such tool; expected one of {', '.join(TOOLS)}"
            )
        if not isinstance(arguments, Mapping):
            raise _refused(repository, name, None, "the arguments must be a JSON object")
        decision = pre_tool_call(arguments, set(model.model_fields))
        call = _validated(repository, model, name, decision)
        payload, level = RUN[name](repository, call, decision.stripped)
    except TfmemError as error:
        payload, level = {"error": {"code": error.code, "message": error.message}}, None
    except RecursionError:
        payload, level = {"error": {"code": InvalidInput.code, "message": "the arguments are nested too deeply"}}, None
    if decision.stripped:
        payload["ignored"] = list(decision.stripped)
    if not repository.audited:
        payload["audited"] = False
    return ToolAnswer(payload, decision.arguments, decision.stripped, level)


def _refused(
    repository: MemoryRepository, action: str, key: str | None, reason: str, stripped: tuple[str, ...] = ()
) -> InvalidInput:
    """The error for a call that never reaches the repository, recorded there as invalid."""
    repository.record_invalid(action, key, reason, forced=stripped)
    return InvalidInput(reason)


def problem_with(name: str, arguments: Mapping[str, object]) -> str | None:
    """What is wrong with the arguments of a call that has not been made yet, or ``None``; leaves no trace."""
    model = TOOLS[name]
    decision = pre_tool_call(dict(arguments.items()), set(model.model_fields))
    try:
        model.model_validate({key: value for key, value in decision.arguments.items() if value is not None})
    except ValidationError as error:
        return _sentences(error)
    return None


def _sentences(error: ValidationError) -> str:
    return "; ".join(_sentence(one) for one in error.errors(include_url=False, include_input=False)[:3])


def _validated(repository: MemoryRepository, model: type[ToolArguments], name: str, decision: HookDecision) -> Any:
    given = {key: value for key, value in decision.arguments.items() if value is not None}
    try:
        return model.model_validate(given)
    except ValidationError as error:
        reason = _sentences(error)
        key = given.get("key")
        raise _refused(repository, name, key if isinstance(key, str) else None, reason, decision.stripped) from None


def _sentence(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"])
    return f"{where}: {error['msg'][0].lower()}{error['msg'][1:]}"


Ran = tuple[dict[str, Any], Level | None]


def _save(repository: MemoryRepository, call: MemorySave, stripped: tuple[str, ...]) -> Ran:
    saved = repository.save(call.key, call.content, call.tags or (), forced=stripped)
    return {"saved": True, "key": saved.key, "classification": saved.level.name}, saved.level


def _get(repository: MemoryRepository, call: MemoryGet, stripped: tuple[str, ...]) -> Ran:
    found = repository.get(call.key, forced=stripped)
    if found is None:
        return {"found": False, "key": call.key}, None
    return {"found": True, **listed(found)}, None


def _search(repository: MemoryRepository, call: MemorySearch, stripped: tuple[str, ...]) -> Ran:
    found = repository.search(call.query, call.max_results, take=_room(result, stripped, call.query), forced=stripped)
    payload: dict[str, Any] = {"results": [result(one) for one in found.memories], "query": call.query}
    if found.truncated:
        payload["truncated"] = True
    return payload, None


def _list(repository: MemoryRepository, call: MemoryList, stripped: tuple[str, ...]) -> Ran:
    found = repository.list(call.tag, cursor=call.cursor, take=_room(listed, stripped), forced=stripped)
    payload: dict[str, Any] = {"memories": [listed(one) for one in found.memories]}
    if found.next_cursor is not None:
        payload["next_cursor"] = found.next_cursor
    return payload, None


def _delete(repository: MemoryRepository, call: MemoryDelete, stripped: tuple[str, ...]) -> Ran:
    repository.delete(call.key, forced=stripped)
    return {"deleted": True, "key": call.key}, None


RUN: dict[str, Callable[[MemoryRepository, Any, tuple[str, ...]], Ran]] = {
    "memory_save": _save,
    "memory_get": _get,
    "memory_search": _search,
    "memory_list": _list,
    "memory_delete": _delete,
}


def result(version: MemoryVersion) -> dict[str, Any]:
    """A memory as ``memory_search`` answers it."""
    return {
        "key": version.key,
        "content": version.content,
        "classification": version.level.name,
        "tags": list(version.tags),
    }


def listed(version: MemoryVersion) -> dict[str, Any]:
    """A memory as ``memory_get`` and ``memory_list`` answer it."""
    return {**result(version), "updated_at": iso(version.saved_at)}


def iso(moment: datetime) -> str:
    """ISO 8601 in UTC with milliseconds, as Triggerfish writes times."""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"


def _room(
    shape: Callable[[MemoryVersion], dict[str, Any]], stripped: tuple[str, ...], query: str = ""
) -> Callable[[MemoryVersion], bool]:
    """Says of each row in turn whether the answer still has room for it: 256 KiB of JSON, all fields counted."""
    used = AROUND_ROWS_BYTES + _size([*stripped, query])

    def take(version: MemoryVersion) -> bool:
        nonlocal used
        used += _size(shape(version)) + 2
        return used <= LARGEST_ANSWER_BYTES

    return take


def _size(data: Any) -> int:
    return len(json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass"))
