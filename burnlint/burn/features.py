"""Effective features of burn and its crates in a build: the project's packages joined with the released
feature graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from burnlint.burn.releases import Release, Releases, is_family, releases
from burnlint.burn.versions import entry_versions
from burnlint.cargo.features import Edge, Leaf, Node, Request, Resolution, resolve
from burnlint.cargo.graph import LocalGraph
from burnlint.cargo.model import Dependency, Package, Workspace
from burnlint.cargo.platform import Platform
from burnlint.cargo.semver import Requirement, Version

CUBE_BACKENDS = ("burn-wgpu", "burn-cuda", "burn-rocm", "burn-hip", "burn-cpu")
"""The crates of the back ends that run on CubeCL, with fusion and autotune of their own."""


class ReleaseNode:
    """A release as a node of the feature resolver. Its id is (crate, version)."""

    proc_macro = False

    def __init__(self, release: Release, graph: ReleaseGraph) -> None:
        self.release = release
        self._graph = graph

    @property
    def id(self) -> Hashable:
        return (self.release.name, self.release.version)

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

    `burn` fixes the version of burn that is assumed where the lock file does not say.
    """

    def __init__(
        self, workspace: Workspace, burn: Version | None = None, known: Releases | None = None
    ) -> None:
        self._workspace = workspace
        self._burn = burn
        self._known = known or releases()
        self._nodes: dict[tuple[str, Version], ReleaseNode] = {}

    def external(self, package: Package, dependency: Dependency) -> Node | None:
        """The node of an entry that leads out of the project; `None` outside of burn's family."""
        if not is_family(dependency.name):
            return None
        versions = entry_versions(package, dependency)
        if self._burn is not None and self._burn in versions.all:
            return self._release(dependency.name, self._burn)
        return self._release(dependency.name, versions.newest) if versions.newest is not None else None

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


@dataclass(slots=True, frozen=True)
class BurnFeatures:
    """What is on in one build of one or several packages."""

    resolution: Resolution
    roots: Mapping[str, str]
    """Name by folder of the local packages."""

    def of(self, crate: str) -> frozenset[str] | None:
        """The features of a crate in the program; `None` where it is not in the build.

        Of several versions of the crate the newest counts. A local package of that name (burn's own
        repository) is found too.
        """
        found: dict[Version | None, frozenset[str]] = {}
        for (node, host), features in self.resolution.activated.items():
            if host:
                continue
            if isinstance(node, tuple) and node[0] == crate:
                found[node[1]] = frozenset(features)
            elif isinstance(node, str) and (self.roots.get(node) == crate or node == crate):
                return frozenset(features)
        newest = max((v for v in found if v is not None), default=None)
        return found.get(newest)

    def has(self, crate: str, feature: str) -> bool:
        """Whether the crate is in the build with that feature."""
        return feature in (self.of(crate) or ())

    @property
    def crates(self) -> frozenset[str]:
        """The names of all crates of the program that are known, leaves included."""
        names = set()
        for node, host in self.resolution.activated:
            if not host:
                names.add(str(node[0]) if isinstance(node, tuple) else self.roots.get(str(node), str(node)))
        return frozenset(names)


def burn_features(
    packages: Iterable[Package],
    request: Request = Request(),  # noqa: B008 (frozen)
    *,
    platform: str = "x86_64-unknown-linux-gnu",
    dev: bool = False,
    burn: Version | None = None,
) -> BurnFeatures:
    """The features of a build of `packages` (all of one workspace) for one platform.

    `dev` includes dev-dependencies, as a build of examples and tests does. `burn` chooses among the
    versions that the requirement admits where the lock file does not say; the newest otherwise.
    """
    chosen = list(packages)
    workspace = chosen[0].workspace
    graph = LocalGraph(workspace, ReleaseGraph(workspace, burn).external)
    selection = [(graph.node(p), request) for p in chosen]
    resolution = resolve(
        selection, workspace.resolver, platforms=[Platform.of(platform)], host=Platform.of(platform), dev=dev
    )
    return BurnFeatures(resolution, {root: p.name for root, p in workspace.local.items()})
