"""The releases of burn's crates: versions, features, dependencies, from the generated file
`data/features.txt`.

The file holds every release of `burn` from 0.13 on, every release of its family (`burn-*`, `cubecl*`,
`cubek*`, `onnx-ir*`) that one of them may be built with, and the later ones of the same crates. It is written by
`python -m tools.features` from the registry index. A line is decoded when somebody asks for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import cast

from burnlint.cargo.model import DependencyKind
from burnlint.cargo.semver import Requirement, Version

DATA = Path(__file__).parent / "data/features.txt"
PROC_MACROS = frozenset(
    {
        *("burn-backend-extension", "burn-derive", "burn-instrument-macros", "burn-tensor-testgen"),
        *("cubecl-macros", "cubecl-macros-internal", "onnx-ir-derive"),
    }
)
"""The crates of the family that are compiled for the build host, with all that they need. The registry's index does
not say it; source: `[lib] proc-macro` in the manifests of all their releases from 0.13 on."""


@dataclass(slots=True, frozen=True)
class ReleasedDependency:
    """One dependency of a release, without those for development."""

    key: str
    name: str
    requirement: Requirement
    kind: DependencyKind
    target: str | None
    optional: bool
    default_features: bool
    features: tuple[str, ...]


@dataclass(frozen=True)
class Release:
    """One release of a crate of the family. `features` has the implicit ones of optional dependencies too."""

    name: str
    version: Version
    yanked: bool
    rust_version: str | None
    """The oldest Rust it builds with, as its manifest says."""
    _features: str
    _dependencies: str

    @cached_property
    def features(self) -> Mapping[str, Sequence[str]]:
        return cast(dict[str, list[str]], json.loads(self._features))

    @cached_property
    def dependencies(self) -> Sequence[ReleasedDependency]:
        """Those within the family, and the few others that rules ask about."""
        found = []
        for key, name, req, kind, target, optional, default, features in json.loads(self._dependencies):
            text = req + str(self.version) if req in ("^", "=") else req
            requirement = Requirement.parse(text)
            found.append(
                ReleasedDependency(
                    key, name, requirement, kind or "normal", target, optional, default, tuple(features)
                )
            )
        return found


class Releases:
    """Every release that the data knows, by crate."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines: dict[str, list[str]] = {}
        for line in lines:
            name, _, rest = line.rstrip("\n").partition("\t")
            if not name.startswith("#"):
                self._lines.setdefault(name, []).append(rest)
        self._crates: dict[str, tuple[dict[Version, Release], list[Version]]] = {}
        self._newest: dict[tuple[str, str], Version | None] = {}

    def knows(self, name: str) -> bool:
        """Whether the crate is one of the family."""
        return name in self._lines

    @property
    def crates(self) -> Sequence[str]:
        return sorted(self._lines)

    def get(self, name: str, version: Version) -> Release | None:
        """A release with its features; `None` for one that the data does not follow."""
        return self._crate(name)[0].get(version)

    def versions(self, name: str) -> list[Version]:
        """Every known version that is not yanked, ascending; also those older than the data follows."""
        return self._crate(name)[1]

    def beside(self, name: str, version: Version, step: int) -> Version | None:
        """The known version, pre-releases too, before (-1) or after (+1) a version; `None` where there is none."""
        if step < 0:
            return max((v for v in self.versions(name) if v < version), default=None)
        return min((v for v in self.versions(name) if v > version), default=None)

    def admitted(self, name: str, requirement: Requirement) -> list[Version]:
        """The known versions that a requirement admits and that are not yanked, ascending."""
        return [v for v in self.versions(name) if requirement.matches(v)]

    def newest(self, name: str, requirement: Requirement) -> Version | None:
        """What a fresh lock file takes."""
        key = (name, requirement.text)
        if key not in self._newest:
            self._newest[key] = next(
                (v for v in reversed(self.versions(name)) if requirement.matches(v)), None
            )
        return self._newest[key]

    def _crate(self, name: str) -> tuple[dict[Version, Release], list[Version]]:
        if name not in self._crates:
            followed: dict[Version, Release] = {}
            versions: list[Version] = []
            for line in self._lines.get(name, ()):
                texts, *row = line.split("\t")
                for text in texts.split(" "):
                    version = Version.parse(text.removeprefix("!"))
                    if row:
                        rust, features, dependencies = row
                        yanked = text.startswith("!")
                        followed[version] = Release(
                            name, version, yanked, rust or None, features, dependencies
                        )
                    if not text.startswith("!"):
                        versions.append(version)
            self._crates[name] = (followed, sorted(versions))
        return self._crates[name]


@cache
def releases() -> Releases:
    """The data, read once."""
    with DATA.open(encoding="utf-8") as file:
        return Releases(file)
