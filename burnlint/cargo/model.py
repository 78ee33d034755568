"""What Cargo knows about a project: workspaces, packages, targets, dependencies, features, each with its
place.

Everything here is after inheritance: a `workspace = true` entry has the values that Cargo builds with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from burnlint.cargo.files import join

if TYPE_CHECKING:
    from burnlint.cargo.files import Files
    from burnlint.cargo.lock import Lock
    from burnlint.cargo.manifest import At, Manifest, Problem
    from burnlint.cargo.semver import Requirement, Version

DependencyKind = Literal["normal", "dev", "build"]
TargetKind = Literal["lib", "bin", "example", "test", "bench", "build"]
Resolver = Literal["1", "2", "3"]
SourceKind = Literal["registry", "path", "git"]


EDITIONS = ("2015", "2018", "2021", "2024")


@dataclass(slots=True, frozen=True)
class Source:
    """Where a dependency comes from. A path wins over the registry when an entry has both, as it does for
    Cargo."""

    kind: SourceKind
    registry: str | None = None
    """Name of another registry than the default one."""
    path: str | None = None
    """Absolute folder of a path dependency."""
    git: str | None = None
    """URL of a git dependency."""
    reference: tuple[str, str] | None = None
    """How the git revision is chosen: (`rev`, `tag` or `branch`, its value)."""


@dataclass(slots=True, frozen=True)
class FeatureRef:
    """A string in a `features` list: of an entry, or of a line in `[features]`."""

    text: str
    at: At

    @property
    def dependency(self) -> str | None:
        """The dependency key of `dep:key`, `key/feature` and `key?/feature`."""
        if self.text.startswith("dep:"):
            return self.text[4:]
        key, slash, _ = self.text.partition("/")
        return key.removesuffix("?") if slash else None

    @property
    def feature(self) -> str | None:
        """The feature's name: of the dependency for `key/feature`, else of the package itself; `None` for
        `dep:key`."""
        if self.text.startswith("dep:"):
            return None
        key, slash, feature = self.text.partition("/")
        return feature if slash else key

    @property
    def weak(self) -> bool:
        """`key?/feature`: turns the feature on only where something else turns the dependency on."""
        return "?/" in self.text


@dataclass(slots=True, eq=False)
class Dependency:
    """One entry of a dependency table. Several entries may share a key: per kind and per target."""

    key: str
    """The name in the table, and in `dep:` and `key/feature`."""
    name: str
    """The package's real name (`package = "…"` renames)."""
    kind: DependencyKind
    target: str | None
    """`cfg(…)` or a target triple, from a `[target.…]` table."""
    requirement: Requirement | None
    """`None` where the entry has no `version` (path, git) or one that cannot be read."""
    default_features: bool
    features: tuple[FeatureRef, ...]
    optional: bool
    source: Source
    at: At
    """The entry in the package's own manifest."""
    workspace_at: At | None = None
    """The entry of `[workspace.dependencies]` that a `workspace = true` entry inherits."""
    default_features_at: At | None = None
    """Where `default-features` is decided; `None` where no one writes it."""
    default_features_ignored: bool = False
    """The entry says `default-features = false` and the workspace's entry keeps them on: no effect up to
    edition 2021, an error from
    2024."""

    @property
    def crate(self) -> str:
        """The name in Rust code."""
        return self.key.replace("-", "_")

    @property
    def inherited(self) -> bool:
        return self.workspace_at is not None


@dataclass(slots=True, eq=False)
class Target:
    """One thing that Cargo compiles of a package."""

    kind: TargetKind
    name: str
    path: str
    """Absolute path of its root file, which need not exist."""
    required_features: tuple[str, ...] = ()
    edition: str = "2015"
    crate_types: tuple[str, ...] = ()
    proc_macro: bool = False
    at: At | None = None
    """Its table; `None` for a target that Cargo finds by its file."""

    @property
    def crate(self) -> str:
        """The crate's name in Rust code."""
        return self.name.replace("-", "_")

    @property
    def year(self) -> int:
        """The edition as a number; what is no edition (Cargo refuses it) counts as the newest."""
        return int(self.edition) if self.edition in EDITIONS else int(EDITIONS[-1])


@dataclass(slots=True, eq=False)
class Package:
    """One package. `features` has the implicit features of optional dependencies too."""

    name: str
    version: Version | None
    edition: str
    manifest: Manifest
    root: str
    """Absolute folder of its manifest."""
    workspace: Workspace
    targets: list[Target] = field(default_factory=list)
    dependencies: list[Dependency] = field(default_factory=list)
    features: dict[str, tuple[FeatureRef, ...]] = field(default_factory=dict)

    @property
    def proc_macro(self) -> bool:
        return any(t.proc_macro for t in self.targets)

    @property
    def library(self) -> Target | None:
        return next((t for t in self.targets if t.kind == "lib"), None)

    def entries(self, name: str) -> list[Dependency]:
        """The entries for the package `name` (its real name), of every kind and target."""
        return [d for d in self.dependencies if d.name == name]

    def __repr__(self) -> str:
        return f"<Package {self.name} {self.root}>"


@dataclass(slots=True, frozen=True)
class Patch:
    """An entry of a `[patch.…]` table."""

    of: str
    """What is patched: `crates-io`, the name of a registry, or a URL."""
    dependency: Dependency


@dataclass(slots=True, eq=False)
class Workspace:
    """A workspace: the packages that share a lock file and a feature resolver. A package alone is one too."""

    root: str
    """Absolute folder of the root manifest."""
    manifest: Manifest
    files: Files
    resolver: Resolver = "1"
    members: list[Package] = field(default_factory=list)
    """By folder. A root package is one of them."""
    default_members: list[Package] = field(default_factory=list)
    """What `cargo build` in the root builds."""
    patches: list[Patch] = field(default_factory=list)
    local: dict[str, Package] = field(default_factory=dict)
    """By folder: every package that path dependencies lead to, members included."""
    problems: list[Problem] = field(default_factory=list)
    _lock: list[Lock | None] = field(default_factory=list)

    @property
    def virtual(self) -> bool:
        """Whether the root manifest has no package of its own."""
        return not has_package(self.manifest)

    @property
    def lock(self) -> Lock | None:
        """Cargo.lock, read on the first question; `None` where there is none or it cannot be read."""
        if not self._lock:
            from burnlint.cargo.lock import Lock

            self._lock.append(Lock.read(self.files, join(self.root, "Cargo.lock")))
        return self._lock[0]

    def source_of(self, dependency: Dependency) -> Source:
        """Where the dependency comes from, with `[patch]` applied."""
        source = dependency.source
        if source.kind == "path":
            return source
        of = source.git if source.kind == "git" else source.registry or "crates-io"
        for patch in self.patches:
            if patch.of == of and patch.dependency.name == dependency.name and self._fits(patch, dependency):
                return patch.dependency.source
        return source

    def local_package(self, dependency: Dependency) -> Package | None:
        """The package that a path dependency, or a `[patch]` with a path, leads to; `None` for any other."""
        path = self.source_of(dependency).path
        return self.local.get(path) if path is not None else None

    def _fits(self, patch: Patch, dependency: Dependency) -> bool:
        path = patch.dependency.source.path
        package = self.local.get(path) if path is not None else None
        if package is None or package.version is None or dependency.requirement is None:
            return True
        return dependency.requirement.matches(package.version)

    def __repr__(self) -> str:
        return f"<Workspace {self.root}>"


def has_package(manifest: Manifest) -> bool:
    """Whether the manifest describes a package (`[project]` is its oldest name)."""
    return "package" in manifest.data or "project" in manifest.data
