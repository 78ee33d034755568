"""Questions about results: what throws a value or its error away, what keeps it, what asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.burn.calls import called_name
from burnlint.burn.carriers import may_keep
from burnlint.burn.expr_values import ValueQuestions
from burnlint.burn.results import result_ignored
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir
from burnlint.rust.flow_defs import root_of
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr

_ASSERTS = frozenset({"assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"})
_ASKS = frozenset({"is_ok", "is_err", "is_ok_and", "is_err_and", "or_else"})
_SWALLOWS = frozenset({"ok", "unwrap_or", "unwrap_or_default", "unwrap_or_else"})


class ResultQuestions(ValueQuestions):
    """Questions about results: what throws a value or its error away, what keeps it, what asks for it."""

    @property
    def dropped(self) -> str | None:
        """How the value is thrown away: "dropped" by a statement, "ignored" by `let _ =`, `_ =` or
        `drop(..)`, also by all who call the closure that gives it; None if it is not."""
        sink = self.flow.dropped(self.expr)
        if sink is not None:
            return sink.kind
        sink = self.flow.sink(self.expr)
        around = sink.role.holder
        if sink.kind == "returned" and isinstance(around, hir.Closure):
            kinds = {reach.kind for reach in self.reaches()}
            return kinds.pop() if kinds in ({"dropped"}, {"ignored"}) else None
        if isinstance(around, hir.Call) and called_name(around) == "drop" and len(around.args) == 1:
            return "ignored"
        return None

    @property
    def used(self) -> bool:
        """Whether anything may read the value at all."""
        return any(reach.kind not in ("dropped", "ignored") for reach in self.reaches())

    @property
    def kept(self) -> bool:
        """Whether something may keep the value: it is moved into a call, stored, returned, or not known to
        be only borrowed.
        """
        return any(reach.kind == "returned" or may_keep(self._self, reach) for reach in self.reaches())

    @property
    def result_ignored(self) -> bool:
        """Of a call that gives a Result whether nobody looks into its `Ok`, whatever is done with an error."""
        return result_ignored(self._self)

    def assigned_to(self, place: Expr) -> Edit | None:
        """Of a call whose result a statement drops an edit that assigns it to a place; None where the types
        differ or the place is not declared `mut`."""
        root, sink = root_of(place.expr), self.flow.dropped(self.expr)
        if root is None or sink is None or self.term is None:
            return None
        types = self.file.analysis.types(self.site.frame.body)
        behind = types.expr(root)
        lent = isinstance(behind, terms.Ref)
        if not (behind.mutable if isinstance(behind, terms.Ref) else root.local.mutable):
            return None
        given, held = types.expr(sink.value), place.term
        if given != held:
            return None
        star = "*" if lent and root is place.expr else ""
        start = sink.value.span[0]
        return Edit(Place(self.source.path, start, start), f"{star}{place.text} = ")

    @property
    def error_ignored(self) -> bool:
        """Whether the error of a `Result` is thrown away unread: by a statement, `let _ =`, `drop(..)`, a name that
        nothing reads, or `.ok()` and the like whose own value is thrown away."""
        e: hir.Expr = self.expr
        while True:
            sink = self.flow.sink(e)
            holder = sink.role.holder
            if sink.kind == "receiver" and isinstance(holder, hir.MethodCall) and holder.name in _SWALLOWS:
                if any(map(_does_something, holder.args)):
                    return False
                e = holder
                continue
            at = self.inside(e)
            if sink.kind in ("dropped", "ignored"):
                return True
            if sink.kind == "argument":
                return at.dropped == "ignored"
            return sink.kind == "bound" and not at.used

    @property
    def error_tested(self) -> bool:
        """Whether something is decided by a `Result` being an error: by `match`, `if let`, `is_ok()`, `is_err()`, `or_else(..)`."""
        for reach in self.reaches():
            asked = self.at(reach.site).name
            if reach.kind == "tested" or (reach.kind == "operand" and reach.index == 0 and asked in _ASKS):
                return True
        return False

    def compared_with(self) -> Iterator[Expr]:
        """What the value is compared with for equality in its function: by `==`, `!=`, or an assertion of them."""
        for reach in self.reaches():
            if reach.use.frame is not self.site.frame:
                continue
            at = self.at(reach.site)
            e = at.expr
            sides = [e.left, e.right] if isinstance(e, hir.Binary) and e.op in ("==", "!=") else []
            if isinstance(e, hir.Macro) and e.path.name in _ASSERTS:
                sides = e.args[:2]
            if len(sides) == 2:
                mine = next((n for n, side in enumerate(sides) if reach.use.expr in descendants(side)), None)
                if mine is not None:
                    yield at.inside(sides[1 - mine])

    @property
    def is_compared(self) -> bool:
        """Whether it is written as a side of `==` or `!=`."""
        for each in self.around:
            if not isinstance(each.expr, hir.Ref):
                return isinstance(each.expr, hir.Binary) and each.expr.op in ("==", "!=")
        return False


def _does_something(handler: hir.Expr) -> bool:
    """Whether what is run for an error does more than to give a value: it may tell of it."""
    inside = descendants(handler) if isinstance(handler, hir.Closure | hir.PathExpr) else ()
    return any(
        isinstance(e, hir.Macro | hir.Call | hir.MethodCall | hir.Return | hir.PathExpr) for e in inside
    )
