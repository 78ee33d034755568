"""The packages of a project as nodes for the feature resolver; what lies outside is the caller's to know."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property

from burnlint.cargo.features import Edge, Leaf, Node
from burnlint.cargo.model import Dependency, Package, Workspace

External = Callable[[Package, Dependency], "Node | None"]
"""The node of a dependency that is no local package; `None` where nobody knows its features."""

Boundary = Callable[[Package, Dependency], "Leaf | None"]


class LocalNode:
    """A package of the project. Its id is its folder."""

    def __init__(self, package: Package, graph: LocalGraph) -> None:
        self.package = package
        self._graph = graph

    @property
    def id(self) -> Hashable:
        return self.package.root

    @cached_property
    def proc_macro(self) -> bool:
        return self.package.proc_macro

    @cached_property
    def features(self) -> Mapping[str, Sequence[str]]:
        return {name: [r.text for r in refs] for name, refs in self.package.features.items()}

    @cached_property
    def edges(self) -> Sequence[Edge]:
        return [
            Edge(
                d.key,
                self._graph.target_of(self.package, d),
                d.kind,
                d.target,
                d.optional,
                d.default_features,
                [r.text for r in d.features],
            )
            for d in self.package.dependencies
        ]


class LocalGraph:
    """Nodes of local packages, made on demand, as a build in `workspace` sees them (its `[patch]` tables
    count).

    `external` answers for the others. `boundary` is asked first, about every entry: a leaf that it answers
    with ends the graph there.
    """

    def __init__(
        self, workspace: Workspace, external: External | None = None, boundary: Boundary | None = None
    ) -> None:
        self.workspace = workspace
        self._boundary = boundary
        self._external = external
        self._nodes: dict[str, LocalNode] = {}

    def node(self, package: Package) -> LocalNode:
        if package.root not in self._nodes:
            self._nodes[package.root] = LocalNode(package, self)
        return self._nodes[package.root]

    def target_of(self, package: Package, dependency: Dependency) -> Node | Leaf:
        """The node that an entry leads to; a leaf named after the package where its features are not
        known."""
        leaf = self._boundary(package, dependency) if self._boundary is not None else None
        if leaf is not None:
            return leaf
        local = self.workspace.local_package(dependency)
        if local is not None:
            return self.node(local)
        found = self._external(package, dependency) if self._external is not None else None
        return found if found is not None else Leaf(dependency.name)
