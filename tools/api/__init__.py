"""Extraction of burn's public API from the sources of its released crates: `python -m tools.api --help`."""
