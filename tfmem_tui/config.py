"""Settings: flags over environment over a YAML file over defaults. Unknown keys and wrong values are refused by line.

The file is ``tfmem/config.yaml`` in the per-user configuration folder, or what ``TFMEM_CONFIG`` names.
"""

from __future__ import annotations

import difflib
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from tfmem_tui.core.level import Level
from tfmem_tui.preferences import DEFAULTS, ConfigError, KeySetting, Preferences, ThemeName


class Settings(BaseSettings):
    """Every setting, with what it does. Names are those of the YAML file."""

    model_config = SettingsConfigDict(env_prefix="TFMEM_", env_ignore_empty=True, extra="forbid", frozen=True)

    home: Path | None = Field(default=DEFAULTS.home, description="The folder that holds the stores of all agents.")
    agent: str | None = Field(default=DEFAULTS.agent, description="The agent that is meant where none is named.")
    clearance: Level = Field(default=DEFAULTS.clearance, description="The highest level that the screen offers.")
    theme: ThemeName = Field(default=DEFAULTS.theme, description="Colours of the screen.")
    ascii: bool = Field(default=DEFAULTS.ascii, description="Draw the screen with ASCII characters alone.")
    mouse: bool = Field(default=DEFAULTS.mouse, description="Take clicks and scrolling of the mouse.")
    animations: bool = Field(default=DEFAULTS.animations, description="Let the screen move smoothly where it scrolls.")
    read_only: bool = Field(default=DEFAULTS.read_only, description="Open stores for reading only.")
    keys: dict[str, KeySetting] = Field(default_factory=dict, description="Other keys, by the action's id.")

    @field_validator("clearance", mode="before")
    @classmethod
    def _level_by_name(cls, value: object) -> object:
        return value if isinstance(value, Level) else Level.parse(str(value))

    @field_validator("home")
    @classmethod
    def _home_of_the_user(cls, value: Path | None) -> Path | None:
        # no shell has looked at the file, and a folder called "~" is what nobody wants
        try:
            return None if value is None else value.expanduser()
        except RuntimeError:
            raise ValueError("there is no such user") from None

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The environment comes before the file, whose values are handed in when the settings are made."""
        return _NoKeys(settings_cls), init_settings


class _NoKeys(EnvSettingsSource):
    """The environment, which has no say in keys: they belong to a line of a file."""

    def __call__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__call__().items() if name != "keys"}


def read_preferences(file: Path) -> Preferences:
    """The settings as ``file`` and the environment have them. Raises ``ConfigError``."""
    values, lines = _read(file) if file.exists() or os.environ.get("TFMEM_CONFIG") else ({}, {})
    try:
        settings = Settings(**values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = str(first["loc"][0]) if first["loc"] else "?"
        reason = first["msg"].removeprefix("Value error, ")
        variable = f"TFMEM_{name.upper()}"
        given = variable in {one.upper() for one, value in os.environ.items() if value}
        where = variable if given or name not in lines else f"{file}:{lines[name]}"
        raise ConfigError(f"{where}: {name}: {reason}") from None
    return Preferences(**{one.name: getattr(settings, one.name) for one in fields(Preferences)})


def _read(file: Path) -> tuple[dict[str, Any], dict[str, int]]:
    try:
        text = file.read_text("utf-8")
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        lines = _lines(file, node)
        values = yaml.safe_load(text)
        if isinstance(node, yaml.MappingNode):
            values |= {"keys": keys} if (keys := _keys(file, node)) is not None else {}
    except ConfigError:
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        at = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
        raise ConfigError(f"{file}:{at}: {error.problem or 'not YAML'}") from None
    except (OSError, yaml.YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(f"{file}: cannot be read ({type(error).__name__})") from None
    return values or {}, lines


def _keys(file: Path, settings: yaml.MappingNode) -> dict[str, KeySetting] | None:
    """The keys by the action's id, each with its line. Raises ``ConfigError``."""
    found: dict[str, KeySetting] = {}
    node = next((value for name, value in settings.value if name.value == "keys"), None)
    if node is None:
        return None
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError(f"{file}:{node.start_mark.line + 1}: keys: expected `action: key` or `action: [key, key]`")
    for name, value in node.value:
        where = f"{file}:{name.start_mark.line + 1}"
        texts = value.value if isinstance(value, yaml.SequenceNode) else [value]
        if not isinstance(name, yaml.ScalarNode) or not all(isinstance(one, yaml.ScalarNode) for one in texts):
            raise ConfigError(f"{where}: keys: expected `action: key` or `action: [key, key]`")
        if name.value in found:
            raise ConfigError(f"{where}: {name.value} is set in {found[name.value].where} already")
        found[name.value] = KeySetting(tuple(str(one.value) for one in texts), where)
    return found


def _lines(file: Path, node: yaml.Node | None) -> dict[str, int]:
    """The line of each setting. Raises ``ConfigError`` for a file or a name that cannot be one, or comes twice."""
    lines: dict[str, int] = {}
    if node is None or (isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:null"):
        return lines
    if not isinstance(node, yaml.MappingNode):
        raise ConfigError(f"{file}:1: expected settings as `name: value`")
    known = sorted(Settings.model_fields)
    for key, _ in node.value:
        line, name = key.start_mark.line + 1, str(key.value) if isinstance(key, yaml.ScalarNode) else "?"
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(known)}"
            raise ConfigError(f"{file}:{line}: unknown setting {name}{hint}")
        if name in lines:
            raise ConfigError(f"{file}:{line}: {name} is set in line {lines[name]} already")
        lines[name] = line
    return lines
