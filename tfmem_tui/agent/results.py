"""What the five tools answer, as Pydantic models: the output schemas that MCP clients check answers against."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class ToolResult(BaseModel):
    """Fields that any answer may carry. Further fields may be added, none renamed."""

    model_config = ConfigDict(extra="allow")

    ignored: list[str] | None = Field(default=None, description="Arguments that were taken out of the call.")
    audited: bool | None = Field(default=None, description="False where the store is read-only and keeps no audit.")


class Memory(BaseModel):
    """A memory as a search finds it."""

    key: str
    content: str
    classification: str = Field(description="The level that the memory has; set by its session.")
    tags: list[str]


class DatedMemory(Memory):
    """A memory with the time of its last save."""

    updated_at: str = Field(description="ISO 8601, UTC.")


class Saved(ToolResult):
    """Answer of ``memory_save``."""

    saved: bool
    key: str
    classification: str


class Got(ToolResult):
    """Answer of ``memory_get``; without ``found`` there is only the key."""

    found: bool
    key: str
    content: str | None = None
    classification: str | None = None
    tags: list[str] | None = None
    updated_at: str | None = None


class Searched(ToolResult):
    """Answer of ``memory_search``, best match first."""

    results: list[Memory]
    query: str
    truncated: bool | None = Field(default=None, description="True where the answer was full.")


class Listed(ToolResult):
    """Answer of ``memory_list``, newest first."""

    memories: list[DatedMemory]
    next_cursor: str | None = Field(default=None, description="Give it back as cursor to go on.")


class Deleted(ToolResult):
    """Answer of ``memory_delete``."""

    deleted: bool
    key: str


RESULTS: dict[str, type[ToolResult]] = {
    "memory_save": Saved,
    "memory_get": Got,
    "memory_search": Searched,
    "memory_list": Listed,
    "memory_delete": Deleted,
}
