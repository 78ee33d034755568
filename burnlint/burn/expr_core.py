"""An expression as rules see it: its place, text, type, and what a call runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from burnlint.burn import terms
from burnlint.burn.calls import Target, operands_as_written
from burnlint.burn.values import Site
from burnlint.lint.finding import Edit, Place
from burnlint.rust import context, hir
from burnlint.rust.cfg import Flag
from burnlint.rust.items import Enum, Fn, Struct
from burnlint.rust.source import SourceFile
from burnlint.rust.types import PathType, TypeExpr
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.signature import Signature
    from burnlint.burn.terms import Term
    from burnlint.burn.view import FileView


_ATTRIBUTES = re.compile(rb"#\[[^\n]*\]|\b(?:pub(?:\([^)]*\))?|async|const|unsafe)\b")


_TIMED = re.compile(rb"\b(?:Instant|SystemTime|elapsed|Criterion|black_box|b(?:ench|enchmark)\w*)\b|\.sync\(")


_DECIDES = frozenset(
    {"then", "then_some", "or_else", "unwrap_or_else", "get_or_insert_with", "or_insert_with"}
)
"""Methods that run, or take, their argument in some cases only."""


_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)+", re.DOTALL)


def called_name(e: hir.Expr) -> str:
    """The last name of what a call spells; empty for other expressions."""
    if isinstance(e, hir.MethodCall):
        return e.name
    if isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr):
        return e.callee.path.name
    return ""


@dataclass(frozen=True)
class ExprCore:
    """An expression, in the body that holds it."""

    file: FileView
    site: Site

    @property
    def expr(self) -> hir.Expr:
        return self.site.expr

    def _at(self, site: Site) -> Expr:
        return cast("Expr", type(self)(self.file, site))

    @property
    def _self(self) -> Expr:
        """Itself, as what it always is: the last class of the chain."""
        return cast("Expr", self)

    def inside(self, e: hir.Expr) -> Expr:
        """An expression of the same body."""
        return self._at(Site(e, self.site.frame))

    @property
    def source(self) -> SourceFile:
        """The file that the expression stands in, which may be another one."""
        return self.fn.file

    @property
    def fn(self) -> Fn:
        """The function around it."""
        owner = self.site.frame.body.owner
        assert isinstance(owner, Fn)
        return owner

    def function_spells(self, *words: str) -> bool:
        """Whether the text of the function around it holds one of these words: a test of bytes."""
        start, end = self.fn.span
        return any(self.source.content.find(word.encode(), start, end) >= 0 for word in words)

    @property
    def returns_result(self) -> bool:
        """Whether the function right around it, not a closure, declares to return a Result."""
        result = self.fn.result
        if not isinstance(result, PathType) or result.path.name != "Result":
            return False
        e: hir.Expr | None = self.expr
        body = self.site.frame.body
        while e is not None and not isinstance(e, hir.Closure):
            above = body.parents[e.id]
            e = body.exprs[above] if above >= 0 else None
        return e is None

    @property
    def fn_text(self) -> str:
        """The function around it, as written."""
        return self.source.text.decode(*self.fn.span)

    @property
    def place(self) -> Place:
        """Its place."""
        return Place(self.source.path, *self.expr.span)

    @property
    def name_place(self) -> Place:
        """Of a method call from the method's name to the end; else all of it. What stands before may be many
        lines.
        """
        start, end = self.expr.span
        if isinstance(self.expr, hir.MethodCall):
            start = self.expr.name_span[0]
        return Place(self.source.path, start, end)

    @property
    def call_place(self) -> Place | None:
        """Of a method call from its dot to its end, so that it can be taken out of the chain; None for
        others."""
        if not isinstance(self.expr, hir.MethodCall):
            return None
        return Place(self.source.path, self.expr.receiver.span[1], self.expr.span[1])

    @property
    def end_place(self) -> Place:
        """Where it ends, to insert something."""
        return Place(self.source.path, self.expr.span[1], self.expr.span[1])

    @property
    def method_name(self) -> Place:
        """The name of what is called."""
        e = self.expr
        if isinstance(e, hir.MethodCall):
            return Place(self.source.path, *e.name_span)
        end = e.callee.span[1] if isinstance(e, hir.Call) else e.span[1]
        return Place(self.source.path, end - len(called_name(e).encode()), end)

    @property
    def text(self) -> str:
        """As written."""
        return self.source.text.decode(*self.expr.span)

    @property
    def spelling(self) -> str:
        """As written, on one line and without comments."""
        text = _SPACE.sub(" ", self.text)
        return re.sub(r" ?\. ?", ".", text).strip()

    @property
    def owner(self) -> Expr:
        """Without what only borrows or copies: `model` of `&model` and of `model.clone()`."""
        e = self.expr
        while True:
            if isinstance(e, hir.Ref | hir.Deref):
                e = e.operand
            elif isinstance(e, hir.MethodCall) and e.name == "clone" and not e.args:
                e = e.receiver
            else:
                return self._at(Site(e, self.site.frame))

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

    @property
    def around(self) -> Iterator[Expr]:
        """The expressions around it, innermost first."""
        body = self.site.frame.body
        at = body.parents[self.expr.id]
        while at >= 0:
            yield self.inside(body.exprs[at])
            at = body.parents[at]

    @property
    def spelt_result(self) -> str:
        """The return type of the function around it, as written; empty where there is none, and inside of a closure
        or async block, which `return` and `?` would only leave."""
        result = self.fn.result
        if result is None:
            return ""
        inner = any(
            isinstance(each.expr, hir.Closure)
            or (isinstance(each.expr, hir.Block) and each.expr.kind == "async")
            for each in self.around
        )
        return "" if inner else self.source.text.decode(*result.span)

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

    @property
    def warms_up(self) -> bool:
        """Whether the function around it warms up by its name: what it computes may be thrown away on purpose."""
        return self.fn.name.startswith("warm")

    @property
    def in_timed_code(self) -> bool:
        """Whether the function around it spells what measures time: then a result may be left unread on
        purpose."""
        return _TIMED.search(self.source.content, *self.fn.span) is not None

    @property
    def term(self) -> Term | None:
        """Its type behind references (`burnlint.burn.terms`); None where it is not known."""
        term = terms.peel_refs(self.file.analysis.types(self.site.frame.body).expr(self.expr))
        return None if isinstance(term, terms.Unknown) else term

    @property
    def lacks_method(self) -> bool:
        """Of a method call whether its receiver is a module that is known to have no method of that name."""
        e = self.expr
        if not isinstance(e, hir.MethodCall) or self.target is not None:
            return False
        receiver = self.inside(e.receiver)
        term = receiver.term
        if not receiver.is_module or not isinstance(term, terms.Named | terms.Declared):
            return False
        head = term.name if isinstance(term, terms.Named) else term.item
        assert isinstance(head, str | Struct | Enum)
        return self.file.analysis.world.declared.has_method(head, e.name) is False

    @property
    def target(self) -> Target | None:
        """What a call runs; None where that is not known."""
        return self.file.analysis.values.target(self.site)

    @property
    def signature(self) -> Signature | None:
        """The signature of the function of burn or std that a call runs; None for any other, and where it is not
        known."""
        return self.target.signature if self.target is not None else None

    @property
    def operands(self) -> list[Expr]:
        """Receiver and arguments of a call in one list, whichever way it is written."""
        return [self._at(site) for site in self.file.analysis.values.operands(self.site)]

    @property
    def arity(self) -> int:
        """How many arguments a call is written with, a receiver before the dot not among them."""
        return len(self.expr.args) if isinstance(self.expr, hir.MethodCall | hir.Call) else 0

    @property
    def operands_written(self) -> list[Expr]:
        """The operands of a call as they are written, also where it is not known what it runs."""
        return [self.inside(each) for each in operands_as_written(self.expr)]

    def spells(self, word: str) -> bool:
        """Whether its text holds a word."""
        return (
            re.search(rf"\b{re.escape(word)}\b".encode(), self.source.content[slice(*self.expr.span)])
            is not None
        )

    @property
    def name(self) -> str:
        """The last name of what a call spells."""
        return called_name(self.expr)

    @property
    def turbofish(self) -> list[str]:
        """The names of the types that a call spells after its name: `i64` of `to_vec::<i64>()`."""
        e = self.expr
        written: Sequence[TypeExpr] = ()
        if isinstance(e, hir.MethodCall):
            written = e.generics
        elif isinstance(e, hir.Call) and isinstance(e.callee, hir.PathExpr):
            written = e.callee.path.segments[-1].args
        return [each.path.name for each in written if isinstance(each, PathType)]

    @property
    def key(self) -> str:
        """`Tensor::mean`, `relu`: owner and name of the function of burn that a call runs; empty for any
        other.
        """
        target = self.target
        return target.key if target is not None else ""

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

    @property
    def is_borrowed(self) -> bool:
        """Whether it is written with `&`."""
        return isinstance(self.expr, hir.Ref)

    @property
    def type_name(self) -> str:
        """The name of its type (`i64`, `Linear`); empty where it is not known or has none."""
        term = self.term
        return term.name if isinstance(term, terms.Named) else ""

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
        loose = isinstance(
            self.expr, hir.Unary | hir.Binary | hir.Ref | hir.Deref | hir.Cast | hir.Range | hir.Closure
        )
        text = f"({self.text})" if loose and after.startswith(".") else self.text
        return Edit(self.place, f"{before}{text}{after}")
