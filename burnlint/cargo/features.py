"""Cargo's feature resolver: which features of which package are on in a build.

The rules are those of Cargo's own resolver (`FeatureResolver` and the first stage that feeds it): features
unify over everything that one build touches; resolver 1 also unifies over dev-dependencies, build scripts
and other platforms, resolvers 2 and 3 keep these apart. The packages are nodes of a graph that the caller
provides, so that the same code resolves a workspace's packages and those of a registry. A dependency whose
package nobody knows is a leaf: its features are noted and lead nowhere.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from burnlint.cargo.model import DependencyKind, Resolver
from burnlint.cargo.platform import Platform, differs_by_platform


@dataclass(slots=True, frozen=True)
class Edge:
    """One entry of a dependency table, as the resolver needs it."""

    key: str
    to: Node | Leaf
    kind: DependencyKind
    target: str | None
    optional: bool
    default_features: bool
    features: Sequence[str]


class Node(Protocol):
    """A package whose features are known. Nodes are compared by `id`."""

    @property
    def id(self) -> Hashable: ...

    @property
    def features(self) -> Mapping[str, Sequence[str]]:
        """With the implicit features of optional dependencies."""
        ...

    @property
    def edges(self) -> Sequence[Edge]: ...

    @property
    def proc_macro(self) -> bool: ...


@dataclass(slots=True, frozen=True)
class Leaf:
    """A package whose features nobody knows."""

    id: Hashable
    features: Mapping[str, Sequence[str]] = field(default_factory=dict, compare=False)
    edges: Sequence[Edge] = ()
    proc_macro: bool = False


@dataclass(slots=True, frozen=True)
class Request:
    """What the command line asks of one package: `--features`, `--no-default-features`, `--all-features`."""

    features: tuple[str, ...] = ()
    default: bool = True
    all: bool = False


@dataclass(slots=True, frozen=True)
class Missing:
    """A feature that is asked for and does not exist; Cargo refuses to build."""

    package: Hashable
    feature: str


_Reached: TypeAlias = "tuple[Edge, bool]"
"""An entry with whether it leads to the host's side."""


@dataclass(slots=True)
class Counted:
    """The entries of a package that count in unification: by key, and those that are always there."""

    by_key: dict[str, list[_Reached]] = field(default_factory=dict)
    always: list[_Reached] = field(default_factory=list)


Counting: TypeAlias = "dict[tuple[Hashable, bool], Counted]"
"""By (package id, on the host)."""


@dataclass(slots=True)
class Resolution:
    """The outcome: for every package of the build the features that are on, apart for the build host and
    the target platform."""

    activated: dict[tuple[Hashable, bool], set[str]] = field(default_factory=dict)
    """By (package id, on the host)."""
    optional: dict[tuple[Hashable, bool], set[str]] = field(default_factory=dict)
    """By (package id, on the host): the keys of the optional dependencies that are on."""
    missing: list[Missing] = field(default_factory=list)
    nodes: dict[Hashable, Node | Leaf] = field(default_factory=dict)
    """All packages that took part, by their ids."""

    @property
    def hangs_on_platform(self) -> bool:
        """Whether another one of `PLATFORMS` may give another outcome."""
        return any(
            differs_by_platform(edge.target)
            for node in self.nodes.values()
            for edge in node.edges
            if edge.target is not None
        )

    def features(self, package: Hashable, *, host: bool = False) -> frozenset[str] | None:
        """The features of a package; `None` where it is not in the build."""
        found = self.activated.get((package, host))
        return None if found is None else frozenset(found)


def resolve(
    selection: Sequence[tuple[Node, Request]],
    resolver: Resolver,
    *,
    platforms: Sequence[Platform] = (),
    host: Platform | None = None,
    dev: bool = False,
    as_dependencies: bool = False,
    counting: Counting | None = None,
) -> Resolution:
    """The features of a build of the selected packages.

    `platforms` are the targets that are built for; none means every `[target.…]` table is active. `host`
    is where build scripts run, the first platform by default. `dev` includes the dev-dependencies of the
    selected packages (tests, examples, benches).
    `as_dependencies` means that the selected packages stand for dependencies of others: their
    dev-dependencies never count. `counting` then keeps, from one call to the next with the same resolver and
    platforms, which entries count.
    """
    found = _Resolver(selection, resolver, platforms, host, dev)
    if as_dependencies:
        found.selected.clear()
        found.counting = counting if counting is not None else {}
    return found.run()


