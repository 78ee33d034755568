"""Impls, traits and aliases of crates by name. Read once for each crate, whatever worlds it is part of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from burnlint.rust import types as rt
from burnlint.rust.items import Impl, Trait
from burnlint.rust.modules import Crate

_UNNAMED = {rt.TupleType: "()", rt.ArrayType: "[;]", rt.SliceType: "[]", rt.FnType: "fn", rt.BoundType: "dyn"}
GENERIC = "<T>"
"""The name under which impls for a generic of their own stand (`impl<T: Bound> Trait for T`)."""
ANY = "*"
"""The name under which impls stand whose self type has none."""


class Declared:
    """What one crate declares."""

    def __init__(self, crate: Crate) -> None:
        self.impls: dict[str, list[Impl]] = defaultdict(list)
        self.traits: list[Trait] = []
        self.aliases: set[str] = set()
        for file in crate.files():
            self.traits += file.items.traits
            self.aliases.update(alias.name for alias in file.items.aliases)
            for item in file.items.impls:
                self._add(item)

    def _add(self, item: Impl) -> None:
        expr = item.self_type
        while isinstance(expr, rt.RefType):
            expr = expr.inner
        if isinstance(expr, rt.PathType):
            name = expr.path.segments[-1].name
            self.impls[name].append(item)
            if any(p.name == name for p in item.generics.params):
                self.impls[GENERIC].append(item)
        elif expr is not None:
            self.impls[_UNNAMED.get(type(expr), ANY)].append(item)


class Shelf:
    """What crates declare, each read on the first question."""

    def __init__(self) -> None:
        self._crates: dict[Crate, Declared] = {}

    def of(self, crates: Iterable[Crate]) -> Together:
        """What these crates declare together."""
        found = []
        for crate in crates:
            if crate not in self._crates:
                self._crates[crate] = Declared(crate)
            found.append(self._crates[crate])
        return Together(found)


class Together:
    """What several crates declare; a file that is part of several counts once."""

    def __init__(self, crates: list[Declared]) -> None:
        self._crates = crates

    def impls(self, name: str) -> list[Impl]:
        """The impls whose self type has that name, or an unnamed form of `burnlint.burn.infer.model`."""
        return list(dict.fromkeys(item for crate in self._crates for item in crate.impls.get(name, ())))

    @cached_property
    def unnamed(self) -> list[Impl]:
        """The impls whose self type may be anything: without a name, or by an alias."""
        names = [ANY, *sorted(set().union(*(crate.aliases for crate in self._crates)))]
        return list(dict.fromkeys(item for name in names for item in self.impls(name)))

    @cached_property
    def traits(self) -> list[Trait]:
        """All traits."""
        return list(dict.fromkeys(trait for crate in self._crates for trait in crate.traits))
