"""The registry index through cargo: cargo fetches the entries of the crates that are asked for, its cache
is read."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

_CACHE_FORMAT = 3
"""First byte of an index cache file of cargo 1.8x and 1.9x: version, NUL-separated fields, one JSON object
per release."""


class RegistryError(RuntimeError):
    """Cargo could not fetch an entry, or its cache has a format that this tool does not know."""


class Index:
    """Releases of crates, from cargo's cache of the default registry's index."""

    def __init__(self) -> None:
        self._home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
        self._fetched: set[str] = set()

    def _cache(self) -> Path:
        caches = sorted((self._home / "registry/index").glob("*/.cache"), key=lambda p: p.stat().st_mtime)
        if not caches:
            raise RegistryError("cargo has no index cache; is cargo installed and the registry reachable?")
        return caches[-1]

    def fetch(self, names: list[str]) -> None:
        """Asks cargo for the current entries of these crates, all at once."""
        fresh = [name for name in names if name not in self._fetched]
        self._fetched.update(fresh)
        if not fresh:
            return
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "src").mkdir()
            (root / "src/lib.rs").touch()
            entries = "".join(f'{name} = {{ version = ">=0.0.0-0", optional = true }}\n' for name in fresh)
            head = '[package]\nname = "scratch"\nversion = "0.0.0"\nedition = "2021"\n'
            (root / "Cargo.toml").write_text(f"{head}[workspace]\n[dependencies]\n{entries}")
            # It may fail (no release that fits every entry): the entries are in the cache all the same.
            subprocess.run(
                ["cargo", "generate-lockfile"],
                cwd=root,
                capture_output=True,
                check=False,
                input=b"",
            )

    def releases(self, name: str) -> list[dict[str, Any]]:
        """Every release of a crate, oldest first, as the index describes it. Raises `RegistryError`."""
        path = self._cache().joinpath(*_parts(name))
        if not path.is_file():
            raise RegistryError(f"cargo has no index entry for `{name}`")
        content = path.read_bytes()
        if content[:1] != bytes([_CACHE_FORMAT]):
            raise RegistryError(f"{path}: cache format {content[:1]!r} is not known")
        return [json.loads(part) for part in content.split(b"\0") if part.startswith(b"{")]


def _parts(name: str) -> tuple[str, ...]:
    """Where the index keeps a crate."""
    if len(name) <= 2:
        return (str(len(name)), name)
    if len(name) == 3:
        return ("3", name[0], name)
    return (name[:2], name[2:4], name)
