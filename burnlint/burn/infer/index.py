"""What the workspace's own types have: fields, constructors, methods, impls of traits. Read on demand, cached
for the run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from burnlint.burn.infer.declared import Together
from burnlint.burn.infer.facts import open_generics
from burnlint.burn.infer.model import AUTODIFF, UNIT, UNKNOWN, Con, Gen, Head, Type
from burnlint.burn.infer.templates import Sig, hole, rename
from burnlint.rust import types as rt
from burnlint.rust.glance import GENERIC
from burnlint.rust.items import Const, FieldDef, Fn, Impl, Struct, Trait, TypeAlias, Variant

if TYPE_CHECKING:
    from burnlint.burn.infer.convert import Converter, Scope
    from burnlint.burn.infer.resolve import Resolver


@dataclass(slots=True, eq=False)
class ImplInfo:
    """An impl with what it is for: its self type as a template, and its members by name."""

    item: Impl
    scope: Scope
    self_type: Type
    trait: Head | None
    fns: dict[str, list[Fn]]
    types: dict[str, TypeAlias]
    consts: dict[str, Const]


@dataclass(slots=True, eq=False)
class Fields:
    """The fields of a struct or variant as templates over the generics of its type; `owner` is that type."""

    owner: Con
    names: tuple[str, ...]
    modes: tuple[str, ...]
    types: dict[str, Type]
    optional: frozenset[str] = field(default_factory=frozenset)


class Index:
    """The items of all crates of a world."""

    def __init__(self, resolver: Resolver, declared: Together) -> None:
        self.resolver = resolver
        self._from = declared
        self._infos: dict[Impl, ImplInfo | None] = {}
        self._by_head: dict[Head, tuple[ImplInfo, ...]] = {}
        self._fields: dict[Struct | Variant, Fields] = {}
        self._sigs: dict[Fn, Sig] = {}
        self._associated: dict[tuple[Head, Head | None, str], list[tuple[Type, Type, Scope]]] = {}
        self._declared: dict[str, list[Trait]] = {}

    @property
    def converter(self) -> Converter:
        return self.resolver.converter

    def info(self, item: Impl) -> ImplInfo | None:
        """The impl, read; None where its self type is not understood."""
        if item not in self._infos:
            scope = self.converter.scope(item)
            trait: Head | None = None
            if item.trait is not None:
                trait = self.resolver.trait_head(item.trait, item) or item.trait.name
            fns: dict[str, list[Fn]] = defaultdict(list)
            for fn in item.fns:
                fns[fn.name].append(fn)
            self._infos[item] = (
                None
                if scope.self_type is None
                else ImplInfo(
                    item,
                    scope,
                    scope.self_type,
                    trait,
                    fns,
                    {t.name: t for t in item.types},
                    {c.name: c for c in item.consts},
                )
            )
        return self._infos[item]

    def impls(self, head: Head) -> tuple[ImplInfo, ...]:
        """The impls for types with that head, also those for references to them; inherent ones first."""
        found = self._by_head.get(head)
        if found is None:
            name = head if isinstance(head, str) else getattr(head, "name", "")
            named = self._from.impls(str(name).rpartition("::")[2] or "-")
            infos = [*self._with_heads(named).get(head, ()), *self._unnamed.get(head, ())]
            infos = list(dict.fromkeys(infos))
            infos.sort(key=lambda info: info.trait is not None)
            found = self._by_head[head] = tuple(infos)
        return found

    @cached_property
    def _unnamed(self) -> dict[Head, list[ImplInfo]]:
        """The impls that may be for any type by their names, by what they are for."""
        return self._with_heads(self._from.unnamed)

    def _with_heads(self, items: list[Impl]) -> dict[Head, list[ImplInfo]]:
        found: dict[Head, list[ImplInfo]] = defaultdict(list)
        for item in items:
            info = self.info(item)
            head = _head_of(info.self_type) if info is not None else None
            if info is not None and head is not None:
                found[head].append(info)
        return found

    def blanket(self) -> Iterator[ImplInfo]:
        """Impls of a trait for any type (`impl<T: Bound> Trait for T`)."""
        for item in self._from.impls(GENERIC):
            info = self.info(item)
            if info is not None:
                yield info

    def traits_with(self, name: str) -> list[Trait]:
        """The traits of the workspace that declare a function of that name, as often as they do."""
        found = self._declared.get(name)
        if found is None:
            traits = self._from.traits_with(name)
            found = [trait for trait in traits for fn in trait.fns if fn.name == name]
            self._declared[name] = found
        return found

    def trait_impls(self, head: Head, trait: Head) -> list[ImplInfo]:
        """The impls of a trait for types with that head."""
        return [info for info in self.impls(head) if info.trait == trait]

    def associated(self, head: Head, trait: Head | None, name: str) -> list[tuple[Type, Type, Scope]]:
        """What impls for types with that head set `name` to: the impl's self type, the associated type, its
        scope."""
        key = head, trait, name
        found = self._associated.get(key)
        if found is None:
            found = self._associated[key] = []
            for info in self.impls(head):
                alias = info.types.get(name)
                if alias is not None and alias.target is not None and trait in (None, info.trait):
                    found.append((info.self_type, self.converter.type(alias.target, info.scope), info.scope))
        return found

    def fields(self, owner: Struct | Variant) -> Fields:
        """The fields as templates; one that is there twice with different types is unknown."""
        made = self._fields.get(owner)
        if made is None:
            item = owner if isinstance(owner, Struct) else owner.owner
            scope = self.converter.scope(item)
            types: dict[str, Type] = {}
            optional = set()
            for each in owner.fields:
                term = self.converter.type(each.type, scope)
                if each.name in types:
                    types[each.name] = hole("field defined twice under cfg")
                else:
                    types[each.name] = term
                if _has_default(each):
                    optional.add(each.name)
            self_type = scope.self_type
            assert isinstance(self_type, Con)
            names = tuple(g.name for g in scope.own if g.sort != "backend")
            modes = tuple(g.mode for g in scope.own if g.sort == "backend" and g.mode != AUTODIFF)
            made = self._fields[owner] = Fields(self_type, names, modes, types, frozenset(optional))
        return made

    def constructor(self, owner: Struct | Variant) -> Sig:
        """A tuple struct or variant as a function."""
        fields = self.fields(owner)
        params = tuple(fields.types[f.name] for f in owner.fields if f.name in fields.types)
        origin = owner if isinstance(owner, Struct) else (owner.owner, owner)
        return Sig(
            owner.name, None, "", (), fields.names, params, fields.owner, origin=origin, modes=fields.modes
        )

    def sig(self, fn: Fn) -> Sig:
        """A function of the workspace as a template."""
        made = self._sigs.get(fn)
        if made is None:
            made = self._sigs[fn] = self._make_sig(fn)
        return made

    def _make_sig(self, fn: Fn) -> Sig:
        converter = self.converter
        scope = converter.scope(fn)
        bounds: list[tuple[Type, Con]] = []
        anonymous: list[str] = []
        params: list[Type] = []
        for param in fn.params:
            expr = param.type
            if isinstance(expr, rt.BoundType) and expr.keyword == "impl":
                params.append(self._anonymous(expr, scope, anonymous, bounds))
            elif (
                isinstance(expr, rt.RefType)
                and isinstance(expr.inner, rt.BoundType)
                and expr.inner.keyword == "impl"
            ):
                inner = self._anonymous(expr.inner, scope, anonymous, bounds)
                params.append(Con("&mut" if expr.mutable else "&", (inner,)))
            else:
                params.append(
                    hole("parameter without a type") if expr is None else converter.type(expr, scope)
                )
        result = UNIT if fn.result is None else converter.type(fn.result, scope)
        if fn.is_async:
            result = Con("Future", (result,))
        names = []
        backends = []
        for name, info in scope.generics.items():
            if info.sort == "backend":
                backends.append(info)
                continue
            names.append(name)
            bounds.extend((Gen(name), bound) for bound in converter.bounds_of(name, scope))
        for subject, others in scope.where:
            if isinstance(subject, rt.PathType) and len(subject.path.segments) > 1:
                term = converter.type(subject, scope)
                bounds.extend((term, b) for b in (converter.bound(o, scope) for o in others) if b is not None)
        receiver = scope.self_type if fn.owner is not None else None
        if isinstance(fn.owner, Trait):
            names.append("Self")
        if not self.resolver.old_style:
            # Who made the result and on which device is not told by a signature.
            result = rename(result, {}, {"": UNKNOWN})
        all_names = (*names, *anonymous)
        return Sig(
            fn.name,
            receiver,
            fn.self_mode,
            tuple((g.name, g.sort) for g in scope.own),
            all_names,
            tuple(params),
            result,
            tuple(bounds),
            open_generics(tuple(params), receiver if fn.self_mode else None, bounds, all_names),
            fn,
            tuple(b.mode for b in backends if b.mode != AUTODIFF),
        )

    def _anonymous(
        self, expr: rt.BoundType, scope: Scope, anonymous: list[str], bounds: list[tuple[Type, Con]]
    ) -> Gen:
        made = Gen(f"impl{len(anonymous)}")
        anonymous.append(made.name)
        bounds.extend(
            (made, b) for b in (self.converter.bound(e, scope) for e in expr.bounds) if b is not None
        )
        return made


def _has_default(each: FieldDef) -> bool:
    """Whether `derive(Config)` asks for no value: an attribute `#[config(default = ..)]`, or an Option that is written
    so and not by a longer path."""
    if each.attribute("config") is not None:
        return True
    return isinstance(each.type, rt.PathType) and [s.name for s in each.type.path.segments] == ["Option"]


def _head_of(type: Type) -> Head | None:
    while isinstance(type, Con) and type.head in ("&", "&mut"):
        type = type.args[0]
    return type.head if isinstance(type, Con) else None
