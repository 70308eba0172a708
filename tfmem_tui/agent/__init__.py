"""The agent's side: the five tools, the hook that forces their level, and the MCP server that offers them."""
