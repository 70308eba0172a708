"""What can be configured and what holds where nothing is: plain values, so that a start without settings stays quick.

Reading and checking a file or the environment is ``config.py``'s, which is imported only where there is either.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tfmem_tui.core.errors import InvalidInput
from tfmem_tui.core.level import Level

ThemeName = Literal["dark", "light", "high-contrast", "colour-blind", "ansi"]
PREFIX = "TFMEM_"


class ConfigError(InvalidInput):
    """The configuration cannot be used: which file, which line, what is wrong, what was meant."""


@dataclass(frozen=True, slots=True)
class KeySetting:
    """The keys that the file gives an action, and where it says so. What they mean is the screen's business."""

    keys: tuple[str, ...]
    where: str  # file and line


@dataclass(frozen=True, slots=True)
class Preferences:
    """Every setting, with its default. What each does is said in ``config.Settings``."""

    home: Path | None = None
    agent: str | None = None
    clearance: Level = Level.RESTRICTED
    theme: ThemeName = "dark"
    ascii: bool = False
    mouse: bool = True
    animations: bool = True
    read_only: bool = False
    keys: Mapping[str, KeySetting] = field(default_factory=dict)


DEFAULTS = Preferences()


def config_path() -> Path:
    """Where the configuration file is, or would be."""
    named = os.environ.get("TFMEM_CONFIG")
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_config_dir("tfmem", appauthor=False)) / "config.yaml"


def load_preferences(path: Path | None = None) -> Preferences:
    """The settings as file and environment have them. Raises ``ConfigError``."""
    file = path or config_path()
    set_by_environment = any(name.upper().startswith(PREFIX) and value for name, value in os.environ.items())
    if not set_by_environment and not file.exists():
        return DEFAULTS
    from tfmem_tui.config import read_preferences

    return read_preferences(file)
