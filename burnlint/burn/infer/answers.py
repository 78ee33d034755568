"""What rules may ask of a solved body: terms of expressions and locals, what a call names, and why something
is unknown."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.burn.infer.backends import mode_of
from burnlint.burn.infer.export import Exporter
from burnlint.burn.infer.model import AUTODIFF, PLAIN, Type, Var, prune
from burnlint.burn.infer.spell import Speller
from burnlint.burn.signature import Signature
from burnlint.burn.terms import Term
from burnlint.rust import hir
from burnlint.rust import types as rt
from burnlint.rust.items import Enum, Fn, Struct, Variant

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver


@dataclass(frozen=True, slots=True)
class Callee:
    """What a call names.

    Exactly one of `fn` (a function of the workspace), `signature` (of burn or std) and `constructor` (a
    struct or a variant of the workspace) is set. `owner` is the type that it was found on, with the generics
    as far as known.
    """

    name: str
    fn: Fn | None
    signature: Signature | None
    constructor: Struct | tuple[Enum, Variant] | None
    owner: Term | None


class BodyTypes:
    """The frozen types of one body. Every answer is a term; what is not known is `terms.Unknown` with its
    cause."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._exporter = Exporter(solver)

    @property
    def body(self) -> hir.Body:
        """The body that this is about."""
        return self._solver.body

    def expr(self, e: hir.Expr) -> Term:
        """The type of an expression."""
        found = self._solver.types[e.id]
        return terms.Unknown("never reached") if found is None else self._exporter.term(found)

    def local(self, local: hir.Local) -> Term:
        """The type of a local."""
        return self._exporter.term(self._solver.locals[local.id])

    def callee(self, e: hir.Expr) -> Callee | None:
        """What a method call or a call of a path names; None if that is not known, or the expression is no
        call."""
        called = self._solver.called.get(e.id)
        if called is None:
            return None
        origin = called.sig.origin
        owner = None if called.owner is None else self._exporter.term(called.owner)
        return Callee(
            called.sig.name,
            origin if isinstance(origin, Fn) else None,
            origin if isinstance(origin, Signature) else None,
            None if origin is None or isinstance(origin, Fn | Signature) else origin,
            owner,
        )

    def backend_mode(self, written: rt.TypeExpr) -> str:
        """Whether a backend that the body spells is on autodiff: "autodiff", "plain", "" where that is not
        known."""
        mode = mode_of(self._solver.converter, written, self._solver.scope)
        return mode if mode in (AUTODIFF, PLAIN) else ""

    def unknown_cause(self, e: hir.Expr) -> str | None:
        """Why the type of an expression is not known; None if it is. Of a tensor: why its rank or its kind is
        not."""
        return self._exporter.cause(self.expr(e))

    def annotation(self, local: hir.Local) -> str | None:
        """The type of a local as it could be written at its `let`; None unless all of it is known and can be
        named."""
        return Speller(self._solver).spell(self._solver.locals[local.id])

    @property
    def contradictions(self) -> list[tuple[hir.Expr, Term, Term]]:
        """Where two known types meet and differ, which code that compiles cannot have."""
        return [
            (self._solver.body.exprs[at], self._exporter.term(a), self._exporter.term(b))
            for at, a, b in self._solver.unifier.contradictions
            if at >= 0
        ]

    @property
    def meetings(self) -> int:
        """How often two known types met, which is how often they could have differed."""
        return self._solver.unifier.met

    def causes(self) -> Counter[str]:
        """How often each cause leaves the type of an expression unknown."""
        found: Counter[str] = Counter()
        for type in self._solver.types:
            top: Type | None = prune(type) if type is not None else None
            if isinstance(top, Var):
                found[top.why or "nothing says it"] += 1
        return found
