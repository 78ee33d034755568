"""An expression as rules see it: its place, text, type, and what a call runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from burnlint.burn import terms
from burnlint.burn.calls import Target, called_name, name_of_called, operands_as_written
from burnlint.burn.values import Site
from burnlint.lint.finding import Place
from burnlint.rust import hir
from burnlint.rust.items import Enum, Fn, Struct
from burnlint.rust.source import SourceFile
from burnlint.rust.types import PathType, TypeExpr

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.signature import Signature
    from burnlint.burn.terms import Term
    from burnlint.burn.view import FileView


_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)+", re.DOTALL)


def on_one_line(code: str) -> str:
    """Code on one line and without comments."""
    return re.sub(r" ?\. ?", ".", _SPACE.sub(" ", code)).strip()


@dataclass(unsafe_hash=True)  # Frozen it would take twice as long to make, and rules make them all the time.
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
        return on_one_line(self.text)

    @property
    def owner(self) -> Expr:
        """Without what only borrows or copies: `model` of `&model`, of `model.clone()` and of `{ model }`."""
        e = self.expr
        while True:
            if isinstance(e, hir.Ref | hir.Deref):
                e = e.operand
            elif isinstance(e, hir.MethodCall) and e.name == "clone" and not e.args:
                e = e.receiver
            elif isinstance(e, hir.Block) and e.kind == "plain" and e.tail is not None and not e.statements:
                e = e.tail
            else:
                return self._at(Site(e, self.site.frame))

    @cached_property
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

    @cached_property
    def operands(self) -> list[Expr]:
        """Receiver and arguments of a call in one list, whichever way it is written, also where it is not known
        what it runs."""
        return [self.inside(each) for each in operands_as_written(self.expr)]

    @property
    def arity(self) -> int:
        """How many arguments a call is written with, a receiver before the dot not among them."""
        return len(self.expr.args) if isinstance(self.expr, hir.MethodCall | hir.Call) else 0

    def spells(self, word: str) -> bool:
        """Whether its text holds a word, or a name that an import gives to what is called so."""
        return self.source.holds(re.compile(rf"\b{re.escape(word)}\b".encode()), self.expr.span)

    @property
    def name(self) -> str:
        """The last name of what a call spells; of what an import gave another name, its own."""
        return name_of_called(self.expr, self.source)

    @property
    def operator(self) -> str:
        """Of a binary operator its sign (`*` of `*=` too); empty for anything else."""
        return self.expr.op if isinstance(self.expr, hir.Binary | hir.AssignOp) else ""

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

    @property
    def is_borrowed(self) -> bool:
        """Whether it is written with `&`."""
        return isinstance(self.expr, hir.Ref)

    @property
    def type_name(self) -> str:
        """The name of its type (`i64`, `Linear`); empty where it is not known or has none."""
        term = self.term
        return term.name if isinstance(term, terms.Named) else ""
