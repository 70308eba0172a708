"""tfmem: the terminal app and engine for an AI agent's classified persistent memory."""

__version__ = "0.1.0"
