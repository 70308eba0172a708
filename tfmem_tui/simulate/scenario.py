"""Scenario files: their form as Pydantic models, and reading them with file, line and column of what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema, model_validator

from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.level import ALL_LEVELS, Level

LARGEST_FILE_BYTES = 4 * 1024 * 1024
ToolName = Literal["memory_save", "memory_get", "memory_search", "memory_list", "memory_delete"]


def _level(value: object) -> Level:
    if isinstance(value, Level):
        return value
    if not isinstance(value, str):
        raise ValueError("must be the name of a level")
    return Level.parse(value)


LevelName = Annotated[
    Level, BeforeValidator(_level), WithJsonSchema({"type": "string", "enum": [level.name for level in ALL_LEVELS]})
]


class Strict(BaseModel):
    """Unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Expectation(Strict):
    """What is expected of an answer; all that is given must hold."""

    answer: dict[str, Any] | None = Field(default=None, description="A subset of the answer: these fields, so.")
    found: bool | None = Field(default=None, description="Of memory_get: whether something was found.")
    error: str | None = Field(default=None, description="The code of the error, such as NOT_FOUND.")
    keys: list[str] | None = Field(default=None, description="Of a search or list: exactly these keys, in order.")


class Step(Strict):
    """One step: a tool call, or an act of the operator's."""

    note: str | None = Field(default=None, description="A remark, shown in the transcript.")
    session: str | None = Field(default=None, alias="as", description="Who acts: the name of a session.")
    call: ToolName | None = None
    args: dict[str, Any] = Field(default_factory=dict, description="The arguments, as a model would send them.")
    escalate: str | None = Field(default=None, description="Raise this session.")
    to: LevelName | None = Field(default=None, description="The level to raise it to.")
    reset: str | None = Field(default=None, description="End this session, and begin it afresh at PUBLIC.")
    restore: str | None = Field(default=None, description="Restore the newest tombstone of this key that `as` sees.")
    purge: str | None = Field(default=None, description="Purge every ended version of this key that `as` sees.")
    wait: float | None = Field(default=None, gt=0, description="Let so many seconds pass on the scenario's clock.")
    expect: Expectation | None = None

    @property
    def kind(self) -> str:
        """Which of the acts this step is."""
        return next(name for name in ACTS if getattr(self, name) is not None)

    @model_validator(mode="after")
    def _one_act(self) -> Step:
        acts = [name for name in ACTS if getattr(self, name) is not None]
        if len(acts) != 1:
            raise ValueError(f"a step is exactly one of {', '.join(ACTS)}")
        if acts[0] in ("call", "restore", "purge") and self.session is None:
            raise ValueError(f"`{acts[0]}` needs `as`: the session that acts")
        if (acts[0] == "escalate") != (self.to is not None):
            raise ValueError("`escalate` and `to` go together")
        if self.args and acts[0] != "call":
            raise ValueError("`args` belong to a `call`")
        return self


ACTS = ("call", "escalate", "reset", "restore", "purge", "wait")


class Scenario(Strict):
    """A file: who there is, what they do, and what should come of it."""

    name: str = Field(min_length=1)
    about: str | None = None
    sessions: dict[str, LevelName] = Field(description="Each session with the taint that it starts at.", min_length=1)
    steps: list[Step] = Field(min_length=1)

    @model_validator(mode="after")
    def _known_sessions(self) -> Scenario:
        for number, step in enumerate(self.steps, 1):
            for name in (step.session, step.escalate, step.reset):
                if name is not None and name not in self.sessions:
                    raise ValueError(f"step {number} names a session that is not under `sessions`")
        return self


class BadScenario(Exception):
    """A scenario file that cannot be played: where it is wrong (line and column from 1), and how."""

    def __init__(self, path: Path, line: int, column: int, reason: str) -> None:
        super().__init__(f"{path}:{line}:{column}: {reason}")
        self.path, self.line, self.column, self.reason = path, line, column, reason


def read_scenario(path: Path) -> Scenario:
    """The scenario in a YAML file. Raises ``BadScenario`` with line and column (from 1) of what is wrong."""
    text = _text(path)
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        data = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise BadScenario(path, line, column, error.problem or "not YAML") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise BadScenario(path, 1, 1, f"not YAML ({type(error).__name__})") from None
    try:
        return Scenario.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        reason = first["msg"].removeprefix("Value error, ")
        raise BadScenario(path, *_place(node, first["loc"]), f"{where}: {reason}" if where else reason) from None
    except InvalidInput as error:
        raise BadScenario(path, 1, 1, error.message) from None


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_FILE_BYTES:
            raise BadScenario(path, 1, 1, f"larger than {LARGEST_FILE_BYTES} bytes")
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise BadScenario(path, 1, 1, "not UTF-8 text") from None
    except OSError as error:
        raise BadScenario(path, 1, 1, f"cannot be read: {error.strerror}") from None


def _place(node: yaml.Node | None, loc: Sequence[int | str]) -> tuple[int, int]:
    """Line and column of the deepest node on the way to ``loc``."""
    mark = node.start_mark if node is not None else None
    for part in loc:
        if isinstance(node, yaml.MappingNode):
            pair = next(((k, v) for k, v in node.value if k.value == str(part)), None)
            if pair is None:
                break
            mark, node = pair[0].start_mark, pair[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            mark = node.start_mark
        else:
            break
    return (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)


def json_schema() -> dict[str, Any]:
    """The JSON schema of a scenario file, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Scenario.model_json_schema(by_alias=True)}


def write_scenario(scenario: Scenario) -> str:
    """A scenario as YAML that ``read_scenario`` reads back as the same."""
    data = scenario.model_dump(mode="python", by_alias=True, exclude_defaults=True)
    return str(yaml.safe_dump(_plain(data), sort_keys=False, allow_unicode=True, width=100))


def _plain(value: Any) -> Any:
    if isinstance(value, Level):
        return value.name
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
