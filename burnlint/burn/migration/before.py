"""What a path of old code meant to the burn it was written for: burn's item or one of the workspace, and the
generic parameters that its arguments are for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from burnlint.burn.api import Api
from burnlint.burn.infer.resolve import is_burn_crate
from burnlint.burn.signature import Signature
from burnlint.rust import hir
from burnlint.rust import resolution as rn
from burnlint.rust import types as rt
from burnlint.rust.items import Enum, Fn, Impl, Item, Struct, Trait, TypeAlias, Use, Variant
from burnlint.rust.written import Written

if TYPE_CHECKING:
    from burnlint.burn.analysis import Analysis

OLD = "0.21.0"
"""The last release in which types carry a back end as a parameter."""

TRAITS = frozenset({"Backend", "AutodiffBackend", "BackendTypes"})
"""burn's traits for back ends."""

LEFT = "B"
"""What nearly all code calls its back end: the name by which a parameter that nothing uses is known to be one."""

_INERT = frozenset({"derive", "doc", "allow", "expect", "cfg", "must_use", "inline", "module"})
"""Attributes that do not write an item anew."""

TYPES = frozenset({"struct", "enum", "union", "trait", "alias"})


@dataclass(frozen=True, slots=True)
class Takes:
    """What the arguments of a path's segment are for.

    `sorts` are the sorts of the parameters in order: `backend`, `const`, `type`, and (of items of the workspace)
    `optimizer` for one that is bound to be one, `left` for one of a back end that nothing uses any more. For an
    item of the workspace `item` is it; for one of burn's `now` is how many parameters it has today, None where it
    is gone, and `key` names it (`Tensor`, `LinearConfig::init`).
    """

    sorts: tuple[str, ...]
    item: Item | None = None
    key: str = ""
    now: int | None = None


