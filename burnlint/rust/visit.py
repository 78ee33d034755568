"""The expressions directly inside of an expression, and what follows from that: parents and descendants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from burnlint.rust import hir


def children(e: hir.Expr) -> list[hir.Expr]:
    """The expressions directly inside `e`, in source order; those of its statements, arms and guards
    count."""
    read = _CHILDREN.get(type(e))
    return [child for child in read(e) if child is not None] if read is not None else []


def parents(exprs: Sequence[hir.Expr]) -> list[int]:
    """For each expression of a body, by id, the id of the one around it; -1 for the root."""
    found = [-1] * len(exprs)
    for e in exprs:
        read = _CHILDREN.get(type(e))
        if read is not None:
            for child in read(e):
                if child is not None:
                    found[child.id] = e.id
    return found


def descendants(e: hir.Expr) -> Iterator[hir.Expr]:
    """`e` and all expressions inside of it, outer before inner, in source order."""
    stack = [e]
    while stack:
        at = stack.pop()
        yield at
        stack.extend(reversed(children(at)))


def locals_in(pattern: hir.Pattern) -> list[hir.Local]:
    """The locals that a pattern binds, each once, in source order."""
    found: dict[hir.Local, None] = {}
    stack = [pattern]
    while stack:
        at = stack.pop()
        if isinstance(at, hir.Bind):
            found[at.local] = None
            if at.sub is not None:
                stack.append(at.sub)
        elif isinstance(at, hir.UnknownPat):
            found.update(dict.fromkeys(at.locals))
        elif isinstance(at, hir.RefPat):
            stack.append(at.inner)
        elif isinstance(at, hir.StructPat):
            stack.extend(inner for _, inner in reversed(at.fields))
        elif isinstance(at, (hir.TuplePat, hir.SlicePat, hir.TupleStructPat, hir.OrPat)):
            stack.extend(reversed(at.items))
    return list(found)


_Children = Sequence["hir.Expr | None"]


def _items(e: Any) -> _Children:
    return e.items  # type: ignore[no-any-return]


def _args(e: Any) -> _Children:
    return e.args  # type: ignore[no-any-return]


def _operand(e: Any) -> _Children:
    return (e.operand,)


def _value(e: Any) -> _Children:
    return (e.value,)


def _body(e: Any) -> _Children:
    return (e.body,)


def _block(e: hir.Block) -> _Children:
    found: list[hir.Expr | None] = []
    for statement in e.statements:
        if isinstance(statement, hir.ExprStatement):
            found.append(statement.expr)
        elif isinstance(statement, hir.Let):
            found.append(statement.init)
            found.append(statement.otherwise)
    found.append(e.tail)
    return found


def _match(e: hir.Match) -> _Children:
    found: list[hir.Expr | None] = [e.scrutinee]
    for arm in e.arms:
        found.append(arm.guard)
        found.append(arm.body)
    return found


_CHILDREN: dict[type[hir.Expr], Callable[[Any], _Children]] = {
    hir.Call: lambda e: [e.callee, *e.args],
    hir.MethodCall: lambda e: [e.receiver, *e.args],
    hir.Field: lambda e: (e.base,),
    hir.Index: lambda e: (e.base, e.index),
    hir.Unary: _operand,
    hir.Deref: _operand,
    hir.Ref: _operand,
    hir.Binary: lambda e: (e.left, e.right),
    hir.Assign: lambda e: (e.target, e.value),
    hir.AssignOp: lambda e: (e.target, e.value),
    hir.Cast: _operand,
    hir.Try: _operand,
    hir.Await: _operand,
    hir.Tuple: _items,
    hir.Array: _items,
    hir.Repeat: lambda e: (e.item, e.length),
    hir.StructLit: lambda e: [*(init.value for init in e.fields), e.base],
    hir.Range: lambda e: (e.low, e.high),
    hir.Block: _block,
    hir.If: lambda e: (e.condition, e.then, e.otherwise),
    hir.LetCond: _value,
    hir.Match: _match,
    hir.Loop: _body,
    hir.While: lambda e: (e.condition, e.body),
    hir.For: lambda e: (e.iterable, e.body),
    hir.Closure: _body,
    hir.Return: _value,
    hir.Break: _value,
    hir.Macro: _args,
    hir.Unknown: _args,
}
