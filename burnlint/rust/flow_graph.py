"""The control-flow graph of a body: basic blocks of uses and definitions, in Rust's order of evaluation."""

from __future__ import annotations

from dataclasses import dataclass, field

from burnlint.rust import hir
from burnlint.rust.flow_defs import Definition

NEXT, BACK, ERROR, ONWARD, ENDLESS = range(5)
"""Kinds of edges: plain; back to a loop's head; the error exit of `?`; from the end of a round past its loop
(stands in for BACK where rounds are not told apart); out of a loop without an exit (so that every path has
an end)."""


@dataclass(slots=True, eq=False)
class Scope:
    """What can run again or later: a loop, a closure, an async block. `outer` is the one around it."""

    id: int
    expr: hir.Expr
    kind: str
    """for, while, loop, closure or async."""
    outer: Scope | None
    repeats: bool | None
    """Whether more than one round is meant; None: not known (a closure)."""
    deferred: bool
    """Whether it may run after the expression around it is done."""

    def within(self, other: Scope) -> bool:
        at: Scope | None = self
        while at is not None:
            if at is other:
                return True
            at = at.outer
        return False


@dataclass(slots=True, eq=False)
class Graph:
    """Blocks are numbered; block 0 is the entry, block 1 the exit. Events are read places (ids of LocalRef)
    and definitions."""

    events: list[list[int | Definition]] = field(default_factory=list)
    edges: list[list[tuple[int, int, Scope | None]]] = field(default_factory=list)
    """For each block (target, kind, scope of a BACK edge)."""
    definitions: list[Definition] = field(default_factory=list)
    at: list[tuple[int, int]] = field(default_factory=list)
    """For each expression the block and the count at which its value is there; (-1, 0) where it was not
    seen."""
    scopes: list[Scope | None] = field(default_factory=list)
    """For each expression the innermost scope that holds it."""
    breaks: dict[int, list[hir.Break]] = field(default_factory=dict)
    """The breaks with a value, by the id of their loop or block."""
    def_scopes: list[Scope | None] = field(default_factory=list)
    reads: set[int] = field(default_factory=set)
    """Ids of the LocalRefs that are read, not only written."""
