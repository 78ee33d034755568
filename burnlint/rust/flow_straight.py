"""Evaluation of expressions without control flow of their own: calls, operators, literals, assignments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burnlint.rust import hir
from burnlint.rust.flow_blocks import Blocks, Walk
from burnlint.rust.flow_defs import Step, root_place

MAY_RETURN = frozenset({"bail", "ensure", "ensure_eq", "ready", "try"})
"""Macros that leave the function on some condition. An opaque macro may do so too."""


def _operand(b: Blocks, e: hir.Unary | hir.Deref | hir.Cast | hir.Await) -> Walk:
    yield e.operand


def _field(b: Blocks, e: hir.Field) -> Walk:
    yield e.base


def _ref(b: Blocks, e: hir.Ref) -> Walk:
    yield e.operand
    role = b.roles[e.id]
    in_call = role is not None and (role.kind == "argument" or isinstance(role.holder, hir.Macro))
    # What is passed to a call is changed when the call is done, not before.
    if e.mutable and not in_call:
        b.changed(e, e, 0)


def _items(b: Blocks, e: hir.Tuple | hir.Array) -> Walk:
    yield from e.items


def _repeat(b: Blocks, e: hir.Repeat) -> Walk:
    yield e.item
    yield e.length


def _index(b: Blocks, e: hir.Index) -> Walk:
    yield e.base
    yield e.index


def _range(b: Blocks, e: hir.Range) -> Walk:
    if e.low is not None:
        yield e.low
    if e.high is not None:
        yield e.high


def _struct(b: Blocks, e: hir.StructLit) -> Walk:
    for init in e.fields:
        yield init.value
    if e.base is not None:
        yield e.base


def _call(b: Blocks, e: hir.Call) -> Walk:
    yield e.callee
    yield from e.args
    b.passed(e.args, e)


def _method(b: Blocks, e: hir.MethodCall) -> Walk:
    yield e.receiver
    yield from e.args
    b.passed(e.args, e)
    root = root_place(e.receiver)
    if root is not None and b.may_change(e, root[0]):
        b.changed(e.receiver, e, -1)


def _macro(b: Blocks, e: hir.Macro) -> Walk:
    yield from e.args
    if e.form == "opaque":
        b.opaque(e)
    elif not e.borrows:
        b.passed(e.args, e)
    if e.form == "opaque" or e.path.name in MAY_RETURN:
        b.may_return()
    if e.diverges:
        b.diverge(e)


def _unknown(b: Blocks, e: hir.Unknown) -> Walk:
    if e.why == "cfg alternatives":
        before, ends = b.block, []
        for arg in e.args:
            b.block = b.new(before)
            yield arg
            ends.append(b.block)
        b.block = b.new(*ends)
        return
    yield from e.args
    b.opaque(e)


def _assign(b: Blocks, e: hir.Assign) -> Walk:
    yield e.value
    yield from _target(b, e.target)
    _assigned(b, e.target, e)


def _target(b: Blocks, target: hir.Expr) -> Walk:
    """Evaluate the operands of an assignment's target; the place itself is not read."""
    pending = [target]
    while pending:
        at = pending.pop()
        b.graph.scopes[at.id] = b.scope
        if isinstance(at, hir.Tuple | hir.Array):
            pending.extend(reversed(at.items))
        elif isinstance(at, hir.Field):
            pending.append(at.base)
        elif isinstance(at, hir.Deref | hir.Ref):
            pending.append(at.operand)
        elif isinstance(at, hir.Index):
            pending.append(at.base)
            yield at.index
        elif isinstance(at, hir.LocalRef):
            b.graph.events[b.block].append(at.id)
        elif isinstance(at, hir.StructLit):
            pending.extend(init.value for init in at.fields)
        elif isinstance(at, hir.Call):
            pending.extend(reversed(at.args))
        else:
            yield at
        b.end(at)


def _assigned(b: Blocks, target: hir.Expr, e: hir.Assign) -> None:
    pending: list[tuple[hir.Expr, tuple[Step, ...]]] = [(target, ())]
    while pending:
        at, steps = pending.pop()
        if isinstance(at, hir.Tuple):
            pending.extend((item, (*steps, Step("field", str(n)))) for n, item in enumerate(at.items))
        elif isinstance(at, hir.Array):
            pending.extend((item, (*steps, Step("element", str(n)))) for n, item in enumerate(at.items))
        elif isinstance(at, hir.StructLit):
            pending.extend((f.value, (*steps, Step("field", f.name, at.path))) for f in at.fields)
        elif isinstance(at, hir.Call) and isinstance(at.callee, hir.PathExpr):
            path = at.callee.path
            pending.extend((item, (*steps, Step("field", str(n), path))) for n, item in enumerate(at.args))
        else:
            _stored(b, "assign", at, e, e.value, steps)


def _stored(
    b: Blocks, kind: str, target: hir.Expr, e: hir.Expr, value: hir.Expr, steps: tuple[Step, ...] = ()
) -> None:
    root = root_place(target)
    if root is not None:
        place, into = root
        b.define(kind, place, target.span, value=value, steps=steps, expr=e, into=into, weak=bool(into))
        return
    # `*x.slot() = value`: whoever lent the slot has changed.
    while isinstance(target, hir.Field | hir.Index | hir.Deref | hir.MethodCall):
        if isinstance(target, hir.MethodCall):
            b.changed(target.receiver, e, -1)
            target = target.receiver
        elif isinstance(target, hir.Deref):
            target = target.operand
        else:
            target = target.base


def _assign_op(b: Blocks, e: hir.AssignOp) -> Walk:
    yield e.value
    yield e.target
    _stored(b, "assign_op", e.target, e, e)


VISITS: dict[type[hir.Expr], Callable[[Blocks, Any], Walk]] = {
    hir.Unary: _operand,
    hir.Deref: _operand,
    hir.Cast: _operand,
    hir.Await: _operand,
    hir.Field: _field,
    hir.Ref: _ref,
    hir.Tuple: _items,
    hir.Array: _items,
    hir.Repeat: _repeat,
    hir.Index: _index,
    hir.Range: _range,
    hir.StructLit: _struct,
    hir.Call: _call,
    hir.MethodCall: _method,
    hir.Macro: _macro,
    hir.Unknown: _unknown,
    hir.Assign: _assign,
    hir.AssignOp: _assign_op,
}
