"""Which method, associated function or field a name means on a type: burn's, std's, the workspace's, and
those of bounds.

The order is rustc's as far as it matters: at each step of auto-dereferencing inherent methods come before
those of traits.
"""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING, Protocol

from burnlint.burn.infer.derives import DERIVED_TRAITS, derived
from burnlint.burn.infer.index import Fields, Index
from burnlint.burn.infer.model import REFS, Con, Gen, Head, Projection, Type, prune
from burnlint.burn.infer.templates import Sig, fits, rename
from burnlint.burn.terms import Generic, Named
from burnlint.rust.items import Enum, Fn, Struct, Trait, Variant

if TYPE_CHECKING:
    from burnlint.burn.infer.resolve import Resolver

MAX_STEPS = 8
"""Dereferences followed; more is a type that derefs to itself."""


class Host(Protocol):
    """The body that asks."""

    def bounds(self, generic: str) -> list[Con]:
        """The bounds on a generic of the body."""

    def project(self, head: Projection, base: Type) -> Type | None:
        """An associated type; None where none is known."""


class Lookup:
    """Members of types. Answers hold for a whole world and are cached by head and name."""

    def __init__(self, resolver: Resolver, index: Index) -> None:
        self.resolver = resolver
        self.index = index
        self.api, self.std, self.compiler = resolver.api, resolver.std, resolver.compiler
        self._members: dict[tuple[Head, str], tuple[Sig, ...]] = {}
        self._only: dict[tuple[Head, str], Sig | None] = {}
        self.plans: dict[tuple[str, ...], str | Sig | Con] = {}
        """What paths out of the workspace lead to; see `paths`."""

    def members(self, head: Head, name: str) -> tuple[Sig, ...]:
        """Everything of that name on types with that head; the first that fits a receiver is meant."""
        key = head, name
        found = self._members.get(key)
        if found is None:
            found = self._members[key] = self._find_members(head, name)
        return found

    def _find_members(self, head: Head, name: str) -> tuple[Sig, ...]:
        if isinstance(head, Struct | Enum):
            found = self._of_impls(head, name)
            if not found:
                found = derived(self, head, name)
            return (
                found
                or self._of_traits(head, name)
                or self._of_blanket(name)
                or self._of_burns_blanket(head, name)
            )
        if isinstance(head, Trait):
            return self.trait_members(head, name)
        if not isinstance(head, str):
            return ()
        found = self.compiler.members(head, name) if self.resolver.is_api_type(head) else ()
        if not found:
            found = self.std.methods(head, name)
        return (
            found
            or self._of_impls(head, name)
            or self._of_traits(head, name)
            or self._of_blanket(name)
            or self._of_burns_blanket(head, name)
        )

    def only_member(self, head: Head, name: str) -> Sig | None:
        """The one function of that name that every type with that head has; None where a variant, several
        candidates or the type's arguments make a difference."""
        key = head, name
        if key not in self._only:
            found = self.members(head, name) if not self._has_variant(head, name) else ()
            sure = len(found) == 1 and (found[0].receiver is None or found[0].given is not None)
            self._only[key] = found[0] if sure else None
        return self._only[key]

    def _has_variant(self, head: Head, name: str) -> bool:
        if isinstance(head, Enum):
            return any(variant.name == name for variant in head.variants)
        if not isinstance(head, str):
            return isinstance(head, Trait)
        if self.resolver.is_api_type(head):
            known = self.api.type(head)
            return known is not None and name in known.variants
        return self.resolver.is_api_trait(head)

    def _of_impls(self, head: Head, name: str) -> tuple[Sig, ...]:
        return tuple(self.index.sig(fn) for info in self.index.impls(head) for fn in info.fns.get(name, ()))

    def _of_traits(self, head: Head, name: str) -> tuple[Sig, ...]:
        """Methods with a body in a trait that the type implements."""
        for info in self.index.impls(head):
            if info.trait is not None:
                found = self.trait_members(info.trait, name)
                if found:
                    return found
        return ()

    def _of_blanket(self, name: str) -> tuple[Sig, ...]:
        """A method of a trait that is implemented for any type. A derive may implement another trait with
        that name, so no other trait of the workspace may declare it."""
        traits = self.index.traits_with(name)
        if len(traits) != 1 or self.api.owners(name):
            return ()
        if any(info.trait is traits[0] for info in self.index.blanket()):
            return self.trait_members(traits[0], name)
        return ()

    def _of_burns_blanket(self, head: Head, name: str) -> tuple[Sig, ...]:
        """A method of a trait of burn's that whatever implements another of its traits has (`ModuleSnapshot`:
        every module). No trait of the workspace may declare that name."""
        if self.index.traits_with(name):
            return ()
        for trait in self.api.owners(name):
            for impl in self.api.implementations(trait):
                bounds = [
                    bound.name
                    for param in impl.generics
                    if isinstance(impl.receiver, Generic) and param.name == impl.receiver.name
                    for bound in param.bounds
                    if isinstance(bound, Named)
                ]
                if bounds and all(self._has_trait(head, bound) for bound in bounds):
                    return self.trait_members(trait, name)
        return ()

    def _has_trait(self, head: Head, trait: str) -> bool:
        """Whether a type, or whatever implements a trait, is known to implement a trait of burn's."""
        if isinstance(head, Struct | Enum):
            return trait in DERIVED_TRAITS and head.derives(trait)
        if not isinstance(head, str):
            return False
        if self.resolver.is_api_trait(head):
            above = self.api.trait(head)
            named = above.supertraits if above is not None else ()
            return head == trait or any(isinstance(each, Named) and each.name == trait for each in named)
        return self.api.implements(head, trait)

    def demands(self, trait: Head, wanted: Set[str], depth: int = 0) -> bool:
        """Whether a trait is one of these, or one of those above it is: what implements it implements that."""
        if isinstance(trait, Trait):
            scope = self.index.converter.scope(trait)
            above = (self.index.converter.bound(expr, scope) for expr in trait.supertraits)
            return depth < MAX_STEPS and any(
                each is not None and self.demands(each.head, wanted, depth + 1) for each in above
            )
        if not isinstance(trait, str) or trait in wanted:
            return isinstance(trait, str)
        item = self.api.trait(trait) if self.resolver.is_api_trait(trait) else None
        named = item.supertraits if item is not None else ()
        return any(isinstance(each, Named) and each.name in wanted for each in named)

    def trait_members(self, trait: Head, name: str, depth: int = 0) -> tuple[Sig, ...]:
        """Methods of that name which a trait or its supertraits declare."""
        if isinstance(trait, Trait):
            found = tuple(self.index.sig(fn) for fn in trait.fns if fn.name == name)
            if found or depth >= MAX_STEPS:
                return found
            scope = self.index.converter.scope(trait)
            for expr in trait.supertraits:
                bound = self.index.converter.bound(expr, scope)
                if bound is not None:
                    found = self.trait_members(bound.head, name, depth + 1)
                    if found:
                        return found
            return ()
        if isinstance(trait, str) and self.resolver.is_api_trait(trait):
            return self.compiler.members(trait, name)
        return ()

    def method(self, type: Type, name: str, host: Host) -> tuple[tuple[Sig, ...], Type, Con | None]:
        """The methods of that name that a value has, the type after auto-dereferencing that they were found
        on, and the bound through which a generic has them.

        Several methods: twins of which the receiver's unknown parts
        would decide. None: not known, or a method that every type has (`clone`, `into`).
        """
        step = prune(type)
        bound: Con | None = None
        for _ in range(MAX_STEPS):
            if isinstance(step, Con):
                if step.head in ("impl", "dyn"):
                    found, bound = self.of_bounds([b for b in step.args if isinstance(b, Con)], name)
                else:
                    found = self._at_step(step, name)
            elif isinstance(step, Gen):
                found, bound = self.of_bounds(host.bounds(step.name), name)
            else:
                return (), step, None
            if found:
                return found, step, bound
            target = self.deref(step, host)
            if target is None:
                return (), step, None
            step = prune(target)
        return (), step, None

    def _at_step(self, step: Con, name: str) -> tuple[Sig, ...]:
        head = step.head
        if head in REFS:
            return ()
        candidates = self.members(head, name)
        if not candidates:
            return ()
        if len(candidates) == 1:
            only = candidates[0]
            return candidates if only.self_mode and fits(only, step) else ()
        fitting = [s for s in candidates if s.self_mode and fits(s, step)]
        if len(fitting) > 1:
            # Inherent before trait, an impl's own before the trait's: what fits first is meant, except for
            # twins.
            first = fitting[0]
            fitting = [s for s in fitting if _twins(first, s)]
        return tuple(fitting)

    def of_bounds(self, bounds: list[Con], name: str) -> tuple[tuple[Sig, ...], Con | None]:
        """The function of that name which a trait among the bounds or their supertraits declares, and that
        trait with its arguments."""
        for bound in bounds:
            found, through = self._through(bound, name, 0)
            if found:
                return found[:1], through
        for bound in bounds:
            found = self._of_burns_blanket(bound.head, name)
            if found:
                return found[:1], bound
        return (), None

    def _through(self, bound: Con, name: str, depth: int) -> tuple[tuple[Sig, ...], Con | None]:
        trait = bound.head
        if not isinstance(trait, Trait) or depth > MAX_STEPS:
            return self.trait_members(trait, name), bound
        own = self.trait_members(trait, name, MAX_STEPS)
        if own:
            return own, bound
        scope = self.index.converter.scope(trait)
        names = [info.name for info in scope.own if info.sort != "backend"]
        env = dict(zip(names, bound.args, strict=False))
        for expr in trait.supertraits:
            above = self.index.converter.bound(expr, scope)
            if above is not None:
                given = rename(above, env)
                found, through = self._through(given if isinstance(given, Con) else above, name, depth + 1)
                if found:
                    return found, through
        return (), None

    def deref(self, type: Type, host: Host) -> Type | None:
        """What `*` gives, as far as the facts, std and the workspace's impls of Deref say it."""
        if not isinstance(type, Con):
            return None
        head = type.head
        if head in REFS:
            return type.args[0]
        if head == "[;]":
            return Con("[]", (type.args[0],))
        if isinstance(head, str):
            known = self.std.types.get(head)
            if known is not None and known.deref is not None:
                names = [g.name for g in known.generics]
                return rename(known.deref, dict(zip(names, type.args, strict=False)))
            if self.resolver.is_api_type(head):
                api = self.api.type(head)
                if api is not None and api.deref is not None:
                    template = self.compiler.type(api.deref)
                    names = [g.name for g in api.generics if g.sort != "backend"]
                    return rename(template, dict(zip(names, type.args, strict=False)))
            return None
        if isinstance(head, Struct | Enum):
            return host.project(Projection("Deref", "Target"), type)
        return None

    def fields(self, owner: Struct | Variant) -> Fields:
        """The fields of a struct or variant of the workspace."""
        return self.index.fields(owner)

    def variant(self, enum: Enum, name: str) -> Variant | None:
        """The variant of that name; None if there is none, or several under different conditions."""
        found = [v for v in enum.variants if v.name == name]
        return found[0] if len(found) == 1 else None


def _twins(a: Sig, b: Sig) -> bool:
    """Whether two candidates stand on one level: both from burn's facts or std, or both from impls of one
    trait."""
    if isinstance(a.origin, Fn) and isinstance(b.origin, Fn):
        one, other = a.origin.owner, b.origin.owner
        return (getattr(one, "trait", None) is None) == (getattr(other, "trait", None) is None)
    return isinstance(a.origin, Fn) == isinstance(b.origin, Fn)
