"""Effective features of burn and its crates in a build: the project's packages joined with the released
feature graph."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from burnlint.burn.family import is_family
from burnlint.burn.releases import PROC_MACROS, Release, Releases, releases
from burnlint.burn.versions import entry_versions
from burnlint.cargo.features import Counting, Edge, Leaf, Missing, Node, Request, Resolution, resolve
from burnlint.cargo.graph import LocalGraph, LocalNode
from burnlint.cargo.model import Dependency, Package, Workspace
from burnlint.cargo.platform import PLATFORMS, Platform
from burnlint.cargo.semver import Requirement, Version

Aside = Literal[-1, 0, 1]
"""Which release stands for what comes from git: the one that its number names, or the one before or after."""


class ReleaseNode:
    """A release as a node of the feature resolver. Its id is the text `crate@version`, which is hashed once."""

    def __init__(self, release: Release, graph: ReleaseGraph) -> None:
        self.release = release
        self.id: Hashable = f"{release.name}@{release.version}"
        self.proc_macro = release.name in PROC_MACROS
        self._graph = graph

    @property
    def features(self) -> Mapping[str, Sequence[str]]:
        return self.release.features

    @cached_property
    def edges(self) -> Sequence[Edge]:
        return [
            Edge(
                d.key,
                self._graph.node(d.name, d.requirement) or Leaf(d.name),
                d.kind,
                d.target,
                d.optional,
                d.default_features,
                d.features,
            )
            for d in self.release.dependencies
        ]


class ReleaseGraph:
    """The releases that one build takes: those of the lock file, else the newest that a requirement admits.

    `burn` fixes the version of burn that is assumed where the lock file does not say. `aside` takes for what comes
    from git the release before the one that its number names (-1) or the one after it (+1): what it really has lies
    between them.
    """

    def __init__(
        self,
        workspace: Workspace,
        burn: Version | None = None,
        known: Releases | None = None,
        aside: Aside = 0,
    ) -> None:
        self._workspace = workspace
        self._burn = burn
        self._aside = aside
        self._known = known or releases()
        self._nodes: dict[tuple[str, Version], ReleaseNode] = {}

    def external(self, package: Package, dependency: Dependency) -> Node | None:
        """The node of an entry that leads out of the project; `None` outside of burn's family."""
        if not is_family(self._workspace, dependency):
            return None
        versions = entry_versions(package, dependency)
        version = self._burn if self._burn is not None and self._burn in versions.all else versions.newest
        if version is not None and self._aside and self._workspace.source_of(dependency).kind == "git":
            version = self._known.beside(dependency.name, version, self._aside)
        return self._release(dependency.name, version) if version is not None else None

    def node(self, name: str, requirement: Requirement) -> Node | None:
        """The release that a requirement of another release leads to."""
        lock = self._workspace.lock
        locked = (
            [p.version for p in lock.named(name) if requirement.matches(p.version)]
            if lock is not None
            else []
        )
        version = max(locked, default=None) or self._known.newest(name, requirement)
        return self._release(name, version) if version is not None else None

    def _release(self, name: str, version: Version) -> Node | None:
        key = (name, version)
        if key not in self._nodes:
            release = self._known.get(name, version) or self._nearest(name, version)
            if release is None:
                return None
            self._nodes[key] = ReleaseNode(release, self)
        return self._nodes[key]

    def _nearest(self, name: str, version: Version) -> Release | None:
        """A release that came out after the data was made has the table of the newest one before it."""
        older = [v for v in self._known.versions(name) if v <= version]
        return self._known.get(name, older[-1]) if older else None


class FamilyFeatures:
    """The part of a build that is burn's: one resolution for one set of requests from outside, shared by
    all builds that make it.

    Only the program's side counts, not build scripts and procedural macros. Of several versions of a crate
    the newest counts.
    """

    def __init__(self, resolution: Resolution) -> None:
        self.missing = resolution.missing
        self._on: dict[str, frozenset[str]] = {}
        self._newest: dict[str, Version | None] = {}
        self._known: dict[str, Mapping[str, Sequence[str]]] = {}
        for (id, host), features in resolution.activated.items():
            node = resolution.nodes[id]
            name, version = _name_and_version(node)
            if host or (name in self._on and not _newer(version, self._newest[name])):
                continue
            self._on[name] = frozenset(features)
            self._newest[name] = version
            self._known[name] = node.features

    @property
    def crates(self) -> frozenset[str]:
        return frozenset(self._on)

    def of(self, crate: str) -> frozenset[str] | None:
        return self._on.get(crate)

    def known(self, crate: str) -> Collection[str]:
        return self._known.get(crate, ())

    def version(self, crate: str) -> Version | None:
        return self._newest.get(crate)


def _name_and_version(node: Node | Leaf) -> tuple[str, Version | None]:
    if isinstance(node, Leaf):
        return str(node.id), None
    if isinstance(node, ReleaseNode):
        return node.release.name, node.release.version
    assert isinstance(node, LocalNode)
    return node.package.name, node.package.version


