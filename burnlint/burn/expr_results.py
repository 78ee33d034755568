"""Questions about results: what takes a value, throws it or its error away, keeps it, asks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import rebinding, terms
from burnlint.burn.calls import called_name
from burnlint.burn.carriers import may_keep
from burnlint.burn.expr_values import ValueQuestions
from burnlint.burn.results import error_ignored, result_ignored
from burnlint.lint.finding import Edit, Place
from burnlint.rust import hir
from burnlint.rust.flow_defs import root_of
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr

_IGNORED = re.compile(r"let\s+_\s*=\s*")
_ASSERTS = frozenset({"assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"})
_ASKS = frozenset({"is_ok", "is_err", "is_ok_and", "is_err_and", "or_else"})
COLLECTS = frozenset({"push", "push_back", "push_front", "insert", "replace"})
"""Methods of std's collections, cells and options that keep an argument."""


class ResultQuestions(ValueQuestions):
    """Questions about results: what takes a value, throws it or its error away, keeps it, asks for it."""

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
            # A function that runs it may measure or warm up.
            kinds = {
                call.dropped if call.site.frame is self.site.frame else None
                for call in self.inside(around).closure_calls
            }
            return kinds.pop() if len(kinds) == 1 else None
        if isinstance(around, hir.Call) and called_name(around) == "drop" and len(around.args) == 1:
            return "ignored"
        return None

    @property
    def outermost(self) -> Expr:
        """The outermost expression that has its value: behind blocks, branches, and functions of the workspace that
        give back what they are given."""
        at = self._self
        while True:
            sink = self.flow.sink(at.expr)
            at = self.inside(sink.value)
            around = self.inside(sink.role.holder) if sink.role.holder is not None else at
            name = called_name(around.expr) if sink.kind == "argument" else ""
            # A test of bytes spares the types.
            if not name or not self.file.analysis.spells(f"fn {name}"):
                return at
            if not around.runs_in_sight or not around.same_as(at):
                return at
            at = around

    @property
    def only_name(self) -> hir.Local | None:
        """The name that a `let` binds it to as it is and that nothing else is ever bound to."""
        sink = self.flow.sink(self.expr)
        let = sink.role.statement
        if sink.kind != "bound" or let is None or let.otherwise is not None:
            return None
        local = let.pattern.local if isinstance(let.pattern, hir.Bind) and let.pattern.sub is None else None
        return local if local is not None and self.flow.only_definition(local) is not None else None

    def outlives(self, other: Expr) -> bool:
        """Whether the value may still be read, or is handed on, after another expression of the function has
        run; of a value that a loop makes anew in each round, whether it leaves its round."""
        loop = self.loop
        if loop is None:
            return self.lives_beyond(other)
        order = self.flow.order
        for reach in self.reaches():
            if reach.kind in ("returned", "stored", "captured"):
                return True
            kept = reach.kind == "operand" and reach.index > 0 and self.at(reach.site).name in COLLECTS
            same = reach.use.frame is self.site.frame
            if kept or (same and all(scope is not loop for scope in order.loops_of(reach.use.expr))):
                return True
        return False

    def lives_beyond(self, other: Expr) -> bool:
        """Whether the value may still be read, or is handed on, after another expression of the function."""
        order = self.flow.order
        for reach in self.reaches():
            if reach.kind in ("returned", "stored", "captured", "unknown"):
                return True
            same = reach.use.frame is other.site.frame
            if reach.kind not in ("dropped", "ignored") and (
                not same or order.may_follow(other.expr, reach.use.expr)
            ):
                return True
        return False

    @property
    def used(self) -> bool:
        """Whether anything may read the value at all."""
        return any(
            reach.kind not in ("dropped", "ignored") and not reach.followed for reach in self.reaches()
        )

    @property
    def kept(self) -> bool:
        """Whether something may keep the value: it is moved into a call, stored, returned, or not known to
        be only borrowed.
        """
        return any(reach.kind == "returned" or may_keep(self._self, reach) for reach in self.reaches())

    @property
    def outlived_by(self) -> Expr | None:
        """Of a call that works on a value and gives a new one the place that keeps the old one: what its chain starts
        with, or what that is a copy of. None where nothing is known to."""
        start = self.chain_start
        if start.lives_on:
            return start
        origin = start.origins().must
        for hop in origin.hop or () if origin is not None and not origin.steps else ():
            held = start.at(hop.site).copied if hop.kind == "clone" else None
            if held is not None and self._is_read_after(held.owner):
                return held.owner
        return None

    def _is_read_after(self, place: Expr) -> bool:
        """Whether a place may be read once this has run, in its function or by whoever lent it."""
        root, order = root_of(place.expr), self.flow.order
        if root is None or place.site.frame is not self.site.frame:
            return False
        return place.is_reference or any(
            order.may_follow(self.expr, use) for use in self.flow.uses_of(root.local)
        )

    @property
    def is_copy_of_lent(self) -> bool:
        """Whether the chain of a call starts with a copy of what is lent to the function: `model.clone().train()`."""
        start = self.chain_start
        return start.is_place and start.is_reference

    @property
    def result_ignored(self) -> bool:
        """Of a call that gives a Result whether nobody looks into its `Ok`, whatever is done with an error."""
        return result_ignored(self._self)

    def assigned_to(self, place: Expr) -> Edit | None:
        """Of a call whose result a statement drops an edit that assigns it to a place; None where the types
        differ or the place is not declared `mut`."""
        sink = self.flow.dropped(self.expr)
        target = self._target(place, sink.value) if sink is not None else None
        if target is None or sink is None or rebinding.declared_mut(place) != []:
            return None
        return Edit(Place(self.source.path, sink.value.span[0], sink.value.span[0]), target)

    @property
    def without_let(self) -> Edit | None:
        """Of a call whose result `let _ =` throws away an edit that leaves the `let _ =` out; None for anything else."""
        sink = self.flow.sink(self.expr)
        let = sink.role.statement
        if sink.kind != "ignored" or let is None or sink.value is not self.expr or let.cfg is not None:
            return None
        before = Place(self.source.path, let.span[0], self.expr.span[0])
        plain = _IGNORED.fullmatch(self.source.text.decode(before.start, before.end))
        return Edit(before, "") if plain is not None else None

    def kept_in(self, place: Expr) -> list[Edit | None]:
        """Of a call that stands alone in a statement, or in a `let`, edits that assign its result to a place, and declare
        that `mut` where it is not; [None] where the types differ, the place cannot be assigned to or is not read again,
        or what follows in the block would mean another value."""
        if not (place.lives_on and self.leaves_function):
            return [None]
        start = rebinding.replaced_start(self._self, place)
        target = self._target(place, self.expr)
        declared = rebinding.declared_mut(place)
        if start is None or target is None or declared is None:
            return [None]
        return [*declared, Edit(Place(self.source.path, start, self.expr.span[0]), target)]

    def _target(self, place: Expr, value: hir.Expr) -> str | None:
        """What to write before a value to assign it to a place; None where the types differ."""
        root = root_of(place.expr)
        if root is None or self.term is None:
            return None
        types = self.file.analysis.types(self.site.frame.body)
        if types.expr(value) != place.term:
            return None
        star = "*" if root is place.expr and isinstance(types.expr(root), terms.Ref) else ""
        return f"{star}{place.text} = "

    @property
    def error_ignored(self) -> bool:
        """Whether the error of a `Result` is thrown away unread: by a statement, `let _ =`, `drop(..)`, a name that
        nothing reads, or `.ok()` and the like whose own value is thrown away."""
        return error_ignored(self._self)

    @property
    def closure_calls(self) -> list[Expr]:
        """Of a closure the calls that run it, if they are all; empty where something else may run it too."""
        reaches = [
            each
            for each in self.reaches()
            if each.kind not in ("dropped", "ignored", "cloned") and not each.followed
        ]
        return [self.at(each.site) for each in reaches] if all(r.kind == "called" for r in reaches) else []

    @property
    def error_tested(self) -> bool:
        """Whether something is decided by a `Result` being an error: by `match`, `if let`, `is_ok()`, `is_err()`, `or_else(..)`."""
        for reach in self.reaches():
            asked = self.at(reach.site).name
            if reach.kind == "tested" or (reach.kind == "operand" and reach.index == 0 and asked in _ASKS):
                return True
        return False

    @property
    def is_expected_none(self) -> bool:
        """Of an `Option` whether `is_none()` is what is asked of it: nothing may be meant to be there."""
        sink = self.flow.sink(self.expr)
        asked = sink.role.holder
        return sink.kind == "receiver" and isinstance(asked, hir.MethodCall) and asked.name == "is_none"

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
