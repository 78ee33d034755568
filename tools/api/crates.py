"""The released sources of burn's crates, fetched with cargo's ordinary client.

`resolve` asks cargo which crates a version of burn locks; `folders` has cargo download what is missing and
says where it lies. Cargo's own cache is only read.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path

# Crates of other families whose items burn re-exports as its own (Shape, DType, Bytes).
FOREIGN = ("cubecl-common", "cubecl-environment", "cubecl-zspace")


class FetchError(RuntimeError):
    """Cargo could not resolve or download."""


def _cargo(*arguments: str, folder: Path) -> str:
    done = subprocess.run(["cargo", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise FetchError(f"cargo {' '.join(arguments)} failed:\n{done.stderr.strip()}")
    return done.stdout


def resolve(version: str) -> dict[str, str]:
    """Name and version of burn and of every crate of its family that it can depend on, over all its features.

    Raises FetchError.
    """
    (folder,) = folders({"burn": version}).values()
    features = sorted(tomllib.loads((folder / "Cargo.toml").read_text("utf-8")).get("features", {}))
    quoted = ", ".join(f'"{name}"' for name in features)
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        (root / "src").mkdir()
        (root / "src" / "lib.rs").touch()
        (root / "Cargo.toml").write_text(
            '[package]\nname = "scratch"\nversion = "0.0.0"\nedition = "2021"\n\n[workspace]\n\n'
            "[dependencies]\n"
            f'burn = {{ version = "={version}", features = [{quoted}] }}\n'
        )
        _cargo("generate-lockfile", folder=root)
        lock = tomllib.loads((root / "Cargo.lock").read_text("utf-8"))
    return {
        package["name"]: package["version"]
        for package in lock["package"]
        if package["name"] == "burn" or package["name"].startswith("burn-") or package["name"] in FOREIGN
    }


def folders(crates: Mapping[str, str]) -> dict[str, Path]:
    """The source folder of every crate (name to version), downloaded if need be. Raises FetchError."""
    out = {}
    for name, version in crates.items():
        found = _cached(name, version)
        if found is None:
            with tempfile.TemporaryDirectory() as scratch:
                _cargo("info", f"{name}@{version}", folder=Path(scratch))
            found = _cached(name, version)
        if found is None:
            raise FetchError(f"cargo did not leave the sources of {name} {version} in its cache")
        out[name] = found
    return out


def _cached(name: str, version: str) -> Path | None:
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    return next(
        (p for p in home.glob(f"registry/src/*/{name}-{version}") if (p / "Cargo.toml").is_file()), None
    )
