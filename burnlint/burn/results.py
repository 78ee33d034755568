"""What becomes of the value inside a Result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.values_origins import SAME_PAYLOAD
from burnlint.rust import hir
from burnlint.rust.visit import descendants, locals_in

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.values import Reach, Site

_ASKS_ONLY = frozenset({"is_ok", "is_err", "err", "unwrap_err", "expect_err"})
"""Methods of Result that say nothing of what is inside of `Ok`."""
_SWALLOWS = frozenset({"ok", "unwrap_or", "unwrap_or_default", "unwrap_or_else"})
"""Methods of Result that leave nothing of an error but that there was one."""


def result_ignored(call: Expr) -> bool:
    """Whether nobody looks into the `Ok` of what a call gives: it is thrown away, after `?`, `unwrap`,
    `map_err` or a match whose arms do not bind it."""

    def passes(site: Site, operand: int) -> bool:
        return _name(site) in SAME_PAYLOAD and operand == 0

    return not _is_taken_apart(call) and all(_throws_away(reach) for reach in call.reaches(passes))


def error_ignored(call: Expr) -> bool:
    """Whether nobody looks at the error of what a call gives: whoever gets the `Result` throws it away."""

    def passes(site: Site, operand: int) -> bool:
        return _swallows(site) and operand == 0

    reaches = call.reaches(passes, whole=True)
    if not reaches:
        return call.flow.sink(call.expr).kind == "bound"
    return all(
        reach.kind in ("dropped", "ignored")
        or reach.followed
        or _is_drop(reach)
        or (reach.kind == "operand" and reach.index == 0 and _swallows(reach.site))
        for reach in reaches
    )


def _swallows(site: Site) -> bool:
    e = site.expr
    return isinstance(e, hir.MethodCall) and e.name in _SWALLOWS and not any(map(_does_something, e.args))


def _does_something(handler: hir.Expr) -> bool:
    """Whether what is run for an error does more than to give a value: it may tell of it."""
    inside = descendants(handler) if isinstance(handler, hir.Closure | hir.PathExpr) else ()
    return any(
        isinstance(e, hir.Macro | hir.Call | hir.MethodCall | hir.Return | hir.PathExpr) for e in inside
    )


def _is_taken_apart(call: Expr) -> bool:
    """Whether a pattern binds a part of what is inside of `Ok`: `let Report { missing, .. } = load()?`."""
    e: hir.Expr = call.expr
    while True:
        role = call.flow.sink(e).role
        holder = role.holder
        if isinstance(holder, hir.Try) or (
            isinstance(holder, hir.MethodCall) and holder.name in SAME_PAYLOAD
        ):
            e = holder
            continue
        patterns: list[hir.Pattern] = []
        if isinstance(role.statement, hir.Let):
            patterns.append(role.statement.pattern)
        elif isinstance(holder, hir.Match) and role.kind == "scrutinee":
            patterns += [arm.pattern for arm in holder.arms]
        elif isinstance(holder, hir.LetCond):
            patterns.append(holder.pattern)
        return any(map(_binds_a_part, patterns))


def _binds_a_part(pattern: hir.Pattern) -> bool:
    if isinstance(pattern, hir.TupleStructPat | hir.TuplePat | hir.OrPat):
        return any(map(_binds_a_part, pattern.items))
    return isinstance(pattern, hir.StructPat) and bool(locals_in(pattern))


def _throws_away(reach: Reach) -> bool:
    if reach.kind in ("dropped", "ignored", "tested"):
        return True
    asks = _name(reach.site) in _ASKS_ONLY or _name(reach.site) in SAME_PAYLOAD
    return (reach.kind == "operand" and reach.index == 0 and asks) or reach.followed or _is_drop(reach)


def _is_drop(reach: Reach) -> bool:
    e = reach.site.expr
    return isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr) and e.callee.path.name == "drop"


def _name(site: Site) -> str:
    return site.expr.name if isinstance(site.expr, hir.MethodCall) else ""
