"""The entry: crates and burn's facts together, and the solved bodies of their functions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

from burnlint.burn.api import Api
from burnlint.burn.infer.answers import BodyTypes
from burnlint.burn.infer.declared import Shelf
from burnlint.burn.infer.declared_types import DeclaredTypes
from burnlint.burn.infer.facts import Compiler
from burnlint.burn.infer.implementations import Implementations
from burnlint.burn.infer.impls import Impls
from burnlint.burn.infer.index import Index
from burnlint.burn.infer.lookup import Lookup
from burnlint.burn.infer.resolve import STD_CRATES, Resolver, is_burn_crate
from burnlint.burn.infer.solve import solve
from burnlint.rust import hir
from burnlint.rust.items import Const, Enum, Fn, Impl, Item, Struct
from burnlint.rust.modules import Crate
from burnlint.rust.names import Names


class World:
    """The crates that are analysed together (a package's target and the workspace crates it depends on) under
    one version of burn. Answers do not depend on the order of questions: a body is solved alone, from its own
    code and the signatures of others.
    """

    def __init__(self, crates: Iterable[Crate], api: Api, shared: Shared | None = None) -> None:
        self.crates = list(crates)
        self.api = api
        shared = shared or Shared(api)
        self.resolver = Resolver(api, self.crates, shared.names, shared.impls)
        self._lookup = Lookup(self.resolver, Index(self.resolver, shared.shelf.of(self.crates)))
        self._bodies: dict[Item, BodyTypes] = {}

    @cached_property
    def declared(self) -> DeclaredTypes:
        """The types that the crates declare."""
        return DeclaredTypes(self._lookup, dict.fromkeys(f for crate in self.crates for f in crate.files()))

    def types_of(self, body: hir.Body) -> BodyTypes:
        """The types of a body, solved at the first question and frozen."""
        found = self._bodies.get(body.owner)
        if found is None:
            found = self._bodies[body.owner] = BodyTypes(solve(self._lookup, body))
        return found

    def impls_of(self, item: Struct | Enum) -> list[Impl]:
        """The impls for a type of the crates, inherent ones first."""
        return [info.item for info in self._lookup.index.impls(item)]

    @cached_property
    def implementations(self) -> Implementations:
        """What calls of the methods of the crates' traits run."""
        return Implementations(self._lookup.index, self.crates)

    def in_cube(self, owner: Fn | Const) -> bool:
        """Whether a body is CubeCL code, where names mean other things."""
        return _is_cube(owner)


class Shared:
    """What worlds under one version of burn have in common: burn's own templates, names of crates and what crates
    declare hang on no world."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self.impls = Impls(api, Compiler(api))
        self.names = Names(self._exports)
        self.shelf = Shelf()

    def _exports(self, path: tuple[str, ...]) -> Collection[str] | None:
        if path[0] in STD_CRATES or not is_burn_crate(self._api, path[0]):
            return None
        names = self._api.names_in("::".join(path))
        return {name.rstrip("!()") for name in names} if names else None


def _is_cube(owner: Item) -> bool:
    item: Item | None = owner
    while item is not None:
        if any(a.name == "cube" for a in item.attributes):
            return True
        item = item.outer
    return False
