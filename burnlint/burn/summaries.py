"""What a function of the workspace does, seen from its callers: which operations it may run, and what it
leaves alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from burnlint.burn.calls import Target, TypeFacts
from burnlint.rust import hir
from burnlint.rust.flow import Flow
from burnlint.rust.flow_defs import root_of
from burnlint.rust.items import Fn, Trait

MAX_FUNCTIONS = 500
"""Functions that one closure of calls may hold; more is unknown."""


class Bodies(Protocol):
    """What summaries ask of the workspace."""

    def body(self, fn: Fn) -> hir.Body | None:
        """The body of a function."""

    def facts(self, body: hir.Body) -> TypeFacts:
        """The types of a body."""

    def flow(self, body: hir.Body) -> Flow:
        """The flow of a body."""


@dataclass(slots=True, frozen=True)
class Calls:
    """The calls in a piece of code itself: of functions of the workspace, of burn (`Target.key`), and what is
    not known."""

    local: tuple[tuple[hir.Expr, Fn], ...] = ()
    burn: tuple[tuple[hir.Expr, Target], ...] = ()
    unknown: tuple[tuple[hir.Expr, str], ...] = ()
    """Expressions of which it is not known what they run, with the reason."""


class Summaries:
    """Summaries of functions, each computed once; recursion is found by the calls alone, so the order of
    questions is of no matter."""

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._calls: dict[int, Calls] = {}
        self._recursive: dict[Fn, bool] = {}
        self._keeps: dict[tuple[Fn, int], bool] = {}

    def calls(self, body: hir.Body) -> Calls:
        """The calls in a body, those in its closures included."""
        if id(body) not in self._calls:
            self._calls[id(body)] = calls_in(body.exprs, self._bodies.facts(body))
        return self._calls[id(body)]

    def reachable(self, start: Fn) -> tuple[list[Fn], bool]:
        """The functions of the workspace that a function may run, itself first, and whether that is all of
        them."""
        seen, todo = {start: None}, [start]
        while todo:
            body = self._bodies.body(todo.pop())
            if body is None:
                continue
            for _, fn in self.calls(body).local:
                if fn not in seen:
                    if len(seen) >= MAX_FUNCTIONS:
                        return list(seen), False
                    seen[fn] = None
                    todo.append(fn)
        return list(seen), True

    def recursive(self, fn: Fn) -> bool:
        """Whether a function may call itself, through others too."""
        if fn not in self._recursive:
            body = self._bodies.body(fn)
            callees = [callee for _, callee in self.calls(body).local] if body is not None else []
            self._recursive[fn] = any(fn in self.reachable(callee)[0] for callee in dict.fromkeys(callees))
        return self._recursive[fn]

    def keeps(self, fn: Fn, operand: int) -> bool:
        """Whether a function certainly leaves unchanged what its operand (receiver first) refers to.

        Certain if the operand is no `&mut`, or nothing in the body changes its place or hands it on mutably.
        """
        key = (fn, operand)
        if key not in self._keeps:
            self._keeps[key] = self._leaves_alone(fn, operand)
        return self._keeps[key]

    def _leaves_alone(self, fn: Fn, operand: int) -> bool:
        body = self._bodies.body(fn)
        if body is None or isinstance(fn.owner, Trait) or self.recursive(fn):
            return False
        flow = self._bodies.flow(body)
        method = body.self_local is not None
        local = body.self_local if method and operand == 0 else None
        for d in flow.definitions:
            if d.kind == "param" and d.index + method == operand:
                if d.steps or local is not None:
                    return False
                local = d.place.local
        if local is None:
            return False
        if any(d.place.local is local and d.kind not in ("self", "param") for d in flow.definitions):
            return False
        # Bound to another name, returned or stored, the reference may be written through there.
        return all(self._only_read(flow, e) for e in flow.uses_of(local))

    def _only_read(self, flow: Flow, e: hir.Expr) -> bool:
        root = root_of(e)
        if root is None:
            return False
        sink = flow.sink(e)
        return (
            sink.kind == "receiver"
            or (sink.kind == "operand" and not isinstance(sink.role.holder, hir.Ref | hir.Deref))
            or (sink.kind == "item" and isinstance(sink.role.holder, hir.Macro) and sink.role.holder.borrows)
            or (sink.kind == "argument")
        )


def calls_in(exprs: Iterable[hir.Expr], facts: TypeFacts) -> Calls:
    """The calls among some expressions of a body."""
    local: list[tuple[hir.Expr, Fn]] = []
    burn: list[tuple[hir.Expr, Target]] = []
    unknown: list[tuple[hir.Expr, str]] = []
    for e in exprs:
        if isinstance(e, hir.Macro):
            if e.form == "opaque":
                unknown.append((e, f"the macro {e.path}!"))
        elif isinstance(e, hir.Unknown):
            if e.why != "cfg alternatives":
                unknown.append((e, e.why))
        elif isinstance(e, hir.Call | hir.MethodCall | hir.Binary | hir.Unary | hir.AssignOp):
            target = facts.target(e)
            if target is None:
                if isinstance(e, hir.Call | hir.MethodCall):
                    unknown.append((e, _named(e)))
            elif target.fn is not None:
                local.append((e, target.fn))
            elif target.signature is not None:
                burn.append((e, target))
    return Calls(tuple(local), tuple(burn), tuple(unknown))


def _named(e: hir.Call | hir.MethodCall) -> str:
    if isinstance(e, hir.MethodCall):
        return f"the method {e.name}"
    return f"the function {e.callee.path}" if isinstance(e.callee, hir.PathExpr) else "a call of a value"
