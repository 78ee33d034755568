"""The crates of a package under one version of burn, with the questions that the view of a file passes on."""

from __future__ import annotations

import re
from functools import cached_property

from burnlint.burn.api import Api
from burnlint.burn.calls import Target, operands_as_written
from burnlint.burn.crates import Unit
from burnlint.burn.infer import BodyTypes, Callee, Shared, World
from burnlint.burn.macros import BURN_MACROS
from burnlint.burn.terms import Term, Unknown
from burnlint.burn.values import Values
from burnlint.rust import hir
from burnlint.rust.glance import Spelling
from burnlint.rust.items import Fn, Struct, Trait
from burnlint.rust.lower import body_of

_DIVERGING = re.compile(rb"\bfn\s+(\w+)\b[^{;]*?\)\s*-> !")


def _target(callee: Callee, world: World) -> Target:
    fn, made = callee.fn, callee.constructor
    default = False
    if fn is not None and isinstance(fn.owner, Trait):
        chosen = world.implementations.chosen(fn, callee.owner)
        fn, default = chosen or fn, chosen is fn
    return Target(fn, callee.signature, made if isinstance(made, Struct) else None, default)


def _takes(callee: Callee, operands: int) -> bool:
    """Whether a function of burn takes so many operands, a receiver among them."""
    signature = callee.signature
    return signature is None or operands == len(signature.params) + bool(signature.self_mode)


class Facts:
    """The types of a body in the form that values ask for (`burnlint.burn.calls.TypeFacts`)."""

    def __init__(self, body: hir.Body, world: World) -> None:
        self._body = body
        self._world = world
        self._targets: dict[int, Target | None] = {}

    @cached_property
    def _types(self) -> BodyTypes:
        return self._world.types_of(self._body)

    def target(self, e: hir.Expr) -> Target | None:
        """What a call, method call or operator runs; None where that is not known, or the call does not have
        as many operands as it takes (code that is being written)."""
        if e.id not in self._targets:
            callee = self._types.callee(e)
            fits = callee is not None and _takes(callee, len(operands_as_written(e)))
            self._targets[e.id] = _target(callee, self._world) if callee is not None and fits else None
        return self._targets[e.id]

    def operands(self, e: hir.Expr) -> list[hir.Expr]:
        """Receiver and arguments in one list."""
        return operands_as_written(e)

    def term(self, e: hir.Expr) -> Term | None:
        """The type of an expression, None where it is not known."""
        found = self._types.expr(e)
        return None if isinstance(found, Unknown) else found


class Analysis:
    """What is known of the code of a package. Everything is computed when first asked for."""

    def __init__(self, unit: Unit, api: Api, shared: Shared | None = None) -> None:
        self.unit = unit
        self.api = api
        self._shared = shared
        self._spelled: dict[str, bool] = {}
        self._held: dict[Spelling, bool] = {}

    @cached_property
    def world(self) -> World:
        """Names and types."""
        return World([*self.unit.own, *self.unit.used], self.api, self._shared)

    @cached_property
    def values(self) -> Values:
        """Values: origins, uses, derivations."""
        return Values(self.body, lambda body: Facts(body, self.world))

    def body(self, fn: Fn) -> hir.Body | None:
        """The lowered body of a function; None without one and in CubeCL code, where names mean other things."""
        if not fn.has_body or self.world.in_cube(fn):
            return None
        return body_of(fn, BURN_MACROS)

    def spells(self, fragment: str) -> bool:
        """Whether any file of the unit holds a fragment of a word."""
        found = self._spelled.get(fragment)
        if found is None:
            found = self._spelled[fragment] = any(file.spells(fragment) for file in self.unit.files())
        return found

    def holds(self, pattern: Spelling) -> bool:
        """Whether any file of the unit holds a pattern outside of test code."""
        found = self._held.get(pattern)
        if found is None:
            found = self._held[pattern] = any(file.holds_outside_tests(pattern) for file in self.unit.files())
        return found

    @cached_property
    def aliases(self) -> frozenset[str]:
        """The names that the unit gives to types: aliases, associated types, imports under another name."""
        return frozenset[str]().union(*(file.alias_names for file in self.unit.files()))

    @cached_property
    def diverging(self) -> frozenset[bytes] | None:
        """The names of the unit's functions that never return; None if a closure or a pointer may be such a one, or
        an import gives it another name."""
        names: set[bytes] = set()
        for file in self.unit.files():
            if b"-> !" in file.content:
                found = _DIVERGING.findall(file.content)
                names.update(found)
                if len(found) != file.content.count(b"-> !"):
                    return None
        renamed = any(
            re.search(rb"\b%s\s+as\b" % name, file.content) for name in names for file in self.unit.files()
        )
        return None if renamed else frozenset(names)

    def types(self, body: hir.Body) -> BodyTypes:
        """The types of a body."""
        return self.world.types_of(body)
