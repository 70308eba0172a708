"""Ways in and out of a store: other programs' databases and plain files. No screen and no command line."""
