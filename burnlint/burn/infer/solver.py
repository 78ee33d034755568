"""Solves the types of one body: walks its lowered form once in the order of rustc's own check, then lets what
had to wait catch up.

A body is solved alone: of other functions only signatures are read. The handlers of the expressions are in
`straight`, `control`, `calls`, `paths`, `operators`; each takes the solver, the expression and the type that
the place asks for (a hint, or None).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from burnlint.burn.infer.model import (
    AUTODIFF,
    NEVER,
    PLAIN,
    UNKNOWN,
    Con,
    Gen,
    Mode,
    Projection,
    Type,
    Var,
    prune,
)
from burnlint.burn.infer.templates import Modes, Sig, match_receiver, substitute
from burnlint.burn.infer.unify import Unifier, default_numbers
from burnlint.rust import hir
from burnlint.rust.items import Fn, Trait

if TYPE_CHECKING:
    from burnlint.burn.infer.convert import Scope
    from burnlint.burn.infer.lookup import Lookup
    from burnlint.burn.signature import GenericParam
    from burnlint.burn.terms import Term
    from burnlint.rust.types import TypeExpr

Goal: TypeAlias = "Callable[[], bool]"
Handler: TypeAlias = "Callable[[Solver, hir.Expr, Type | None], Type]"

RECURSION = 30_000
"""Chains of methods are up to 2,000 links long (`burnlint.rust.lower.MAX_CHAIN`), and a link takes a few
frames."""
MAX_ROUNDS = 20
"""Rounds in which what waits is tried again; each round must bring something."""

HANDLERS: dict[type, Handler] = {}


class Called:
    """What a call names: the signature, the type it was found on, and where the receiver stands."""

    __slots__ = ("method", "owner", "sig")

    def __init__(self, sig: Sig, owner: Type | None, method: bool) -> None:
        self.sig = sig
        self.owner = owner
        self.method = method
        """The receiver stands before the dot; else, if the signature has a self, it is the first argument."""


class Solver:
    """The state of one body."""

    def __init__(self, lookup: Lookup, scope: Scope, body: hir.Body) -> None:
        self.lookup = lookup
        self.resolver = lookup.resolver
        self.index = lookup.index
        self.converter = lookup.index.converter
        self.scope = scope
        self.body = body
        self.types: list[Type | None] = [None] * len(body.exprs)
        self.locals: list[Type] = []
        self.called: dict[int, Called] = {}
        self.unifier = Unifier(self.resolver.old_style, self._reduce, self.known)
        self.unify, self.coerce = self.unifier.unify, self.unifier.coerce
        self.numbers: list[Var] = []
        self._caught_up = (0, 0)
        self.waiting: list[Type] = []
        """Operands and arguments of what is not known yet."""
        self.goals: list[Goal] = []
        self.results: list[Type] = []
        """Result types of the function and the closures around the expression at work."""
        self.loops: list[tuple[str | None, list[Type]]] = []
        self._modes: Modes = {}
        self._unknown_modes: Modes = {"": self.unifier.mode(UNKNOWN)}
        self._bounds: dict[str, list[Con]] = {}

    def solve(self) -> None:
        """Find all types. What stays open is a Var with its cause."""
        limit = sys.getrecursionlimit()
        if limit < RECURSION:
            sys.setrecursionlimit(RECURSION)
        try:
            self._solve()
        finally:
            sys.setrecursionlimit(limit)

    def _solve(self) -> None:
        body, scope = self.body, self.scope
        self.locals = [Var("never bound") for _ in body.locals]
        owner = body.owner
        result: Type = Var()
        if isinstance(owner, Fn):
            if body.self_local is not None:
                self.locals[body.self_local.id] = self._self_type(owner)
            if owner.result is not None:
                result = self.own(self.converter.type(owner.result, scope))
                if isinstance(result, Con) and result.head == "impl":
                    result = Var("a value of an `impl Trait` result")
            else:
                result = Con("()")
        elif owner.type is not None:
            result = self.own(self.converter.type(owner.type, scope))
        from burnlint.burn.infer.patterns import bind

        for pattern, expr in body.params:
            bind(self, pattern, Var("parameter without a type") if expr is None else self.param_type(expr))
        self.results.append(result)
        got = self.check(body.root, result)
        self.coerce(got, result)
        self.catch_up()
        if self.goals:
            # Some are still open: their operands may be anything.
            for type in self.waiting:
                self.undecided(type)
        default_numbers(self.numbers)
        self.catch_up()

    def _self_type(self, owner: Fn) -> Type:
        base = self.scope.self_type
        if base is None:
            return Var("self outside of an impl")
        own = self.own(base)
        if owner.self_mode == "&self":
            return Con("&", (own,))
        if owner.self_mode == "&mut self":
            return Con("&mut", (own,))
        if owner.self_mode == "typed":
            return Var("self with a type") if owner.self_type is None else self.param_type(owner.self_type)
        return own

    def param_type(self, expr: TypeExpr) -> Type:
        """The type of a parameter of this body."""
        return self.own(self.converter.type(expr, self.scope))

    def own(self, template: Type, mode: bool = True) -> Type:
        """A template of this body's own scope: generics stay, backends get their mode.

        From 0.22 on a mode is unknown, or, without `mode`, the one of a value still to come.
        """
        if isinstance(template, Con) and template.ground:
            return template
        modes = self._modes if self.resolver.old_style or not mode else self._unknown_modes
        return substitute(template, {}, modes, self.unifier)

    def field_modes(self, modes: Modes) -> Modes:
        """The modes with which a field's template is read: from 0.22 on a field has one of its own, which is
        unknown."""
        return modes if self.resolver.old_style else {**modes, **self._unknown_modes}

    def of_api(self, term: Term, generics: tuple[GenericParam, ...], owner: Con) -> Type:
        """A term of burn's facts over the generics of a type or trait that a type of the body is an instance
        of."""
        old_style = self.resolver.old_style
        template = self.lookup.compiler.type(term, "B" if old_style else "")
        names = [g.name for g in generics if g.sort != "backend"]
        modes: Modes = {}
        if old_style:
            modes["B"] = owner.mode if isinstance(owner.mode, Mode) else self.unifier.mode(UNKNOWN)
        env = dict(zip(names, owner.args, strict=False))
        return substitute(template, env, self.field_modes(modes), self.unifier)

    def backend(self, mode: str) -> Mode:
        """The mode that a backend as written stands for."""
        if mode in (AUTODIFF, PLAIN, UNKNOWN):
            return self.unifier.mode(mode)
        return self.unifier.mode("generic " + mode if mode else None)

    def written(self, expr: TypeExpr) -> Type:
        """A type as written in the body, at a `let` or in a turbofish: its mode is that of the value."""
        return self.own(self.converter.type(expr, self.scope), False)

    def bounds(self, generic: str) -> list[Con]:
        """The bounds on a generic of this body, as types of the body."""
        found = self._bounds.get(generic)
        if found is None:
            # A bound may itself ask for an associated type of the generic.
            self._bounds[generic] = []
            if generic == "Self" and isinstance(self.scope.owner, Trait):
                found = [Con(self.scope.owner)]
            else:
                found = [
                    b
                    for b in map(self.own, self.converter.bounds_of(generic, self.scope))
                    if isinstance(b, Con)
                ]
            self._bounds[generic] = found
        return found

    def check(self, e: hir.Expr, want: Type | None = None) -> Type:
        """The type of an expression; each is visited once."""
        made: Type
        if isinstance(e, hir.LocalRef):
            made = self.locals[e.local.id]
        else:
            handler = HANDLERS.get(e.__class__)
            made = (
                handler(self, e, want) if handler is not None else Var(f"expression {e.__class__.__name__}")
            )
        self.types[e.id] = made
        self.unifier.place = e.id
        return made

    def number(self, sort: str) -> Var:
        """The type of a number literal without suffix."""
        var = Var("", sort)
        self.numbers.append(var)
        return var

    def undecided(self, type: Type) -> None:
        """A value went where rustc may learn more of it than we do: numbers in it get no default."""
        stack = [type]
        while stack:
            top = prune(stack.pop())
            if isinstance(top, Var):
                if top.sort and not top.why:
                    top.why = "number that an unknown use decides"
            elif isinstance(top, Con) and not top.ground:
                stack.extend(top.args)

    def later(self, goal: Goal) -> None:
        """Try a goal now, and again until it is reached."""
        if not goal():
            self.goals.append(goal)

    def awaited(self, find: Callable[[], Type | None], made: Var) -> Var:
        """`made`, which becomes what `find` gives as soon as that is something."""

        def reach() -> bool:
            late = find()
            if late is not None:
                self.unify(made, late)
            return late is not None

        self.goals.append(reach)
        return made

    def catch_up(self) -> None:
        """Try all that waits until nothing moves."""
        for _ in range(MAX_ROUNDS):
            waiting, self.goals = self.goals, []
            if not waiting:
                return
            left = [goal for goal in waiting if not goal()]
            new = len(self.goals)
            self.goals = left + self.goals
            if len(left) == len(waiting) and not new:
                return

    def known(self, type: Type) -> Type:
        """The type with its top known if anything that waits can tell it."""
        type = prune(type)
        if isinstance(type, Var) and self.goals and self._caught_up != (self.unifier.bound, len(self.goals)):
            self.catch_up()
            self._caught_up = self.unifier.bound, len(self.goals)
            type = prune(type)
        return type

    def peeled(self, type: Type) -> Type:
        """The type without references, its top known if possible."""
        type = self.known(type)
        while isinstance(type, Con) and (type.head == "&" or type.head == "&mut"):
            type = self.known(type.args[0])
        return type

    def variables(self, sig: Sig, names: tuple[str, ...]) -> dict[str, Type]:
        """A variable for each generic of a signature that a use leaves open."""
        open_ = sig.open
        if open_:
            return {
                n: Var(f"generic of {sig.name} that only a bound tells" if n in open_ else "") for n in names
            }
        return {n: Var() for n in names}

    def modes_of(self, sig: Sig) -> Modes:
        """New modes for those that a signature names."""
        if not sig.modes:
            return {}
        value = sig.requires or None
        return {name: self.unifier.mode(value) for name in sig.modes}

    def project(self, head: Projection, base: Type) -> Type | None:
        """An associated type of a type of the body; None while the type is open or where nothing says it."""
        base = prune(base)
        if isinstance(base, Con):
            return self._projected_con(head, base)
        if isinstance(base, Gen):
            for bound in self.bounds(base.name):
                for arg in bound.args:
                    if isinstance(arg, Con) and arg.head == "=" + head.name:
                        return arg.args[0]
        return None

    def _projected_con(self, head: Projection, base: Con) -> Type | None:
        target = base
        while target.head in ("&", "&mut"):
            inner = prune(target.args[0])
            if not isinstance(inner, Con):
                return None
            target = inner
        if isinstance(target.head, str) and not target.args and target is base:
            known = self.resolver.impls.projection(target.head, head.trait, head.name)
            if known is not None:
                return self.own(known)
        found = []
        for self_type, template, scope in self.index.associated(target.head, head.trait, head.name):
            by_ref = isinstance(self_type, Con) and self_type.head in ("&", "&mut")
            if by_ref == (target is not base) and match_receiver(self_type, base):
                found.append((self_type, template, scope))
        if len(found) != 1:
            return None
        self_type, template, scope = found[0]
        env: dict[str, Type] = {
            name: Var() for name, info in scope.generics.items() if info.sort != "backend"
        }
        modes = {info.mode: self.unifier.mode() for info in scope.generics.values() if info.mode}
        self.unify(substitute(self_type, env, modes, self.unifier), base)
        return substitute(template, env, modes, self.unifier)

    def _reduce(self, head: Projection, base: Type) -> Type:
        """An associated type in a template that was just instantiated."""
        found = self.project(head, base)
        if found is not None:
            return found
        if not isinstance(prune(base), Var):
            return Con(head, (base,))
        return self.awaited(lambda: self.project(head, base), Var(f"associated type {head.name}"))

    def diverges(self, type: Type) -> bool:
        return prune(type) is NEVER