class Before:
    """The code of a unit as its old burn read it; `new` has the facts of the burn that it is built with."""

    def __init__(self, analysis: Analysis, new: Api) -> None:
        self.analysis = analysis
        self.old = analysis.api
        self.new = new
        self._resolver = analysis.world.resolver
        self._takes: dict[Written, dict[int, Takes]] = {}

    @cached_property
    def backends(self) -> frozenset[str]:
        """The keys of burn's back ends: the types that `burn::backend` offered."""
        names = self.old.names_in("burn::backend")
        return frozenset(item.key for item in names.values() if item.sort in ("struct", "alias"))

    def resolve(self, path: rt.Path, item: Item, namespace: rn.Namespace = "type") -> rn.Resolution:
        return self._resolver.resolve(path, item, namespace)

    def outside(self, path: rt.Path, item: Item, namespace: rn.Namespace = "type") -> tuple[str, ...]:
        """The full path into one of burn's crates that a path means; empty for anything else."""
        found = self.resolve(path, item, namespace)
        if isinstance(found, rn.Extern) and is_burn_crate(self.old, found.path[0]):
            return found.path
        return ()

    def split(self, full: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
        """An outside path as (sort, key, what follows the item); ("", "", ()) where burn had no such item."""
        for end in range(2, len(full) + 1):
            item = self.old.resolve_path("::".join(full[:end]))
            if item is None:
                break
            if item.sort in TYPES or item.sort in ("fn", "external"):
                return item.sort, item.key, full[end:]
        return "", "", ()

    def key(self, path: rt.Path, item: Item) -> str:
        """The key of the type or trait of burn that a path named; empty for anything else."""
        _, key, rest = self.split(self.outside(path, item))
        return key if not rest else ""

    def sort_of(self, item: Item, name: str) -> str:
        """The sort of a generic parameter of an item: `backend`, `const`, `optimizer`, `left` or `type`."""
        return next((sort for each, sort in self._own_generics(item) if each == name), "type")

    def parameter(self, path: rt.Path, item: Item) -> tuple[Item, str] | None:
        """The back end parameter that a path is, or starts with: the item that declares it, and its name."""
        found = self.generic(path, item)
        return found[:2] if found is not None and found[2] == "backend" else None

    def generic(self, path: rt.Path, item: Item) -> tuple[Item, str, str] | None:
        """The generic parameter that a path is, or starts with: the item that declares it, its name and sort."""
        name = path.segments[0].name
        if path.qself is not None or path.leading:
            return None
        for owner in (item, item.owner):
            if owner is not None and not isinstance(owner, Use):
                for each, sort in self._own_generics(owner):
                    if each == name:
                        return owner, name, sort
        return None

    def bounds(self, item: Item, name: str) -> list[rt.PathType]:
        """The bounds of a generic parameter of an item, those of where clauses too."""
        own = self._resolver.converter.scope(item).own
        return [
            bound
            for each in own
            if each.name == name
            for bound in each.bounds
            if isinstance(bound, rt.PathType)
        ]

    def _own_generics(self, item: Item) -> list[tuple[str, str]]:
        if not isinstance(item, Fn | Impl | Trait | TypeAlias | Struct | Enum):
            return []
        scope = self._resolver.converter.scope(item)
        found = [(each.name, self._sort(each.sort, each.bounds, item)) for each in scope.own]
        if any(name == LEFT and sort == "type" for name, sort in found) and _is_left(item):
            found = [(name, "left" if name == LEFT else sort) for name, sort in found]
        if isinstance(item, TypeAlias):
            # Bounds are not written there: what a parameter is for shows where it is used.
            found = [
                (name, "backend" if sort == "type" and self._is_for_backend(item, name) else sort)
                for name, sort in found
            ]
        return found

    def _sort(self, sort: str, bounds: tuple[rt.TypeExpr, ...], item: Item) -> str:
        if sort == "const":
            return sort
        if any(self._is_lost(bound, item) for bound in bounds):
            return "backend"
        for bound in bounds:
            path = bound.path if isinstance(bound, rt.PathType) else None
            if path is not None and path.segments[-1].args and self.key(path, item) == "Optimizer":
                return "optimizer"
        return "type"

    def _is_lost(self, bound: rt.TypeExpr, item: Item) -> bool:
        """Whether a bound names a trait for back ends where burn does not have it any more, with its import or
        without."""
        if not isinstance(bound, rt.PathType):
            return False
        full = self.outside(bound.path, item)
        if full:
            # `burn_backend::Backend` is there in both: the trait of low-level code.
            _, key, rest = self.split(full)
            return key in TRAITS and not rest and self.new.resolve_path("::".join(full)) is None
        if str(bound.path) not in ("Backend", "AutodiffBackend"):
            return False
        found = self.resolve(bound.path, item)
        return isinstance(found, rn.Unresolved) and found.why == "not found"

    def _is_for_backend(self, alias: TypeAlias, name: str) -> bool:
        for each in rt.nested(alias.target) if alias.target is not None else ():
            if isinstance(each, rt.PathType) and each.path.segments[-1].args:
                last = each.path.segments[-1]
                takes = self._of_type(each.path, alias).get(len(each.path.segments) - 1)
                for arg, sort in zip(last.args, takes.sorts if takes is not None else (), strict=False):
                    is_it = isinstance(arg, rt.PathType) and str(arg.path) == name
                    if is_it and sort == "backend":
                        return True
        return False

    def takes(self, written: Written) -> dict[int, Takes]:
        """For each segment of a path that has arguments what they are for, as far as that is known."""
        found = self._takes.get(written)
        if found is None:
            path = written.path
            if not any(segment.args for segment in path.segments) or path.qself is not None:
                found = {}
            else:
                found = self._of_type(path, written.item, "value" if written.role == "value" else "type")
            self._takes[written] = found
        return found

    def _of_type(self, path: rt.Path, item: Item, namespace: rn.Namespace = "type") -> dict[int, Takes]:
        found = self.resolve(path, item, namespace)
        last = len(path.segments) - 1
        if isinstance(found, rn.Extern):
            if not is_burn_crate(self.old, found.path[0]):
                return {}
            return self._outside(found.path, last)
        if isinstance(found, rn.Local) and len(found.definitions) == 1:
            return self._inside(found.definitions[0], found.rest, last)
        if isinstance(found, rn.SelfType) and isinstance(found.owner, Impl) and len(found.rest) == 1:
            target = found.owner.self_type
            if isinstance(target, rt.PathType):
                of = self.resolve(target.path, found.owner)
                if isinstance(of, rn.Local) and len(of.definitions) == 1 and not of.rest:
                    return self._inside(of.definitions[0], found.rest, last)
        return {}

    def _inside(self, definition: object, rest: tuple[rt.Segment, ...], last: int) -> dict[int, Takes]:
        if isinstance(definition, Variant):
            own = self._of_item(definition.owner)
            return {last: own, last - 1: own} if last else {last: own}
        if not isinstance(definition, Fn | Trait | TypeAlias | Struct | Enum):
            return {}
        at = last - len(rest)
        # An import may name a part of the item: then the item stands in no segment of this path.
        found = {at: self._of_item(definition)} if at >= 0 else {}
        if len(rest) == 1 and isinstance(definition, Struct | Enum | Trait):
            fn = self.method(definition, rest[0].name)
            if fn is not None:
                found[last] = self._of_item(fn)
        return found

    def method(self, owner: Struct | Enum | Trait, name: str) -> Fn | None:
        """The method of that name that the workspace declares for one of its types."""
        if isinstance(owner, Trait):
            return next((fn for fn in owner.fns if fn.name == name), None)
        impls = self.analysis.world.impls_of(owner)
        return next((fn for impl in impls for fn in impl.fns if fn.name == name), None)

    def _of_item(self, item: Item) -> Takes:
        return Takes(tuple(sort for _, sort in self._own_generics(item)), item)

    def _outside(self, full: tuple[str, ...], last: int) -> dict[int, Takes]:
        sort, key, rest = self.split(full)
        at = last - len(rest)
        if at < 0 or sort == "external" or not sort:
            return {}
        if sort == "fn":
            signatures = self.old.function("::".join(full))
            now = self.new.function("::".join(full))
            return {at: self._of_signatures(key.rpartition("::")[2], signatures, now)} if signatures else {}
        declared = self.old.type(key) or self.old.trait(key) or self.old.alias(key)
        today = self.new.type(key) or self.new.trait(key) or self.new.alias(key)
        found = {}
        if declared is not None:
            sorts = tuple(each.sort for each in declared.generics)
            found[at] = Takes(sorts, None, key, len(today.generics) if today is not None else None)
        if len(rest) == 1:
            signatures = self.old.method(key, rest[0])
            if signatures:
                now = self.new.method(key, rest[0])
                found[last] = self._of_signatures(f"{key}::{rest[0]}", signatures, now)
        return found

    @staticmethod
    def _of_signatures(key: str, old: Sequence[Signature], new: Sequence[Signature]) -> Takes:
        sorts = tuple(each.sort for each in old[0].generics)
        return Takes(sorts, None, key, len(new[0].generics) if new else None)

    def called(self, body: hir.Body, call: hir.MethodCall) -> Takes | None:
        """What the turbofish of a method call is for."""
        callee = self.analysis.types(body).callee(call)
        if callee is None:
            return None
        if callee.fn is not None:
            return self._of_item(callee.fn)
        signature = callee.signature
        if signature is None or not signature.crate.startswith("burn"):
            return None
        now = self.new.method(signature.owner, signature.name)
        return self._of_signatures(f"{signature.owner}::{signature.name}", [signature], now)

    def is_backend(self, path: rt.Path, item: Item, depth: int = 0) -> bool:
        """Whether a path names a back end: burn's own, a parameter for one, or an alias of one."""
        if path.qself is not None:
            return path.name == "InnerBackend"
        parameter = self.parameter(path, item)
        if parameter is not None:
            return len(path.segments) == 1 or path.name == "InnerBackend"
        found = self.resolve(path, item)
        if isinstance(found, rn.Extern) and is_burn_crate(self.old, found.path[0]):
            _, key, rest = self.split(found.path)
            return key in self.backends and not rest
        if isinstance(found, rn.Local) and not found.rest and depth < 8:
            alias = found.definitions[0]
            if isinstance(alias, TypeAlias) and isinstance(alias.target, rt.PathType):
                return self.is_backend(alias.target.path, alias, depth + 1)
        return False

    def is_autodiff(self, body: hir.Body, written: rt.TypeExpr) -> bool:
        """Whether a back end that a body spells is one with autodiff."""
        return self.analysis.types(body).backend_mode(written) == "autodiff"


def _is_left(item: Item) -> bool:
    """Whether nothing in an item names its parameter `B`, which has no bounds either: there rustc asks for a use."""
    if isinstance(item, Trait | TypeAlias) or not {each.name for each in item.attributes} <= _INERT:
        return False
    start, end = item.span
    content = item.file.content
    if b"burn" not in content:
        return False
    named = re.compile(rb"\b%b\b" % LEFT.encode()).finditer(content, start, end)
    comments = [span for span, _ in item.file.comments]
    return sum(not any(a <= each.start() < b for a, b in comments) for each in named) == 1
