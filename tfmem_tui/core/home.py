"""Where stores live: one file per agent under a home folder (G8)."""

from __future__ import annotations

from pathlib import Path

from tfmem_tui.core.errors import InvalidInput

# Names differ on every file system only if case does not matter and nothing is special: all else is encoded.
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
LONGEST_FILE_NAME = 240
SUFFIX = ".db"


def default_home() -> Path:
    """The per-user data folder of tfmem."""
    import platformdirs

    return Path(platformdirs.user_data_dir("tfmem", appauthor=False))


def encode_agent(agent: str) -> str:
    """The file name (without ending) of an agent; percent-encoded UTF-8, capitals included."""
    try:
        raw = agent.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput("the agent's name holds a lone surrogate") from None
    if not agent.strip():
        raise InvalidInput("the agent's name is empty")
    encoded = "".join(chr(b) if chr(b) in PLAIN else f"%{b:02x}" for b in raw)
    if len(encoded) > LONGEST_FILE_NAME:
        raise InvalidInput(f"the agent's name is too long: {len(encoded)} of {LONGEST_FILE_NAME} bytes")
    return encoded


def decode_agent(name: str) -> str | None:
    """The agent whose file is called ``name`` (without ending); ``None`` where no agent's would be."""
    from urllib.parse import unquote_to_bytes

    try:
        agent = unquote_to_bytes(name).decode("utf-8")
        return agent if encode_agent(agent) == name else None
    except (UnicodeDecodeError, InvalidInput):
        return None


def agent_path(home: Path, agent: str) -> Path:
    """The store of ``agent`` under ``home``. Raises ``InvalidInput`` for a name that can have no file."""
    return home / "agents" / f"{encode_agent(agent)}{SUFFIX}"


def agents(home: Path) -> list[str]:
    """The agents that have a store under ``home``, in order of name."""
    folder = home / "agents"
    if not folder.is_dir():
        return []
    names = (decode_agent(path.name.removesuffix(SUFFIX)) for path in folder.glob(f"*{SUFFIX}"))
    return sorted(name for name in names if name is not None)
