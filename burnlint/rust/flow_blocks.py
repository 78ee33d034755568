"""A control-flow graph under construction: its current block, what is defined and changed in it, and where
jumps go."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeAlias

from burnlint.rust import hir
from burnlint.rust.flow_defs import Definition, Place, bindings, root_place
from burnlint.rust.flow_graph import BACK, ERROR, NEXT, ONWARD, Graph, Scope
from burnlint.rust.flow_roles import Role

Walk: TypeAlias = Generator[hir.Expr, None, None]
"""The evaluation of one expression: yields the expressions it evaluates, in order, and acts on the blocks in
between."""


@dataclass(slots=True)
class Target:
    """Where break and continue go."""

    label: str | None
    loop: hir.Expr
    scope: Scope | None
    """None for a labelled block."""
    head: int
    after: int
    breaks: bool = False


@dataclass(slots=True)
class Exit:
    """Where return and `?` go: the function's end, or the next round of a closure."""

    block: int
    scope: Scope | None
    after: int


class Blocks:
    """The state of building the graph of one body."""

    def __init__(
        self,
        body: hir.Body,
        roles: list[Role | None],
        may_change: Callable[[hir.MethodCall, Place], bool],
        is_reference: Callable[[hir.Local], bool],
    ) -> None:
        self.roles = roles
        self.may_change = may_change
        """Whether a method call may change its receiver, which lies in that place."""
        self.is_reference = is_reference
        """Whether a local may hold a `&mut` reference."""
        self.graph = Graph(at=[(-1, 0)] * len(body.exprs), scopes=[None] * len(body.exprs))
        self.block, self.exit = self.new(), self.new()
        self.count = 0
        self.scope: Scope | None = None
        self.scope_count = 0
        self.targets: list[Target] = []
        self.exits = [Exit(self.exit, None, self.exit)]

    def new(self, *sources: int) -> int:
        self.graph.events.append([])
        self.graph.edges.append([])
        new = len(self.graph.edges) - 1
        for source in sources:
            self.link(source, new)
        return new

    def link(self, source: int, target: int, kind: int = NEXT, scope: Scope | None = None) -> None:
        self.graph.edges[source].append((target, kind, scope))

    def define(self, kind: str, place: Place, span: hir.Span, **more: Any) -> None:
        definition = Definition(len(self.graph.definitions), kind, place, span, **more)
        self.graph.definitions.append(definition)
        self.graph.def_scopes.append(self.scope)
        self.graph.events[self.block].append(definition)

    def bind(
        self, kind: str, pattern: hir.Pattern, value: hir.Expr | None, expr: hir.Expr | None, **more: Any
    ) -> None:
        """Define what a pattern binds. A name that several alternatives bind has as many definitions, none
        of which ends another."""
        first = more.pop("first", ())
        seen = set()
        for local, span, steps in bindings(pattern):
            more["weak"] = local in seen
            seen.add(local)
            self.define(kind, Place(local), span, value=value, steps=(*first, *steps), expr=expr, **more)
        if seen and value is not None:
            self._lend(value, seen)

    def _lend(self, value: hir.Expr, locals: set[hir.Local]) -> None:
        """A pattern that binds parts of what a place holds by `&mut` lends the place: whoever has the part
        may change it."""
        lent = isinstance(value, hir.LocalRef) and self.is_reference(value.local)
        if lent or any(local.by_ref and local.mutable for local in locals):
            self.changed(value, value, 0)

    def changed(self, part: hir.Expr, expr: hir.Expr, index: int) -> None:
        """Something may have changed what `part` spells."""
        root = root_place(part)
        if root is not None:
            place, into = root
            self.define("modified", place, expr.span, expr=expr, index=index, into=into, weak=bool(into))

    def end(self, e: hir.Expr) -> None:
        """The value of `e` is there now (once only: what diverges has its place before the jump)."""
        if self.graph.at[e.id][0] < 0:
            self.count += 1
            self.graph.at[e.id] = (self.block, self.count)

    def jump(self, target: int, scope: Scope | None, after: int, kind: int = NEXT) -> None:
        """From here to `target`, which is the head of `scope` if that is given."""
        if scope is None:
            self.link(self.block, target, kind)
        else:
            self.link(self.block, target, BACK, scope)
            self.link(self.block, after, ONWARD)

    def may_return(self) -> None:
        """On an error the function, closure or try block ends here; else it goes on."""
        to = self.exits[-1]
        self.jump(to.block, to.scope, to.after, ERROR if to.block == self.exit else NEXT)
        self.block = self.new(self.block)

    def diverge(self, e: hir.Expr) -> None:
        """Nothing comes after `e`."""
        self.end(e)
        self.block = self.new()

    def read(self, e: hir.LocalRef) -> None:
        self.graph.reads.add(e.id)
        self.graph.events[self.block].append(e.id)

    def passed(self, args: list[hir.Expr], e: hir.Expr) -> None:
        """What a call may change through its arguments: `&mut x`, and `x` where that is a `&mut` reference
        itself."""
        for index, arg in enumerate(args):
            if isinstance(arg, hir.Ref):
                if arg.mutable:
                    self.changed(arg, e, index)
            elif isinstance(arg, hir.LocalRef) and self.is_reference(arg.local):
                self.changed(arg, e, index)

    def opaque(self, e: hir.Macro | hir.Unknown) -> None:
        # Even a binding that is not `mut`: the macro may bind the name anew.
        for index, arg in enumerate(e.args):
            self.changed(arg, e, index)
