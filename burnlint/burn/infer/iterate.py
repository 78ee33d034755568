"""What a loop over a value yields, and what a collection of items is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.infer.model import REFS, Con, Gen, Projection, Type, Var, prune
from burnlint.burn.infer.templates import rename

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver

_SEQUENCES = frozenset({"Vec", "VecDeque", "HashSet", "BTreeSet", "BinaryHeap", "Option", "Iter", "Box"})
_MAPS = frozenset({"HashMap", "BTreeMap"})
_BORROWED = frozenset({"Vec", "VecDeque", "HashSet", "BTreeSet", "[;]", "[]", "Option", "BinaryHeap"})


def item_of(s: Solver, type: Type) -> Type | None:
    """The item of `for _ in value`; None where it is not known (yet)."""
    type = prune(type)
    if isinstance(type, Gen):
        return _of_bounds(s, s.bounds(type.name))
    if not isinstance(type, Con):
        return None
    head = type.head
    if head in REFS:
        return _of_reference(s, type)
    if head == "[;]":
        return type.args[0]
    if head in ("impl", "dyn"):
        return _of_bounds(s, [b for b in type.args if isinstance(b, Con)])
    if head == "Box":
        return item_of(s, type.args[0])
    if isinstance(head, str):
        known = s.lookup.std.types.get(head)
        if known is not None:
            if known.item is None:
                return None
            return rename(known.item, {g.name: a for g, a in zip(known.generics, type.args, strict=False)})
        if s.resolver.is_api_type(head):
            api = s.lookup.api.type(head)
            if api is not None and api.item is not None:
                return s.of_api(api.item, api.generics, type)
        if s.resolver.is_api_trait(head):
            return _of_bounds(s, [type])
    return s.project(Projection("IntoIterator", "Item"), type) or s.project(
        Projection("Iterator", "Item"), type
    )


def _of_reference(s: Solver, type: Con) -> Type | None:
    mutable = type.head == "&mut"
    target = prune(type.args[0])
    if not isinstance(target, Con):
        return None if isinstance(target, Var) or not mutable else item_of(s, target)
    head = target.head
    if head in REFS and head != "&":
        return item_of(s, target)
    if head in _BORROWED:
        return Con(str(type.head), (target.args[0],))
    if head in _MAPS:
        key, value = target.args
        return Con("()", (Con("&", (key,)), Con(str(type.head), (value,))))
    if mutable:
        # An iterator is one by `&mut` too.
        if head in ("Iter", "impl", "dyn", "Range"):
            return item_of(s, target)
        return s.project(Projection("IntoIterator", "Item"), type) or item_of(s, target)
    return s.project(Projection("IntoIterator", "Item"), type)


def _of_bounds(s: Solver, bounds: list[Con]) -> Type | None:
    for bound in bounds:
        for arg in bound.args:
            if isinstance(arg, Con) and arg.head == "=Item":
                return arg.args[0]
        if isinstance(bound.head, str) and s.resolver.is_api_trait(bound.head):
            trait = s.lookup.api.trait(bound.head)
            if trait is not None and trait.item is not None:
                return s.of_api(trait.item, trait.generics, bound)
    return None


def collect_into(s: Solver, collection: Type, item: Type) -> bool:
    """Relate a collection to the items that it is collected from (`FromIterator`); False while it is open."""
    collection = prune(collection)
    if not isinstance(collection, Con):
        return isinstance(collection, Gen)
    head = collection.head
    if head in ("Vec", "VecDeque", "HashSet", "BTreeSet", "BinaryHeap"):
        s.unify(collection.args[0], item)
    elif head in ("Box", "Rc", "Arc"):
        inner = prune(collection.args[0])
        if isinstance(inner, Con) and inner.head == "[]":
            s.unify(inner.args[0], item)
    elif head in _MAPS:
        s.unify(Con("()", collection.args), item)
    elif head in ("Result", "Option"):
        known = prune(item)
        if isinstance(known, Var):
            return False
        if isinstance(known, Con) and known.head == head:
            for mine, theirs in zip(collection.args[1:], known.args[1:], strict=True):
                s.unify(mine, theirs)
            return collect_into(s, collection.args[0], known.args[0])
    return True
