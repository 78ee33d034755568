"""Scopes: what the names in a type stand for, and which generics and types stand for a backend."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from tree_sitter import Node

from burnlint.burn.terms import Term
from tools.api.modules import Module, SourceItem, Sources
from tools.api.names import find_module
from tools.api.source import flat, text


@dataclass(slots=True)
class RawGeneric:
    """A generic as declared, with its bounds from the list and from the where clause."""

    name: str
    const: bool
    bounds: list[Node] = field(default_factory=list)
    default: Node | None = None


@dataclass(slots=True)
class Scope:
    """What the names in a type stand for: the module, the generics in force, `Self` and its associated types.

    `backends` maps a backend generic to its relation to the backend at hand: "" the same, "inner",
    "autodiff", "other".
    """

    module: Module
    types: frozenset[str] = frozenset()
    consts: frozenset[str] = frozenset()
    backends: dict[str, str] = field(default_factory=dict)
    self_term: Term | None = None
    assoc: dict[str, Term] = field(default_factory=dict)


def raw_generics(node: Node) -> list[RawGeneric]:
    """The generics that an item declares, lifetimes left out."""
    found: dict[str, RawGeneric] = {}
    parameters = node.child_by_field_name("type_parameters")
    for child in parameters.named_children if parameters is not None else ():
        if child.type == "type_parameter":
            name = text(child.child_by_field_name("name"))
            bounds = child.child_by_field_name("bounds")
            listed = list(bounds.named_children) if bounds is not None else []
            found[name] = RawGeneric(name, False, listed, child.child_by_field_name("default_type"))
        elif child.type == "const_parameter":
            name = text(child.child_by_field_name("name"))
            found[name] = RawGeneric(name, True)
    for clause in node.children:
        if clause.type != "where_clause":
            continue
        for predicate in clause.named_children:
            bounds = predicate.child_by_field_name("bounds")
            raw = found.get(flat(predicate.child_by_field_name("left")))
            if raw is not None and bounds is not None:
                raw.bounds.extend(bounds.named_children)
    return list(found.values())


def last_name(node: Node) -> str:
    """The last segment of a path without its arguments."""
    return re.sub(r"<.*", "", flat(node)).split("::")[-1].strip()


class Scopes:
    """The definitions of a set of sources by path, and the scopes inside of them."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.definitions: dict[tuple[str, ...], SourceItem] = {}
        for item in sources.items("struct", "enum", "union", "trait", "alias", "const"):
            self.definitions.setdefault(item.path, item)
        self._names = {path[-1] for path in self.definitions}
        self._generics: dict[tuple[str, ...], list[RawGeneric]] = {}
        self._depth = 0
        self._backend_traits = self._traits_below({"Backend", "BackendTypes"})
        self.autodiff_traits = self._traits_below({"AutodiffBackend"})

    def _traits_below(self, roots: set[str]) -> frozenset[str]:
        """The names of these traits and of all that have one of them as a supertrait."""
        above = {}
        for path, item in self.definitions.items():
            bounds = item.node.child_by_field_name("bounds") if item.sort == "trait" else None
            if bounds is not None:
                above[path[-1]] = {last_name(b) for b in bounds.named_children}
        found = set(roots)
        size = 0
        while len(found) > size:
            size = len(found)
            found |= {name for name, bounds in above.items() if bounds & found}
        return frozenset(found)

    def is_backend(self, raw: RawGeneric) -> bool:
        """Whether a generic stands for a backend: by a bound, or as an unbounded `B` (marker structs)."""
        names = {last_name(b) for b in raw.bounds}
        return not raw.const and (bool(names & self._backend_traits) or (raw.name == "B" and not names))

    def generics_of(self, path: tuple[str, ...]) -> list[RawGeneric]:
        """The declared generics of a definition."""
        if path not in self._generics:
            item = self.definitions.get(path)
            self._generics[path] = raw_generics(item.node) if item is not None else []
        return self._generics[path]

    def scope(self, module: Module, raws: Iterable[RawGeneric] = (), outer: Scope | None = None) -> Scope:
        """The scope inside an item with these generics."""
        raws = list(raws)
        base = outer or Scope(module)
        backends = dict(base.backends)
        for raw in raws:
            if self.is_backend(raw):
                backends[raw.name] = self._relation_of_generic(raw, backends)
        main = next((n for n, relation in backends.items() if not relation), None)
        for raw in raws:
            for bound in raw.bounds:
                inner = re.search(r"InnerBackend\s*=\s*(\w+)", flat(bound))
                if inner and raw.name == main and inner.group(1) in backends and inner.group(1) != main:
                    backends[inner.group(1)] = "inner"
        return Scope(
            base.module,
            base.types | {r.name for r in raws if not r.const and r.name not in backends},
            base.consts | {r.name for r in raws if r.const},
            backends,
            base.self_term,
            base.assoc,
        )

    @staticmethod
    def _relation_of_generic(raw: RawGeneric, known: dict[str, str]) -> str:
        if not known:
            return ""
        for bound in raw.bounds:
            inner = re.search(r"InnerBackend\s*=\s*(\w+)", flat(bound))
            if inner and known.get(inner.group(1)) == "":
                return "autodiff"
        return "other"

    def resolve(self, segments: tuple[str, ...], module: Module) -> tuple[str, ...] | None:
        """The path of the definition that a type's path names; None if it is not in the sources."""
        home = find_module(self.sources, module, segments[:-1])
        if not isinstance(home, Module):
            return None
        binding = home.names["type"].get(segments[-1])
        if binding is None or binding.sort in ("external", "mod"):
            return None
        return binding.path

    def foreign(self, segments: tuple[str, ...], module: Module) -> str:
        """The name of a type outside the sources: its last segment, or its path if burn has that name too."""
        if segments[-1] not in self._names:
            return segments[-1]
        home = find_module(self.sources, module, segments[:-1])
        if isinstance(home, tuple):
            return "::".join((*home, segments[-1]))
        binding = home.names["type"].get(segments[-1]) if home is not None else None
        return "::".join(binding.path) if binding is not None and binding.sort == "external" else segments[-1]

    def relation(self, node: Node, scope: Scope) -> str | None:
        """How a backend type relates to the backend at hand; None if the node is not known as a backend."""
        source = flat(node)
        if source in scope.backends:
            return scope.backends[source]
        qualified = re.fullmatch(r"<\s*(.+?)\s+as\s+[\w:]+\s*>::(\w+)|(.+)::(\w+)", source)
        if qualified:
            name = qualified.group(2) or qualified.group(4)
            if name == "InnerBackend":
                outer = _inside(node)
                kin = self.relation(outer, scope) if outer is not None else None
                return {"": "inner", "autodiff": ""}.get(kin or "", kin)
            if name == "Backend":
                return ""
        if node.type in ("type_identifier", "scoped_type_identifier", "generic_type"):
            base = node.child_by_field_name("type") if node.type == "generic_type" else node
            segments = tuple(re.sub(r"\s", "", flat(base)).split("::"))
            if segments[-1] == "Autodiff" and node.type == "generic_type":
                inner = self.relation(type_arguments(node)[0], scope)
                return "autodiff" if inner == "" else inner
            return self._relation_of_alias(segments, scope)
        return None

    def _relation_of_alias(self, segments: tuple[str, ...], scope: Scope) -> str | None:
        if len(segments) == 1 and segments[0] in scope.types:
            return None
        path = self.resolve(segments, scope.module)
        item = self.definitions.get(path) if path is not None else None
        if path is None or item is None or item.sort != "alias" or self._depth > 16:
            return None
        target = item.node.child_by_field_name("type")
        assert target is not None
        self._depth += 1
        try:
            return self.relation(target, self.scope(item.module, self.generics_of(path)))
        finally:
            self._depth -= 1


def _inside(node: Node) -> Node | None:
    """The type before the last `::` of an associated type."""
    path = node.child_by_field_name("path")
    if path is not None and path.type == "bracketed_type":
        inside = path.named_children[0]
        return inside.child_by_field_name("type") if inside.type == "qualified_type" else inside
    return path


def type_arguments(node: Node) -> list[Node]:
    """The arguments of a generic type, lifetimes left out."""
    found = node.child_by_field_name("type_arguments") if node.type == "generic_type" else None
    return (
        [c for c in found.named_children if c.type != "lifetime" and "comment" not in c.type] if found else []
    )
