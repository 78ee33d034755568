"""Builds the control-flow graph of a body in one walk, without recursion."""

from __future__ import annotations

from collections.abc import Callable

from burnlint.rust import flow_control, flow_straight, hir
from burnlint.rust.flow_blocks import Blocks, Walk
from burnlint.rust.flow_defs import Place
from burnlint.rust.flow_graph import Graph
from burnlint.rust.flow_roles import Role

_VISITS = flow_straight.VISITS | flow_control.VISITS


def build(
    body: hir.Body,
    roles: list[Role | None],
    may_change: Callable[[hir.MethodCall, Place], bool],
    is_reference: Callable[[hir.Local], bool],
) -> Graph:
    """The graph of a body.

    `may_change(call, place)` says whether a method call may change its receiver, which lies in `place`;
    `is_reference(local)` whether a local may hold a `&mut` reference, so that passing it on lends what it
    refers to.
    """
    b = Blocks(body, roles, may_change, is_reference)
    if body.self_local is not None:
        b.define("self", Place(body.self_local), body.self_local.span)
    for index, (pattern, _) in enumerate(body.params):
        b.bind("param", pattern, None, None, index=index)
    _evaluate(b, body.root)
    b.link(b.block, b.exit)
    return b.graph


def _evaluate(b: Blocks, root: hir.Expr) -> None:
    stack: list[tuple[hir.Expr, Walk]] = []
    at: hir.Expr | None = root
    while True:
        if at is not None:
            b.graph.scopes[at.id] = b.scope
            visit = _VISITS.get(type(at))
            if visit is not None:
                stack.append((at, visit(b, at)))
            else:
                if isinstance(at, hir.LocalRef):
                    b.read(at)
                b.end(at)
        if not stack:
            return
        at = next(stack[-1][1], None)
        if at is None:
            b.end(stack.pop()[0])
