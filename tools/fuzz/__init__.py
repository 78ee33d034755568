"""Inputs that nobody writes on purpose, by the hundred thousand: `python -m tools.fuzz --help`."""
