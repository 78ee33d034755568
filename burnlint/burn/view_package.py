"""Questions about the package of a file: versions, features, back ends, targets, and its other files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from burnlint.burn import environment, gated
from burnlint.burn.backends import EAGER, WIDE_INTS
from burnlint.burn.view_core import FileCore
from burnlint.cargo import files as paths
from burnlint.lint.finding import Edit

if TYPE_CHECKING:
    from burnlint.burn.environment import Assignment
    from burnlint.burn.gated import Gated
    from burnlint.burn.manifest import ManifestView
    from burnlint.cargo.model import Package


class PackageQuestions(FileCore):
    """Questions about the package of a file: versions, features, back ends, targets, and its other files."""

    @property
    def package(self) -> Package | None:
        """The package that it belongs to; None where it belongs to none."""
        return self._project.package(self.path)

    @property
    def manifest(self) -> ManifestView:
        """The manifest of its package. Raises AssertionError where it belongs to none."""
        assert self.package is not None
        return self._project.manifest_view(self.package.manifest.path)

    def burn_at_least(self, version: str) -> bool:
        """Whether every version of burn that may be meant is at least that one (its pre-releases count)."""
        least = tuple(map(int, version.split(".")))
        return all(tuple(map(int, re.findall(r"\d+", each)[: len(least)])) >= least for each in self.versions)

    def never_on(self, crate: str, feature: str) -> bool:
        """Whether no build of the file's package can turn a feature of a crate of burn's on, whatever
        features are asked for."""
        package = self.package
        if package is None:
            return False
        return self._project.plan(package.workspace).ever_on(package, crate, feature) is False

    def gated(self, feature: str) -> Iterator[Gated]:
        """The paths of burn that stand behind a feature of its own, one per module."""
        return gated.gated(self._self, feature)

    def with_feature(self, feature: str) -> list[Edit]:
        """The edits that add a feature to the entry of burn in the package's manifest; empty where that is not
        there."""
        return gated.with_feature(self._self, feature)

    @cached_property
    def backends(self) -> frozenset[str]:
        """The back ends that some build with the file's package in it can have, by the names of their features
        (`wgpu`, `flex`); empty where none is in sight, as in a library that leaves them to its user."""
        package = self.package
        return self._project.plan(package.workspace).backends(package) if package is not None else frozenset()

    @cached_property
    def only_eager(self) -> bool:
        """Whether all back ends in sight have computed a result when the call for it returns."""
        return self._has_only(EAGER)

    @property
    def only_wide_ints(self) -> bool:
        """Whether Int is 64 bits wide by default on all back ends in sight."""
        return self._has_only(WIDE_INTS)

    def _has_only(self, backends: frozenset[str]) -> bool:
        package = self.package
        return package is not None and self._project.plan(package.workspace).has_only(package, backends)

    @property
    def target_kinds(self) -> frozenset[str]:
        """The kinds of the package's targets ("lib", "bin", "build", "example", ..) whose modules it is among."""
        package = self._project.package(self.path)
        around = [crate.root for crate in self.analysis.unit.own if crate.has(self.source)]
        roots = {root.file.path for root in around if root is not None}
        return (
            frozenset(each.kind for each in package.targets if each.path in roots) if package else frozenset()
        )

    @property
    def is_build_script(self) -> bool | None:
        """Whether it is the build script of its package; of a file without a package it is not known (None)."""
        return self.target_kinds == {"build"} if self._project.package(self.path) is not None else None

    @property
    def has_build_script(self) -> bool:
        """Whether its package has one."""
        package = self._project.package(self.path)
        return package is not None and any(target.kind == "build" for target in package.targets)

    def environment_set(self, *variables: str) -> Iterator[Assignment]:
        """The calls of `std::env::set_var` for one of these variables whose value is known."""
        return environment.assignments(self._self, *variables)

    @property
    def roots(self) -> list[str]:
        """The folders that a relative path may be meant from when the program runs: that of the package, that
        of its workspace."""
        package = self._project.package(self.path)
        return list(dict.fromkeys([package.root, package.workspace.root])) if package is not None else []

    def read(self, path: str) -> bytes | None:
        """The content of another file of the project; None if it is not there or lies outside of it."""
        if not any(paths.inside(path, root) for root in self.roots):
            return None
        text = self._project.text(path)
        return text.content if text is not None else None

    def head(self, path: str, size: int) -> bytes | None:
        """The first bytes of another file of the project; None if it is not there or lies outside of it."""
        within = any(paths.inside(path, root) for root in self.roots)
        return self._project.reader.head(path, size) if within else None

    def package_spells(self, word: str) -> bool:
        """Whether any file of the package, or of the workspace crates it uses, holds a word: a test of bytes."""
        return self.analysis.spells(word)

    def is_root_of_crate_with(self, *words: str) -> bool:
        """Whether it is the root file of a crate that holds one of these words: a test of bytes."""
        return any(
            crate.root is not None
            and crate.root.file is self.source
            and any(file.spells(word) for file in crate.files() for word in words)
            for crate in self.analysis.unit.own
        )
