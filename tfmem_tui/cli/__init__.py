"""The command line: one file per group of commands. It parses and prints, and decides nothing."""
