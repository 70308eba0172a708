"""The engine: the gate, the store, the index per level and the audit chain. No screen, no command line, no MCP."""
