"""``python -m tfmem_tui``: the same as the ``tfmem`` command."""

from tfmem_tui.cli.main import main

if __name__ == "__main__":
    main()
