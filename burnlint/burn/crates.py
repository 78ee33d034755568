"""From Cargo's packages to crates: the module tree of each target, with the names under which it sees the
others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from burnlint.burn.family import is_own
from burnlint.rust.modules import Crate, Read

if TYPE_CHECKING:
    from burnlint.cargo.model import Package, Target
    from burnlint.rust.source import SourceFile

_TEST_KINDS = frozenset({"test", "bench"})
_FAMILY: Mapping[str, str] = {
    name.replace("-", "_"): name
    for name in (
        *("burn", "burn-autodiff", "burn-core", "burn-cuda", "burn-dataset", "burn-flex", "burn-import"),
        *("burn-ndarray", "burn-nn", "burn-onnx", "burn-optim", "burn-store", "burn-tch", "burn-tensor"),
        *("burn-train", "burn-vision", "burn-wgpu", "cubecl"),
    )
}
"""What a file without a manifest is taken to depend on."""


@dataclass(slots=True, eq=False)
class Unit:
    """A package as it is analysed: its crates, and those of the workspace that it depends on. `own` come
    first.
    """

    own: list[Crate] = field(default_factory=list)
    used: list[Crate] = field(default_factory=list)
    externs: Mapping[str, Crate | str] = field(default_factory=dict)
    """What a file of the package that is in no target may name."""

    def files(self) -> list[SourceFile]:
        """The files of its crates, each once, its own first."""
        return list(dict.fromkeys(file for crate in (*self.own, *self.used) for file in crate.files()))


class Crates:
    """Makes crates on demand, each once: a library is the same object for all that depend on it."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._libraries: dict[str, Crate | None] = {}
        self._units: dict[str, Unit] = {}
        self.absent: dict[str, None] = {}
        """Root files of targets that were asked for and are not there."""

    def unit(self, package: Package) -> Unit:
        """The crates of a package and of the workspace packages it uses, directly or not."""
        found = self._units.get(package.root)
        if found is None:
            found = self._units[package.root] = self._make(package)
        return found

    def stray(self, path: str, unit: Unit | None) -> Unit:
        """A file that no target includes, as a crate of its own beside those of its package."""
        externs = unit.externs if unit is not None else _FAMILY
        crate = Crate(path.rpartition("/")[2].removesuffix(".rs"), path, self._read, externs)
        return Unit([crate], [*unit.own, *unit.used] if unit is not None else [], externs)

    def _make(self, package: Package) -> Unit:
        externs = self._externs(package)
        own = [
            crate
            for target in package.targets
            if (crate := self._crate(package, target, externs)) is not None
        ]
        used: dict[Crate, None] = {}
        pending = [each for each in externs.values() if isinstance(each, Crate)]
        while pending:
            crate = pending.pop()
            if crate not in used:
                used[crate] = None
                pending.extend(each for each in crate.externs.values() if isinstance(each, Crate))
        return Unit(own, [crate for crate in used if crate not in own], externs)

    def _crate(self, package: Package, target: Target, externs: Mapping[str, Crate | str]) -> Crate | None:
        if target.kind == "lib":
            return self._library(package)
        if not self._has(target):
            return None
        return Crate(
            target.crate,
            target.path,
            self._read,
            externs,
            target.year,
            test=target.kind in _TEST_KINDS,
        )

    def _has(self, target: Target) -> bool:
        """Whether a target's root file is there: a manifest may name any."""
        if self._read(target.path) is not None:
            return True
        self.absent[target.path] = None
        return False

    def _library(self, package: Package) -> Crate | None:
        """The library of a package. Its externs are filled after it is known, since development dependencies
        may lead back to it."""
        if package.root not in self._libraries:
            target = package.library
            if target is None or not self._has(target):
                self._libraries[package.root] = None
            else:
                made = Crate(target.crate, target.path, self._read, {}, target.year)
                self._libraries[package.root] = made
                made.externs.update(self._externs(package))
        return self._libraries[package.root]

    def _externs(self, package: Package) -> dict[str, Crate | str]:
        """The names of a package's dependencies of all kinds, and of its own library."""
        externs: dict[str, Crate | str] = {}
        for dependency in package.dependencies:
            local = package.workspace.local_package(dependency)
            # In burn's own repository too burn is what its facts say, as for everybody else.
            if local is not None and is_own(local):
                local = None
            library = self._library(local) if local is not None and not local.proc_macro else None
            # Under the key that Cargo hands to rustc; the library's own name where nothing renames it.
            name = dependency.crate
            if library is not None and dependency.key == dependency.name:
                name = library.name
            externs[name] = library or dependency.name
        library = self._library(package)
        if library is not None:
            externs.setdefault(library.name, library)
        if "burn" in externs.values():
            # Code that names a crate of burn's before the manifest does: it can be no other.
            for name, crate in _FAMILY.items():
                externs.setdefault(name, crate)
        return externs
