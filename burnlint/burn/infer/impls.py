"""Burn's impls of its own and std's traits, as templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.burn.infer.facts import Compiler, generic_names
from burnlint.burn.infer.model import Con, Head, Type
from burnlint.burn.terms import Term

if TYPE_CHECKING:
    from burnlint.burn.api import Api


@dataclass(frozen=True, slots=True)
class ApiImpl:
    """An impl of one of burn's traits, as a template."""

    receiver: Type
    names: tuple[str, ...]
    args: tuple[Type, ...]


class Impls:
    """The impls of one version of burn, read when they are first asked for."""

    def __init__(self, api: Api, compiler: Compiler) -> None:
        self.api = api
        self.compiler = compiler
        self._projected: dict[tuple[str, Head | None, str], Type | None] = {}
        self._impls: dict[str, list[ApiImpl]] = {}
        self._conversions: dict[Head, list[ApiImpl]] = {}

    def projection(self, head: str, trait: Head | None, name: str) -> Type | None:
        """An associated type that an impl of burn sets for one of its types without arguments, or for a
        kind."""
        key = head, trait, name
        if key not in self._projected:
            asked = terms.Assoc(terms.Named(head), trait if isinstance(trait, str) else "", name)
            found = self.api.project(asked)
            open_ = any(self._is_open(each) for each in terms.subterms(found))
            self._projected[key] = None if open_ else self.compiler.type(found, "")
        return self._projected[key]

    def has_generics(self, trait: str, name: str) -> bool:
        """Whether an associated type of burn's has generics of its own, as an impl shows."""
        bound = [each.assoc.get(name) for each in self.api.implementations(trait)]
        parts = (part for term in bound if term is not None for part in terms.subterms(term))
        return any(isinstance(part, terms.Named) and self._is_open(part) for part in parts)

    def _is_open(self, term: Term) -> bool:
        """Whether a part of an associated type hangs on what asks for it. Its own generics (`State<const D: usize>`)
        are mere names in the facts."""
        if isinstance(term, terms.Named):
            return term.name.isupper() and self.api.type(term.name) is None
        return isinstance(term, terms.Assoc | terms.Generic)

    def implementations(self, trait: str) -> list[ApiImpl]:
        """Burn's impls of one of its traits."""
        found = self._impls.get(trait)
        if found is None:
            found = self._impls[trait] = [
                ApiImpl(
                    self.compiler.type(each.receiver, ""),
                    generic_names(each.generics),
                    tuple(
                        self.compiler.type(a, "") for a in each.trait.args if not isinstance(a, terms.Binding)
                    ),
                )
                for each in self.api.implementations(trait)
            ]
        return found

    def conversions(self, target: Head) -> list[ApiImpl]:
        """Burn's impls of `From` for a type."""
        found = self._conversions.get(target)
        if found is None:
            found = self._conversions[target] = [
                each
                for each in self.implementations("From")
                if each.args and isinstance(each.receiver, Con) and each.receiver.head == target
            ]
        return found
