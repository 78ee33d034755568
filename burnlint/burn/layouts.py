"""Which modules hold a Linear whose weight is stored as `[out, in]` (`LinearLayout::Col`).

Source: burn-nn 0.22.1, src/modules/linear.rs: `LinearConfig::with_layout`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.rust import hir
from burnlint.rust.items import Fn, Impl, Struct
from burnlint.rust.types import PathType, TypeExpr

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr


def col_layout(module: Expr) -> tuple[Expr, bool] | None:
    """The call that sets the layout of a Linear in a module to Col, and whether it is certainly one of this
    value's: the value is a Linear made so. Else it is one in a function that returns such modules. None: no
    such call in sight."""
    if not module.file.package_spells("LinearLayout::Col"):
        return None
    for made in module.derived_by():
        if _sets_col(made):
            return made, True
    item = module.term.item if isinstance(module.term, terms.Declared) else None
    if not isinstance(item, Struct):
        return None
    for view in module.file.around():
        for call in view.calls("with_layout"):
            if not call.in_test and _sets_col(call) and _makes(call.fn, item):
                return call, False
    return None


def _sets_col(call: Expr) -> bool:
    given = call.operands[-1].expr if call.name == "with_layout" and call.operands else None
    return isinstance(given, hir.PathExpr) and call.source.own_name(given.path.name) == "Col"


def _makes(fn: Fn, item: Struct) -> bool:
    """Whether a function declares to return such a struct."""
    result = fn.result
    while (
        isinstance(result, PathType)
        and result.path.name in ("Result", "Option")
        and result.path.segments[-1].args
    ):
        result = result.path.segments[-1].args[0]
    if _name(result) == "Self":
        return isinstance(fn.owner, Impl) and _name(fn.owner.self_type) == item.name
    return _name(result) == item.name


def _name(written: TypeExpr | None) -> str:
    return written.path.name if isinstance(written, PathType) else ""
