"""Edits that rewrite an expression."""

from __future__ import annotations

from burnlint.burn.expr_around import SurroundingQuestions
from burnlint.lint.finding import Edit
from burnlint.rust import hir


class Rewriting(SurroundingQuestions):
    """Edits that rewrite an expression."""

    def literal_with(self, old: str, new: str) -> Edit | None:
        """Of a string literal an edit that replaces what stands in it exactly once; None for anything else."""
        if not isinstance(self.expr, hir.Literal) or self.text.count(old) != 1:
            return None
        return Edit(self.place, self.text.replace(old, new))

    def owned_copy(self) -> Edit:
        """An edit that clones what a reference refers to."""
        behind = self.inside(self.expr.operand) if isinstance(self.expr, hir.Ref) else self
        return Edit(self.place, behind.wrapped("", ".clone()").text)

    def value_of_parameter(self) -> Edit:
        """An edit that takes the tensor out of a `Param`, or of what a reference to one refers to."""
        behind = self.inside(self.expr.operand) if isinstance(self.expr, hir.Ref) else self
        return Edit(self.place, behind.wrapped("", ".val()").text)

    def replaced(self, text: str) -> Edit:
        """An edit that puts an operator expression in its place, with parentheses where something binds to
        it."""
        parents = self.site.frame.body.parents
        around = parents[self.expr.id]
        outer = self.site.frame.body.exprs[around] if around >= 0 else None
        if isinstance(outer, hir.Binary | hir.Unary | hir.MethodCall | hir.Cast | hir.Field | hir.Try):
            text = f"({text})"
        return Edit(self.place, text)

    def renamed(self, call: str) -> Edit:
        """An edit that calls another method of the receiver instead, arguments included."""
        if isinstance(self.expr, hir.MethodCall):
            return Edit(self.name_place, call)
        return Edit(self.place, self.operands[0].wrapped("", f".{call}").text)

    def wrapped(self, before: str, after: str) -> Edit:
        """An edit that puts something around it, with parentheses where a method would bind to a part of
        it.
        """
        return Edit(self.place, self._wrapped(self.text, before, after))

    def wrapped_with(self, part: Edit, after: str) -> Edit:
        """An edit that changes a part of it and puts something behind it, with parentheses like `wrapped`."""
        decode, (start, end) = self.source.text.decode, self.expr.span
        text = decode(start, part.place.start) + part.text + decode(part.place.end, end)
        return Edit(self.place, self._wrapped(text, "", after))

    def _wrapped(self, text: str, before: str, after: str) -> str:
        loose = isinstance(
            self.expr, hir.Unary | hir.Binary | hir.Ref | hir.Deref | hir.Cast | hir.Range | hir.Closure
        )
        return f"{before}({text}){after}" if loose and after.startswith(".") else f"{before}{text}{after}"
