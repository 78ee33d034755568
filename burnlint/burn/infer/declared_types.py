"""Questions about types that the workspace declares: the types of their fields, their traits and derives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from burnlint.burn.infer.export import Exporter
from burnlint.burn.infer.lookup import Lookup
from burnlint.rust import resolution as rn
from burnlint.rust import types as rt
from burnlint.rust.items import Enum, ItemMacro, Struct, TypeAlias, Variant
from burnlint.rust.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Collection

    from burnlint.burn.terms import Term

_ONE_PARAMETER = frozenset({"io", "fmt", "thread", "sync"})
"""Modules of std with a `Result` of their own that takes fewer than two arguments."""


class DeclaredTypes:
    """The declared types of one world."""

    def __init__(self, lookup: Lookup, files: Collection[SourceFile]) -> None:
        self._lookup = lookup
        self._resolver = lookup.resolver
        self._files = files
        self._fields: dict[Struct | Variant, Mapping[str, Term]] = {}
        self._macros: list[str] | None = None

    def fields(self, owner: Struct | Variant) -> Mapping[str, Term]:
        """The types of the fields by name; Unknown where the source does not tell."""
        found = self._fields.get(owner)
        if found is None:
            exporter = Exporter(None)
            types = self._lookup.index.fields(owner).types
            found = self._fields[owner] = {name: exporter.term(type) for name, type in types.items()}
        return found

    def backends(self, item: Struct | Enum) -> list[str]:
        """The generics of a type that are back ends, up to burn 0.21."""
        return [each.name for each in self._resolver.converter.scope(item).own if each.sort == "backend"]

    def is_of_burn(self, path: str, item: Struct | Enum) -> bool:
        """Whether a path in an attribute of an item (of a derive) leads to burn."""
        names = path.removeprefix("::").split("::")
        segments = tuple(rt.Segment(name.strip()) for name in names)
        found = self._resolver.resolve(rt.Path(segments, item.span, path.startswith("::")), item, "type")
        if isinstance(found, rn.Extern):
            return self._resolver.is_burn_crate(found.path[0])
        # burn's own crates see it as an item of the workspace.
        return isinstance(found, rn.Local) and found.crate.name.startswith("burn_")

    def has_impl(self, item: Struct | Enum, trait: str) -> bool | None:
        """Whether an impl of the workspace gives a type a trait, named by its last segment; None: a macro may do
        so."""
        for info in self._lookup.index.impls(item):
            if info.item.trait is not None and info.item.file.own_name(info.item.trait.name) == trait:
                return True
        for info in self._lookup.index.blanket():
            if info.item.trait is not None and info.item.file.own_name(info.item.trait.name) == trait:
                return None
        return None if any(item.name in text for text in self._item_macros) else False

    @property
    def _item_macros(self) -> list[str]:
        """The arguments of all macro calls in the place of items."""
        if self._macros is None:
            self._macros = [
                each.arguments
                for file in self._files
                for each in file.items.all
                if isinstance(each, ItemMacro)
            ]
        return self._macros

    def has_method(self, head: Struct | Enum | str, name: str) -> bool | None:
        """Whether a type has a method of that name in burn or the workspace; None: a trait or Deref may give it
        one."""
        if self._lookup.members(head, name):
            return True
        if isinstance(head, str):
            known = self._lookup.api.type(head)
            derefs = known is None or known.deref is not None
        else:
            derefs = self.has_impl(head, "Deref") is not False
        return None if derefs or self._lookup.index.traits_with(name) else False

    def narrow_result(self, item: Struct | Enum) -> bool:
        """Whether `Result` in the scope of an item is known to be a type with fewer than two parameters."""
        found = self._resolver.resolve(rt.Path((rt.Segment("Result"),), item.span), item, "type")
        if isinstance(found, rn.Extern):
            return found.path[0] == "std" and found.path[-1] == "Result" and found.path[-2] in _ONE_PARAMETER
        if not isinstance(found, rn.Local) or found.rest:
            return False
        return all(
            isinstance(each, TypeAlias | Struct | Enum)
            and len([p for p in each.generics.params if not p.is_const]) < 2
            for each in found.definitions
        )
