"""Cargo.lock: which version of each package a build takes."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from burnlint.cargo.semver import Version, VersionError

if TYPE_CHECKING:
    from burnlint.cargo.files import Files


@dataclass(slots=True, eq=False)
class LockedPackage:
    """One `[[package]]`. `source` is `None` for a package of the workspace or a path."""

    name: str
    version: Version
    source: str | None
    dependencies: tuple[str, ...] = ()
    """As written: `name`, `name version`, or `name version (source)`, the shortest that is unique."""


@dataclass(slots=True, eq=False)
class Lock:
    """A lock file of any format version (1 to 4: they differ in how sources are spelt)."""

    path: str
    packages: list[LockedPackage] = field(default_factory=list)
    _by_name: dict[str, list[LockedPackage]] = field(default_factory=dict)

    @staticmethod
    def read(files: Files, path: str) -> Lock | None:
        """The lock file at `path`; `None` where there is none, or one that is not TOML."""
        text = files.text(path)
        if text is None:
            return None
        try:
            data = tomllib.loads(text.content.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            return None
        lock = Lock(path)
        entries = data.get("package", [])
        for entry in [data.get("root"), *(entries if isinstance(entries, list) else [])]:
            lock._add(entry)
        return lock

    def _add(self, entry: Any) -> None:
        if not isinstance(entry, dict) or not isinstance(name := entry.get("name"), str):
            return
        try:
            version = Version.parse(str(entry.get("version", "")))
        except VersionError:
            return
        source = entry.get("source")
        dependencies = entry.get("dependencies", [])
        package = LockedPackage(
            name,
            version,
            source if isinstance(source, str) else None,
            tuple(d for d in dependencies if isinstance(d, str)) if isinstance(dependencies, list) else (),
        )
        self.packages.append(package)
        self._by_name.setdefault(name, []).append(package)

    def named(self, name: str) -> list[LockedPackage]:
        """Every locked version of a package."""
        return self._by_name.get(name, [])

    def package(self, name: str, version: Version | None = None) -> LockedPackage | None:
        """The package of that name (and version); of several the first one."""
        found = (p for p in self.named(name) if version is None or p.version == version)
        return next(found, None)

    def dependencies_of(self, package: LockedPackage) -> list[LockedPackage]:
        """The locked packages that `package` depends on, those of all kinds and targets."""
        found = []
        for text in package.dependencies:
            name, _, rest = text.partition(" ")
            version, _, source = rest.partition(" ")
            for candidate in self.named(name):
                fits = not version or str(candidate.version) == version.partition("+")[0]
                from_there = (
                    not source
                    or (candidate.source or "").partition("#")[0] == source.strip("()").partition("#")[0]
                )
                if fits and from_there:
                    found.append(candidate)
                    break
        return found

    def reached_from(self, roots: Iterable[LockedPackage]) -> list[LockedPackage]:
        """These packages and all that they depend on, those of all kinds and targets; each once."""
        found = list(roots)
        seen = set(map(id, found))
        for package in found:
            for each in self.dependencies_of(package):
                if id(each) not in seen:
                    seen.add(id(each))
                    found.append(each)
        return found
