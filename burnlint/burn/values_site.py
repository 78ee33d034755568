"""Places of values across bodies: an expression in a body, as called from another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from burnlint.burn.calls import Target, TypeFacts
from burnlint.burn.terms import Ref, Term
from burnlint.rust import hir
from burnlint.rust.flow import Flow, Step
from burnlint.rust.items import Fn

MAX_FRAMES = 6
"""How deep calls of package functions are followed; deeper is unknown."""


@dataclass(slots=True, eq=False)
class Frame:
    """One activation of a body: looked at on its own (`call` None), or as run by a call in another frame.

    The frame of a closure has the body that holds it, and `outer`, the frame in which it was made.
    """

    body: hir.Body
    call: Site | None = None
    depth: int = 0
    closure: hir.Closure | None = None
    outer: Frame | None = None
    _inner: dict[tuple[hir.Expr, object], Frame] = field(default_factory=dict)

    def enter(self, call: hir.Expr, body: hir.Body) -> Frame:
        """The frame of `body` as run by `call` in this one; the same object each time."""
        key = (call, body)
        if key not in self._inner:
            self._inner[key] = Frame(body, Site(call, self), self.depth + 1)
        return self._inner[key]

    def run(self, call: hir.Expr, made: Site) -> Frame:
        """The frame of the closure made at `made`, as run by `call` in this one."""
        assert isinstance(made.expr, hir.Closure)
        key = (call, made)
        if key not in self._inner:
            self._inner[key] = Frame(made.frame.body, Site(call, self), self.depth + 1, made.expr, made.frame)
        return self._inner[key]

    def home_of(self, expr: hir.Expr) -> Frame:
        """The frame that runs an expression of the body: of what a closure captures, the one around it."""
        frame = self
        while frame.outer is not None and frame.closure is not None:
            start, end = frame.closure.span
            if start <= expr.span[0] and expr.span[1] <= end:
                break
            frame = frame.outer
        return frame


class Site(NamedTuple):
    """An expression of a body in a frame."""

    expr: hir.Expr
    frame: Frame

    @property
    def order(self) -> tuple[tuple[str, hir.Span], ...]:
        """A key to sort sites by: file and place, then those of the calls that led there."""
        out, at = [], self
        while True:
            out.append((at.frame.body.owner.file.path, at.expr.span))
            if at.frame.call is None:
                return tuple(out)
            at = at.frame.call


class World(Protocol):
    """What values ask of the workspace. Answers must not depend on what was asked before."""

    def flow(self, body: hir.Body) -> Flow:
        """The flow of a body."""

    def facts(self, body: hir.Body) -> TypeFacts:
        """The types of a body."""

    def callee_body(self, target: Target | None) -> hir.Body | None:
        """The body that a call runs, if it is one of the workspace, unconditional and not part of a
        recursion."""

    def keeps(self, fn: Fn, operand: int) -> bool:
        """Whether a function certainly leaves unchanged what its operand (receiver first) refers to."""


@dataclass(slots=True, eq=False)
class Hop:
    """One step on the way of a value, for labels; iterating gives it and those before.

    `kind`: "bound" (to the place `name`), "changed" (in place), "clone", "passed" (as an argument),
    "returned" (by a function of the package), "payload" (out of `Some` or `Ok`), "element" (of what is
    indexed or looped over), "carried" (perhaps from an earlier round of a loop). `span` lies in the file of
    the body of `site`.
    """

    kind: str
    site: Site
    span: hir.Span
    name: str = ""
    prev: Hop | None = None

    def __iter__(self) -> Iterator[Hop]:
        at: Hop | None = self
        while at is not None:
            yield at
            at = at.prev


PAYLOAD = Step("payload")
"""Into the value of `Some` or `Ok`."""


def normal(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Steps without the difference between `?`, `unwrap()` and a pattern `Some(x)`."""
    return tuple(
        PAYLOAD if s.kind == "field" and s.path is not None and s.path.name in ("Some", "Ok") else s
        for s in steps
    )


def term_of(world: World, site: Site) -> Term | None:
    """The type of a site behind references; None where it is not known."""
    term = world.facts(site.frame.body).term(site.expr)
    while isinstance(term, Ref):
        term = term.target
    return term
