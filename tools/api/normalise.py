"""Types of Rust syntax as terms: one spelling for both styles of burn's API.

What is done here: names are resolved to definitions (a `Named` holds the definition's full path until `table`
shortens it), aliases are written out, default arguments are filled in, and backend arguments are dropped. A
backend argument that is not the backend at hand leaves a mark: `Tensor<B::InnerBackend, D>` becomes
`Inner<Tensor<D,Float>>`, a backend whose inner backend is the one at hand gives `Autodiff<...>`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from tree_sitter import Node

from burnlint.burn.signature import GenericParam
from burnlint.burn.terms import (
    UNIT,
    Array,
    Assoc,
    Autodiff,
    Binding,
    Const,
    Dyn,
    Fn,
    Generic,
    Impl,
    Inner,
    Named,
    Opaque,
    Ref,
    Slice,
    Tensor,
    Term,
    Tuple,
    substitute,
)
from tools.api.modules import Module, Sources
from tools.api.names import find_module
from tools.api.scopes import RawGeneric, Scope, Scopes, last_name, type_arguments
from tools.api.source import flat, text

# Bounds that say nothing about what a type can do for burnlint.
_MARKERS = frozenset(
    {"Send", "Sync", "Sized", "Clone", "Copy", "Debug", "Unpin", "Serialize", "DeserializeOwned"}
)
_NO_BOUNDS = frozenset({"lifetime", "removed_trait_bound", "use_bounds", "line_comment", "block_comment"})
# The names by which burn reaches the same module or kind on the other side of autodiff.
_INNER, _AUTODIFF, _SAME = frozenset({"InnerModule"}), frozenset({"TrainModule"}), frozenset({"InnerKind"})


class Normaliser:
    """Turns syntax into terms for one set of sources; counts what it could not reduce."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.scopes = Scopes(sources)
        self.gaps: Counter[str] = Counter()
        self._depth = 0

    def params(self, raws: Iterable[RawGeneric], scope: Scope) -> tuple[GenericParam, ...]:
        """The generics as facts."""
        out = []
        for raw in raws:
            sort = "const" if raw.const else "backend" if raw.name in scope.backends else "type"
            if sort == "backend":
                asked = any(last_name(b) in self.scopes.autodiff_traits for b in raw.bounds)
                bounds: tuple[Term, ...] = (Named("AutodiffBackend" if asked else "Backend"),)
            else:
                bounds = self.bounds(raw.bounds, scope)
            default = self.term(raw.default, scope) if raw.default is not None and sort == "type" else None
            out.append(GenericParam(raw.name, sort, bounds, default))
        return tuple(out)

    def bounds(self, nodes: Iterable[Node], scope: Scope) -> tuple[Term, ...]:
        """Bounds as terms, without lifetimes and marker traits."""
        found = [self.bound(n, scope) for n in nodes if n.type not in _NO_BOUNDS]
        return tuple(b for b in found if not (isinstance(b, Named) and b.name in _MARKERS))

    def bound(self, node: Node, scope: Scope) -> Term:
        """One bound: a trait with its arguments, or a closure trait."""
        if node.type == "higher_ranked_trait_bound":
            inside = node.child_by_field_name("type")
            return self.bound(inside, scope) if inside is not None else Opaque(_plain(node))
        if node.type == "function_type":
            return self._function(node, scope)
        if node.type in ("type_identifier", "scoped_type_identifier", "generic_type"):
            found = self.term(node, scope)
            return found.of if isinstance(found, Inner | Autodiff) else found
        return self.term(node, scope)

    def term(self, node: Node, scope: Scope) -> Term:
        """The term of a type."""
        match node.type:
            case "type_identifier" | "identifier" | "scoped_type_identifier" | "generic_type":
                return self._path(node, scope)
            case "primitive_type":
                return Named(text(node))
            case "unit_type":
                return UNIT
            case "never_type":
                return Named("!")
            case "integer_literal":
                return _const(flat(node))
            case "block":
                return self._constant(node, scope)
            case "reference_type":
                mutable = any(c.type == "mutable_specifier" for c in node.children)
                return Ref(mutable, self._field(node, "type", scope))
            case "tuple_type":
                inside = [c for c in node.named_children if "comment" not in c.type]
                if len(inside) == 1 and not any(c.type == "," for c in node.children):
                    return self.term(inside[0], scope)  # parentheses, as in `&(dyn A + B)`
                return Tuple(tuple(self.term(c, scope) for c in inside))
            case "array_type":
                element = self._field(node, "element", scope)
                length = node.child_by_field_name("length")
                return Slice(element) if length is None else Array(element, self._constant(length, scope))
            case "abstract_type" | "dynamic_type":
                return (Impl if node.type == "abstract_type" else Dyn)(self._some_bounds([node], scope))
            case "bounded_type":
                first = node
                while first.type == "bounded_type":
                    first = first.named_children[0]
                build = Impl if first.type == "abstract_type" else Dyn
                return build(self._some_bounds([node], scope))
            case "function_type":
                return self._function(node, scope)
            case "parenthesized_type":
                return self.term(node.named_children[0], scope)
        self.gaps[f"type syntax: {node.type}"] += 1
        return Opaque(_plain(node))

    def _field(self, node: Node, name: str, scope: Scope) -> Term:
        child = node.child_by_field_name(name)
        assert child is not None
        return self.term(child, scope)

    def _some_bounds(self, nodes: list[Node], scope: Scope) -> tuple[Term, ...]:
        """Bounds of `impl` and `dyn`; marker traits only count where there is nothing else."""
        parts: list[Node] = []
        todo = list(nodes)
        while todo:
            node = todo.pop(0)
            if node.type in ("bounded_type", "abstract_type", "dynamic_type"):
                todo[:0] = node.named_children
            elif node.type not in _NO_BOUNDS:
                parts.append(node)
        every = [self.bound(part, scope) for part in parts]
        telling = tuple(b for b in every if not (isinstance(b, Named) and b.name in _MARKERS))
        return telling or tuple(every[:1])

    def _function(self, node: Node, scope: Scope) -> Term:
        flavor = node.child_by_field_name("trait")
        parameters = node.child_by_field_name("parameters")
        result = node.child_by_field_name("return_type")
        inside = parameters.named_children if parameters is not None else []
        terms = []
        for child in inside:
            named = child.child_by_field_name("type") if child.type == "parameter" else child
            if named is not None and "comment" not in named.type and named.type != "attribute_item":
                terms.append(self.term(named, scope))
        name = last_name(flavor) if flavor is not None else "fn"
        return Fn(name, tuple(terms), self.term(result, scope) if result is not None else UNIT)

    def _constant(self, node: Node, scope: Scope) -> Term:
        value = flat(node).strip("{} ")
        return Generic(value) if value in scope.consts else _const(value)

    def _path(self, node: Node, scope: Scope) -> Term:
        base = node.child_by_field_name("type") if node.type == "generic_type" else node
        assert base is not None
        arguments = type_arguments(node)
        if base.type == "scoped_type_identifier":
            path, name = base.child_by_field_name("path"), text(base.child_by_field_name("name"))
            if path is not None and path.type == "bracketed_type":
                return self._qualified(path, name, scope)
            head = flat(path).split("::")[0] if path is not None else ""
            if path is not None and (head in scope.types or head in scope.backends or head == "Self"):
                return self._associated(path, "", name, scope)
        segments = tuple(s.removeprefix("r#") for s in re.sub(r"\s|<.*", "", flat(base)).split("::") if s)
        if len(segments) == 1:
            (name,) = segments
            if name == "Self":
                return scope.self_term or Generic("Self")
            if name in scope.backends:
                return Named("Backend")
            if name in scope.types or name in scope.consts:
                return Generic(name)
        return self._named(segments, arguments, scope)

    def _qualified(self, bracketed: Node, name: str, scope: Scope) -> Term:
        inside = bracketed.named_children[0]
        of = inside.child_by_field_name("type") if inside.type == "qualified_type" else inside
        trait = inside.child_by_field_name("alias") if inside.type == "qualified_type" else None
        assert of is not None
        return self._associated(of, last_name(trait) if trait is not None else "", name, scope)

    def _associated(self, of: Node, trait: str, name: str, scope: Scope) -> Term:
        """The term of `<of as trait>::name`."""
        if self.scopes.relation(of, scope) is not None:
            return Named(name)
        if flat(of) == "Self" and name in scope.assoc:
            return scope.assoc[name]
        if of.type in ("identifier", "type_identifier", "self"):
            base = scope.self_term or Generic("Self") if text(of) == "Self" else self.term(of, scope)
        elif of.type == "scoped_identifier":
            outer, inner = of.child_by_field_name("path"), text(of.child_by_field_name("name"))
            assert outer is not None
            base = self._associated(outer, "", inner, scope)
        else:
            base = self.term(of, scope)
        if name in _INNER:
            return Inner(base)
        if name in _AUTODIFF:
            return Autodiff(base)
        return base if name in _SAME else Assoc(base, trait, name)

    def _named(self, segments: tuple[str, ...], arguments: list[Node], scope: Scope) -> Term:
        path = self.scopes.resolve(segments, scope.module)
        raws = self.scopes.generics_of(path) if path is not None else []
        relation = ""
        given: list[Term] = []
        values: dict[str, Term] = {}
        place = 0
        for argument in arguments:
            if argument.type == "type_binding":
                name = text(argument.child_by_field_name("name"))
                given.append(Binding(name, self._field(argument, "type", scope)))
                continue
            raw = raws[place] if place < len(raws) else None
            place += 1
            kin = self.scopes.relation(argument, scope)
            if (raw is not None and self.scopes.is_backend(raw)) or (kin is not None and raw is None):
                relation = relation or kin or ""
                continue
            value = Named("Backend") if kin is not None else self._argument(argument, scope)
            given.append(value)
            if raw is not None:
                values[raw.name] = value
        for raw in raws[place:]:
            if raw.default is not None and not self.scopes.is_backend(raw) and path is not None:
                value = self.term(raw.default, Scope(self.scopes.definitions[path].module))
                given.append(value)
                values[raw.name] = value
        if path is None:
            built: Term = Named(self.scopes.foreign(segments, scope.module), tuple(given))
        elif path in self.scopes.definitions and self.scopes.definitions[path].sort == "alias":
            built = self._alias(path, values)
        elif path[-1] == "Tensor" and path[0] == "burn_tensor" and len(given) == 2:
            built = Tensor(given[0], given[1])
        else:
            built = Named("::".join(path), tuple(given))
        if relation == "other":
            self.gaps["a second backend generic"] += 1
        return Inner(built) if relation == "inner" else Autodiff(built) if relation == "autodiff" else built

    def _argument(self, node: Node, scope: Scope) -> Term:
        if node.type in ("type_identifier", "scoped_type_identifier"):
            segments = tuple(flat(node).split("::"))
            if segments[0] not in scope.types and self._is_constant(segments, scope.module):
                return Const(segments[-1])
        if node.type in (
            "integer_literal",
            "boolean_literal",
            "negative_literal",
            "char_literal",
            "string_literal",
        ):
            return _const(flat(node))
        return self.term(node, scope)

    def _is_constant(self, segments: tuple[str, ...], module: Module) -> bool:
        home = find_module(self.sources, module, segments[:-1])
        if not isinstance(home, Module) or segments[-1] in home.names["type"]:
            return False
        found = home.names["value"].get(segments[-1])
        return found is not None and found.sort == "const"

    def _alias(self, path: tuple[str, ...], values: dict[str, Term]) -> Term:
        item = self.scopes.definitions[path]
        target = item.node.child_by_field_name("type")
        assert target is not None
        if self._depth > 16:
            return Named("::".join(path), tuple(values.values()))
        self._depth += 1
        try:
            return substitute(
                self.term(target, self.scopes.scope(item.module, self.scopes.generics_of(path))), values
            )
        finally:
            self._depth -= 1


def _const(value: str) -> Const:
    digits = re.fullmatch(r"(\d[\d_]*)(?:usize|u\d+|i\d+)?", value)
    return Const(int(digits.group(1).replace("_", ""))) if digits else Const(re.sub(r"[{}\s]", "", value))


def _plain(node: Node) -> str:
    return re.sub(r"[{}]", "", flat(node))