def _newer(version: Version | None, than: Version | None) -> bool:
    return version is not None and (than is None or version > than)


@dataclass(slots=True, frozen=True)
class BurnFeatures:
    """What is on in one build of a package."""

    own: Resolution
    """The project's packages; crates of burn's are leaves here."""
    family: FamilyFeatures

    def of(self, crate: str) -> frozenset[str] | None:
        """The features of a crate of burn's in the program; `None` where it is not in the build."""
        return self.family.of(crate)

    def has(self, crate: str, feature: str) -> bool:
        """Whether the crate is in the program with that feature."""
        return feature in (self.family.of(crate) or ())

    def known(self, crate: str) -> Collection[str]:
        """The names of all features that the crate, in the version that is built, has."""
        return self.family.known(crate)

    def version(self, crate: str) -> Version | None:
        """The version of a crate in the program."""
        return self.family.version(crate)

    @property
    def crates(self) -> frozenset[str]:
        """The names of burn's crates in the program."""
        return self.family.crates

    @property
    def missing(self) -> Sequence[Missing]:
        """Features that are asked for and do not exist."""
        return [*self.own.missing, *self.family.missing]

    @property
    def strangers(self) -> frozenset[str]:
        """The names of the packages in the build that are neither local nor burn's."""
        return frozenset(id.name for id, _ in self.own.activated if isinstance(id, _Stranger))


@dataclass(slots=True, frozen=True)
class _Stranger:
    name: str


class FeatureBuilder:
    """Resolves builds of a workspace's packages for one assumed version of burn.

    In two stages, which gives what one resolution of everything would: crates of burn's depend on nothing
    of the project, so that what the project asks of them is all that decides about them, and many programs
    ask for the same.
    """

    def __init__(self, workspace: Workspace, burn: Version | None = None, aside: Aside = 0) -> None:
        self._workspace = workspace
        self._releases = ReleaseGraph(workspace, burn, aside=aside)
        # Burn's own repository has burn's crates as local packages.
        self._family = LocalGraph(workspace, self._releases.external)
        self._own = LocalGraph(workspace, boundary=self._boundary)
        self._nodes: dict[Hashable, Node] = {}
        self._owns: dict[tuple[object, ...], Resolution] = {}
        self._resolved: dict[tuple[object, ...], FamilyFeatures] = {}
        self._counting: dict[str, Counting] = {}

    def build(self, package: Package, request: Request, platform: str, *, dev: bool) -> BurnFeatures:
        """The features of a build of a package; `dev` includes dev-dependencies, as for examples and
        tests."""
        own = self._resolve_own(package, request, platform, dev)
        asked = {
            id: frozenset(on) for (id, host), on in own.activated.items() if not host and id in self._nodes
        }
        return BurnFeatures(own, self._resolve(asked, platform))

    def turned_on(self, package: Package, entry: Dependency, feature: str | None) -> frozenset[str]:
        """The crates of burn's that are in a build where `entry` asks for nothing but `feature`; none
        where that is not known."""
        leaf = self._own.target_of(package, entry)
        if leaf.id not in self._nodes:
            return frozenset()
        features = frozenset((feature,) if feature is not None else ())
        return self._resolve({leaf.id: features}, PLATFORMS[0]).crates

    def _resolve_own(self, package: Package, request: Request, platform: str, dev: bool) -> Resolution:
        key = (package.root, request, dev)
        found = self._owns.get(key) if platform in PLATFORMS else None
        if found is None:
            on = Platform.of(platform)
            node = self._own.node(package)
            found = resolve([(node, request)], self._workspace.resolver, platforms=[on], host=on, dev=dev)
            if platform in PLATFORMS and not found.hangs_on_platform:
                self._owns[key] = found
        return found

    def _resolve(self, asked: Mapping[Hashable, frozenset[str]], platform: str) -> FamilyFeatures:
        everywhere = (PLATFORMS, frozenset(asked.items()))
        key: tuple[object, ...] = (platform, frozenset(asked.items()))
        if platform in PLATFORMS and everywhere in self._resolved:
            key = everywhere
        if key not in self._resolved:
            on = Platform.of(platform)
            selection = [
                (self._nodes[id], Request(tuple(sorted(features)), default=False))
                for id, features in sorted(asked.items(), key=repr)
            ]
            resolver = self._workspace.resolver
            counting = self._counting.setdefault(platform, {})
            resolution = resolve(
                selection, resolver, platforms=[on], host=on, as_dependencies=True, counting=counting
            )
            if platform in PLATFORMS and not resolution.hangs_on_platform:
                key = everywhere
            self._resolved[key] = FamilyFeatures(resolution)
        return self._resolved[key]

    def _boundary(self, package: Package, dependency: Dependency) -> Leaf | None:
        if not is_family(self._workspace, dependency):
            local = self._workspace.local_package(dependency)
            return Leaf(_Stranger(dependency.name)) if local is None else None
        node = self._family.target_of(package, dependency)
        if isinstance(node, Leaf):
            return Leaf(_Stranger(dependency.name))
        self._nodes[node.id] = node
        return Leaf(node.id)
