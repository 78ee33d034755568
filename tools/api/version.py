"""One version from its crates to its table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tools.api.crates import FOREIGN, folders
from tools.api.items import ItemReader
from tools.api.modules import Sources
from tools.api.names import resolve_names
from tools.api.public import surface
from tools.api.selection import Selection
from tools.api.table import Table


@dataclass(frozen=True, slots=True)
class Reading:
    """A table and what was met on the way.

    `lines` counts the source lines read; `open` lists signatures of types and functions with a part that was
    not reduced, `unexpanded` the macro calls that stayed closed.
    """

    table: dict[str, Any]
    lines: int
    open: tuple[str, ...]
    unexpanded: tuple[str, ...]


def read_version(version: str, crates: Mapping[str, str]) -> Reading:
    """The table of a version of burn, made of these crates (name to version). Raises FetchError."""
    reading = read_folders(folders(crates))
    head = {"version": version, "crates": dict(sorted(crates.items()))}
    return replace(reading, table={**head, **reading.table})


def read_folders(crates: Mapping[str, Path]) -> Reading:
    """The sections of the table of crates that lie in folders (package name to folder)."""
    libraries = {
        name.replace("-", "_"): folder
        for name, folder in sorted(crates.items(), key=lambda crate: (crate[0] in FOREIGN, crate[0]))
        if (folder / "src" / "lib.rs").is_file()
    }
    sources = Sources(libraries)
    resolve_names(sources)
    reader = ItemReader(sources)
    facts = reader.read()
    writer = Table(Selection(facts, surface(sources)))
    table = writer.build()
    table["gaps"].update((f"read: {why}", count) for why, count in sorted(reader.normaliser.gaps.items()))
    return Reading(table, sources.lines, tuple(writer.open), tuple(sources.unexpanded))
