"""Which expressions of a body are certainly plain values (numbers, truth values, text), told from its syntax.

Whoever looks for operators on other types can leave those between plain values alone before anybody asks what
types they have. Only what needs no name but that of a primitive type is seen; what is not seen is not plain.
"""

from __future__ import annotations

from burnlint.rust import digits, hir
from burnlint.rust.prelude import PRIMITIVES
from burnlint.rust.types import PathType, TypeExpr

_COMPARES = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})


def plain(body: hir.Body) -> list[bool]:
    """For each expression, by id, whether it is certainly a plain value."""
    bound = _bound(body)
    found = [False] * len(body.exprs)
    for e in body.exprs:
        kind = type(e)
        if kind is hir.LocalRef:
            by = bound.get(e.local)  # type: ignore[attr-defined]
            found[e.id] = by is True or (isinstance(by, hir.Expr) and by.id < e.id and found[by.id])
        elif kind is hir.Literal:
            found[e.id] = True
        elif kind is hir.Cast:
            found[e.id] = _is_primitive(e.type)  # type: ignore[attr-defined]
        elif kind is hir.Binary:
            assert isinstance(e, hir.Binary)
            found[e.id] = e.op in _COMPARES or (found[e.left.id] and found[e.right.id])
        elif kind is hir.Unary:
            found[e.id] = found[e.operand.id]  # type: ignore[attr-defined]
    return found


def _bound(body: hir.Body) -> dict[hir.Local, hir.Expr | bool]:
    """What binds the locals of a body that a pattern binds whole: True for what is plain by a written type or as
    an element of a range, else the value."""
    bound: dict[hir.Local, hir.Expr | bool] = {}
    for pattern, type_ in body.params:
        if isinstance(pattern, hir.Bind) and pattern.sub is None and _is_primitive(type_):
            bound[pattern.local] = True
    for block in body.of(hir.Block):
        for statement in block.statements:
            if isinstance(statement, hir.Let) and isinstance(statement.pattern, hir.Bind):
                by = True if _is_primitive(statement.type) else statement.init
                if by is not None and statement.pattern.sub is None:
                    bound[statement.pattern.local] = by
    for loop in body.of(hir.For):
        if isinstance(loop.iterable, hir.Range) and isinstance(loop.pattern, hir.Bind):
            bound[loop.pattern.local] = True
    return bound


def _is_primitive(written: TypeExpr | None) -> bool:
    if not isinstance(written, PathType):
        return False
    segments = written.path.segments
    return len(segments) == 1 and segments[0].name in PRIMITIVES and not segments[0].args


def ahead(low: hir.Expr, high: hir.Expr) -> int | None:
    """By how much `high` is ahead of `low`, where both are spelt with the same local: 1 for `t` and `t + 1`."""
    if not isinstance(low, hir.LocalRef):
        return None
    by: int | None = 0
    if isinstance(high, hir.Binary):
        step = high.right
        if high.op != "+" or not isinstance(step, hir.Literal):
            return None
        high, by = high.left, digits.number(step.text)
    return by if isinstance(high, hir.LocalRef) and high.local is low.local else None
