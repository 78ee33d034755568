"""What stands around an expression: conditions, comments, attributes, the function."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn.expr_core import ExprCore
from burnlint.rust import context, hir
from burnlint.rust.cfg import Flag
from burnlint.rust.types import PathType
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr

_ATTRIBUTES = re.compile(rb"#\[[^\n]*\]|\b(?:pub(?:\([^)]*\))?|async|const|unsafe)\b")
_TIMED = re.compile(rb"\b(?:Instant|SystemTime|elapsed|Criterion|black_box|b(?:ench|enchmark)\w*)\b|\.sync\(")
_DECIDES = frozenset(
    {"then", "then_some", "or_else", "unwrap_or_else", "get_or_insert_with", "or_insert_with"}
)
"""Methods that run, or take, their argument in some cases only."""


class SurroundingQuestions(ExprCore):
    """What stands around an expression: conditions, comments, attributes, the function."""

    @property
    def around(self) -> Iterator[Expr]:
        """The expressions around it, innermost first."""
        body = self.site.frame.body
        at = body.parents[self.expr.id]
        while at >= 0:
            yield self.inside(body.exprs[at])
            at = body.parents[at]

    @property
    def is_argument(self) -> bool:
        """Whether it is written as an argument of a call, also with `&`."""
        inner = self.expr
        for each in self.around:
            if not isinstance(each.expr, hir.Ref):
                return isinstance(each.expr, hir.Call | hir.MethodCall) and inner in each.expr.args
            inner = each.expr
        return False

    @property
    def leaves_function(self) -> bool:
        """Whether `return` and `?` leave the function around it here, and not only a closure or async block."""
        return not any(
            isinstance(each.expr, hir.Closure)
            or (isinstance(each.expr, hir.Block) and each.expr.kind == "async")
            for each in self.around
        )

    @property
    def returns_result(self) -> bool:
        """Whether the function around it declares to return a Result, and `?` here would leave it."""
        result = self.fn.result
        return isinstance(result, PathType) and result.path.name == "Result" and self.leaves_function

    @property
    def spelt_result(self) -> str:
        """The return type of the function around it, as written; empty where there is none, and where `?` would not
        leave the function."""
        result = self.fn.result
        return self.source.text.decode(*result.span) if result is not None and self.leaves_function else ""

    @property
    def in_branch(self) -> bool:
        """Whether it stands in a branch of an `if`, in an arm of a `match`, behind `&&` or in a closure such as that
        of `then(..)`: something decides whether it runs."""
        return self.in_branch_within(None)

    def in_branch_within(self, outer: hir.Expr | None) -> bool:
        """The same, as far out as to an expression around it, such as a loop."""
        child = self.expr
        for each in self.around:
            e = each.expr
            if e is outer:
                return False
            if (isinstance(e, hir.If) and child is not e.condition) or (
                isinstance(e, hir.Match) and child is not e.scrutinee
            ):
                return True
            if isinstance(e, hir.Binary) and e.op in ("&&", "||") and child is e.right:
                return True
            if isinstance(e, hir.MethodCall) and e.name in _DECIDES and child in e.args:
                return True
            child = e
        return False

    def passed_over_in(self, outer: hir.Expr) -> bool:
        """Whether a `continue` or `return` may pass it over, as far out as to a loop or block around it."""
        start = self.expr.span[0]
        return any(
            isinstance(each, hir.Continue | hir.Return) and each.span[1] <= start
            for each in descendants(outer)
        )

    @property
    def may_be_left_out(self) -> bool:
        """Whether its function may go without it: it stands in a branch, or behind a `continue` or `return`."""
        return self.in_branch or self.passed_over_in(self.site.frame.body.root)

    def asked_around(self) -> Iterator[Expr]:
        """The conditions of the `if`s and `match`es around it, guards included, innermost first."""
        for each in self.around:
            if isinstance(each.expr, hir.If | hir.While):
                yield self.inside(each.expr.condition)
            elif isinstance(each.expr, hir.Match):
                yield self.inside(each.expr.scrutinee)
                yield from (self.inside(arm.guard) for arm in each.expr.arms if arm.guard is not None)

    @property
    def cfg_flags(self) -> set[Flag]:
        """The flags of the `#[cfg(..)]`s on the statements, functions and modules around it."""
        found = set(self.fn.cfg.flags())
        start, end = self.expr.span
        for each in self.around:
            for statement in each.expr.statements if isinstance(each.expr, hir.Block) else ():
                condition = (
                    None if isinstance(statement, hir.ItemStatement) else getattr(statement, "cfg", None)
                )
                if condition is not None and statement.span[0] <= start and end <= statement.span[1]:
                    found |= condition.flags()
        return found

    @property
    def in_test(self) -> bool:
        """Whether it stands in test code."""
        return self.fn.in_test

    def function_spells(self, *words: str) -> bool:
        """Whether the text of the function around it holds one of these words: a test of bytes."""
        start, end = self.fn.span
        return any(self.source.content.find(word.encode(), start, end) >= 0 for word in words)

    @property
    def fn_text(self) -> str:
        """The function around it, as written."""
        return self.source.text.decode(*self.fn.span)

    @property
    def in_timed_code(self) -> bool:
        """Whether the function around it spells what measures time: then a result may be left unread on
        purpose."""
        return _TIMED.search(self.source.content, *self.fn.span) is not None

    @property
    def is_only_tried(self) -> bool:
        """Whether what it gives may be thrown away on purpose: the function around it warms up by its name, or a
        `catch_unwind` around it asks whether it panics."""
        return self.fn.name.startswith("warm") or any(each.name == "catch_unwind" for each in self.around)

    def remarks(self) -> Iterator[context.Remark]:
        """The comments that may be about it: before it in its function with no call of the same name
        between, behind it on its line, and above the function."""
        content = self.source.content
        start, end = self.expr.span
        line_end = content.find(b"\n", end)
        head = self.fn.span[0]
        for remark in self.file.remarks:
            if head <= remark.span[0] and remark.span[1] <= start:
                near = self.name.encode() not in content[remark.span[1] : start]
            elif end <= remark.span[0]:
                near = line_end < 0 or remark.span[0] < line_end
            else:
                between = content[remark.span[1] : head]
                near = remark.span[1] <= head and not _ATTRIBUTES.sub(b"", between).strip()
            if near:
                yield remark
