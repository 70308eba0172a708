"""The screen: a Textual app over one agent's memory. It speaks to the core through ``gateway.py`` alone."""
