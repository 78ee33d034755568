"""What becomes of the value inside a Result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.values_origins import SAME_PAYLOAD
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.values import Reach, Site

_ASKS_ONLY = frozenset({"is_ok", "is_err", "err", "unwrap_err", "expect_err"})
"""Methods of Result that say nothing of what is inside of `Ok`."""


def result_ignored(call: Expr) -> bool:
    """Whether nobody looks into the `Ok` of what a call gives: it is thrown away, after `?`, `unwrap`,
    `map_err` or a match whose arms do not bind it."""

    def passes(site: Site, operand: int) -> bool:
        return _name(site) in SAME_PAYLOAD and operand == 0

    return all(_throws_away(reach) for reach in call.reaches(passes))


def _throws_away(reach: Reach) -> bool:
    if reach.kind in ("dropped", "ignored", "tested"):
        return True
    asks = _name(reach.site) in _ASKS_ONLY or _name(reach.site) in SAME_PAYLOAD
    return (reach.kind == "operand" and reach.index == 0 and asks) or _is_drop(reach)


def _is_drop(reach: Reach) -> bool:
    e = reach.site.expr
    return isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr) and e.callee.path.name == "drop"


def _name(site: Site) -> str:
    return site.expr.name if isinstance(site.expr, hir.MethodCall) else ""
