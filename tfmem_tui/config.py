"""Settings: flags over environment over a YAML file over defaults. Unknown keys and wrong values are refused by line.

The file is ``tfmem/config.yaml`` in the per-user configuration folder, or what ``TFMEM_CONFIG`` names.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Any, Literal

import platformdirs
import yaml
from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.level import Level

THEMES = ("dark", "light")


class ConfigError(InvalidInput):
    """The configuration cannot be used: which file, which line, what is wrong, what was meant."""


class Settings(BaseSettings):
    """Every setting, with what it does. Names are those of the YAML file."""

    model_config = SettingsConfigDict(env_prefix="TFMEM_", extra="forbid", frozen=True)

    home: Path | None = Field(default=None, description="The folder that holds the stores of all agents.")
    agent: str | None = Field(default=None, description="The agent whose memory is meant where none is named.")
    clearance: Level = Field(default=Level.RESTRICTED, description="The highest level that the screen offers.")
    theme: Literal["dark", "light"] = Field(default="dark", description="Colours of the screen.")
    ascii: bool = Field(default=False, description="Draw the screen with ASCII characters alone.")
    mouse: bool = Field(default=True, description="Take clicks and scrolling of the mouse.")
    read_only: bool = Field(default=False, description="Open stores for reading only.")

    @field_validator("clearance", mode="before")
    @classmethod
    def _level_by_name(cls, value: object) -> object:
        return Level.parse(value) if isinstance(value, str) else value

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
        return env_settings, init_settings


def config_path() -> Path:
    """Where the configuration file is, or would be."""
    named = os.environ.get("TFMEM_CONFIG")
    return Path(named) if named else Path(platformdirs.user_config_dir("tfmem", appauthor=False)) / "config.yaml"


def load_settings(path: Path | None = None) -> Settings:
    """The settings as file and environment have them. Raises ``ConfigError``."""
    file = path or config_path()
    values, lines = _read(file) if file.exists() or os.environ.get("TFMEM_CONFIG") else ({}, {})
    known = set(Settings.model_fields)
    for key in values:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(sorted(known))}"
            raise ConfigError(f"{file}:{lines[key]}: unknown setting {key}{hint}")
    try:
        return Settings(**values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = str(first["loc"][0]) if first["loc"] else "?"
        reason = first["msg"].removeprefix("Value error, ")
        where = f"{file}:{lines[name]}" if name in lines else f"TFMEM_{name.upper()}"
        raise ConfigError(f"{where}: {name}: {reason}") from None


def _read(file: Path) -> tuple[dict[str, Any], dict[str, int]]:
    try:
        text = file.read_text("utf-8")
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        values = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        at = f"{mark.line + 1}:{mark.column + 1}" if mark else "1:1"
        raise ConfigError(f"{file}:{at}: {error.problem or 'not YAML'}") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValueError) as error:
        raise ConfigError(f"{file}: cannot be read ({type(error).__name__})") from None
    if values is None:
        return {}, {}
    if not isinstance(values, dict) or not isinstance(node, yaml.MappingNode):
        raise ConfigError(f"{file}:1: expected settings as `name: value`")
    return values, {str(key.value): key.start_mark.line + 1 for key, _ in node.value}