class _Resolver:
    def __init__(
        self,
        selection: Sequence[tuple[Node, Request]],
        resolver: Resolver,
        platforms: Sequence[Platform],
        host: Platform | None,
        dev: bool,
    ) -> None:
        self._selection = selection
        self._separate = resolver != "1"
        self._dev = dev
        self._platforms = platforms
        self._host = host or (platforms[0] if platforms else None)
        self.selected = {node.id for node, _ in selection}
        self._result = Resolution()
        self._deferred: dict[tuple[Hashable, bool, str], set[str]] = {}
        # Work lists instead of recursion: chains may be long, and the outcome does not hang on the order.
        self._pending: list[tuple[Node | Leaf, bool, str]] = []
        self._reached: list[_Reached] = []
        self.counting: Counting = {}

    def run(self) -> Resolution:
        for node, request in self._selection:
            names = self._requested(node, request)
            self._enter(node, False, names)
            if self._separate and node.proc_macro:
                self._enter(node, True, names)
        while self._reached or self._pending:
            if self._reached:
                self._follow(*self._reached.pop())
            else:
                self._turn_on(*self._pending.pop())
        if not self._separate:
            self._keep_what_is_built()
        return self._result

    def _keep_what_is_built(self) -> None:
        """Drops packages that only take part in unification: resolver 1 looks at every table, and builds
        less."""
        pending: list[tuple[Node | Leaf, bool]] = [(node, False) for node, _ in self._selection]
        pending.extend((node, True) for node, _ in self._selection if node.proc_macro)
        built: set[tuple[Hashable, bool]] = set()
        while pending:
            node, host = pending.pop()
            if (node.id, host) in built:
                continue
            built.add((node.id, host))
            on = self._result.optional.get((node.id, host and self._separate), ())
            for edge in node.edges:
                if (edge.optional and edge.key not in on) or (edge.kind == "dev" and not self._has_dev(node)):
                    continue
                if self._active(edge, host):
                    pending.append((edge.to, host or edge.kind == "build" or edge.to.proc_macro))
        kept = {(node, host and self._separate) for node, host in built}
        self._result.activated = {k: v for k, v in self._result.activated.items() if k in kept}

    def _has_dev(self, node: Node | Leaf) -> bool:
        return self._dev and node.id in self.selected

    def _requested(self, node: Node, request: Request) -> list[str]:
        if request.all:
            return list(node.features)
        names = list(request.features)
        if request.default and "default" in node.features:
            names.append("default")
        return names

    def _enter(self, node: Node | Leaf, host: bool, features: Iterable[str]) -> None:
        """Brings a package into the build, with features asked for."""
        place = (node.id, host)
        on = self._result.activated.get(place)
        if on is not None:
            self._pending += [(node, host, feature) for feature in features if feature not in on]
            return
        self._result.activated[place] = set()
        self._result.nodes[node.id] = node
        self._pending += [(node, host, feature) for feature in features]
        self._reached += self._edges(node, host).always

    def _follow(self, edge: Edge, host: bool) -> None:
        names = list(edge.features)
        if edge.default_features and (isinstance(edge.to, Leaf) or "default" in edge.to.features):
            names.append("default")
        self._enter(edge.to, host, names)

    def _turn_on(self, node: Node | Leaf, host: bool, value: str) -> None:
        if isinstance(node, Leaf):
            self._result.activated[node.id, host].add(value)
        elif value.startswith("dep:"):
            self._turn_on_dependency(node, host, value[4:])
        elif "/" in value:
            key, _, feature = value.partition("/")
            self._turn_on_feature_of(node, host, key.removesuffix("?"), feature, weak=key.endswith("?"))
        else:
            self._turn_on_own(node, host, value)

    def _turn_on_own(self, node: Node, host: bool, feature: str) -> None:
        on = self._result.activated[node.id, host]
        if feature in on:
            return
        values = node.features.get(feature)
        if values is None:
            self._result.missing.append(Missing(node.id, feature))
            return
        on.add(feature)
        self._pending += [(node, host, value) for value in values if value not in on]

    def _turn_on_dependency(self, node: Node, host: bool, key: str) -> None:
        on = self._result.optional.setdefault((node.id, host), set())
        if key in on:
            return
        on.add(key)
        waiting = self._deferred.pop((node.id, host, key), set())
        for edge, edge_host in self._edges(node, host).by_key.get(key, ()):
            self._reached.append((edge, edge_host))
            self._enter(edge.to, edge_host, waiting)

    def _turn_on_feature_of(self, node: Node, host: bool, key: str, feature: str, *, weak: bool) -> None:
        for edge, edge_host in self._edges(node, host).by_key.get(key, ()):
            if edge.optional:
                if weak and key not in self._result.optional.get((node.id, host), ()):
                    self._deferred.setdefault((node.id, host, key), set()).add(feature)
                    continue
                self._turn_on_dependency(node, host, key)
                if not weak and key in node.features:
                    self._turn_on_own(node, host, key)
            self._enter(edge.to, edge_host, (feature,))

    def _edges(self, node: Node | Leaf, host: bool) -> Counted:
        place = (node.id, host)
        found = self.counting.get(place)
        if found is None:
            found = self.counting[place] = Counted()
            for edge in node.edges:
                if not self._separate:
                    counts, to_host = edge.kind != "dev" or node.id in self.selected, False
                else:
                    counts = (edge.kind != "dev" or self._has_dev(node)) and self._active(edge, host)
                    to_host = host or edge.kind == "build" or edge.to.proc_macro
                if counts:
                    found.by_key.setdefault(edge.key, []).append((edge, to_host))
                    if not edge.optional:
                        found.always.append((edge, to_host))
        return found

    def _active(self, edge: Edge, host: bool) -> bool:
        if edge.target is None or not self._platforms:
            return True
        if edge.kind == "build" or host:
            return self._host is None or self._host.matches(edge.target)
        return any(platform.matches(edge.target) for platform in self._platforms)
