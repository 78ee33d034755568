"""From the syntax of one function to its lowered body (`burnlint.rust.hir`): the walk, its scopes, its
limits.

The handlers of the single node types are in `lower_expr`, `lower_control`, `lower_pattern` and `lower_macro`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from tree_sitter import Node

from burnlint.rust import hir, lower_chain, lower_control, lower_expr, lower_macro, lower_pattern
from burnlint.rust.hir import NEW
from burnlint.rust.items import Const, Fn
from burnlint.rust.macros import MACROS, MacroTable
from burnlint.rust.typesyntax import read_type

if TYPE_CHECKING:
    from burnlint.rust.source import SourceFile
    from burnlint.rust.types import Span, TypeExpr

E = TypeVar("E", bound=hir.Expr)

MAX_NESTING = 100
"""Expressions and patterns nested deeper than this are `Unknown`; links of a chain do not count. Real code
has some 30."""


def body_of(owner: Fn | Const, macros: MacroTable | None = None) -> hir.Body:
    """The lowered body of a function, or the value of a constant; lowered once and kept with the file.

    `macros` says how the arguments of macros read beyond those of `burnlint.rust.macros`; the first call for
    a body decides. What has no body gets an empty block.
    """
    bodies = owner.file.bodies
    body = bodies.get(owner)
    if body is None:
        body = bodies[owner] = _lower(owner, {**MACROS, **macros} if macros else MACROS)
    return body


def _lower(owner: Fn | Const, macros: MacroTable) -> hir.Body:
    node = owner.node()
    low = Lowering(owner.file, macros, node.has_error)
    self_local: hir.Local | None = None
    params: list[tuple[hir.Pattern, TypeExpr | None]] = []
    parameters = node.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        kind = child.type
        if kind == "self_parameter":
            mutable = not low.text(child).startswith("&") and "mut " in low.text(child)
            self_local = low.bind("self", _self_span(child), mutable=mutable)
        elif kind == "parameter":
            pattern, type_ = child.child_by_field_name("pattern"), child.child_by_field_name("type")
            if pattern is not None and pattern.type == "self":
                mutable = any(part.type == "mutable_specifier" for part in child.children)
                self_local = low.bind("self", _self_span(child), mutable=mutable)
            elif pattern is not None:
                read = read_type(low.content, type_) if type_ is not None else None
                params.append((lower_pattern.mark_mutable(child, low.pattern(pattern)), read))
    body = node.child_by_field_name("value" if isinstance(owner, Const) else "body")
    if body is None:
        root: hir.Expr = low.add(hir.Block(NEW, owner.span, [], None))
    else:
        root = low.expr(body)
    return hir.Body(owner, params, self_local, root, low.exprs, low.locals)


def _self_span(node: Node) -> Span:
    span = next(((child.start_byte, child.end_byte) for child in node.children if child.type == "self"), None)
    return span or (node.start_byte, node.end_byte)


class Lowering:
    """The state of lowering one body: what was made so far, and which names are locals here."""

    def __init__(self, file: SourceFile, macros: MacroTable, broken: bool) -> None:
        self.file = file
        self.content = file.content
        self.macros = macros
        self.broken = broken
        """Whether there are ERROR nodes to look out for."""
        self.exprs: list[hir.Expr] = []
        self.locals: list[hir.Local] = []
        self.depth = 0
        self.refutable = False
        """Whether a capitalised name in a pattern may be a constant."""
        self.alternatives: dict[str, hir.Local] | None = None
        """Within an or-pattern, the locals that it binds so far."""
        self.scope: dict[str, hir.Local] = {}
        """The locals that names stand for here; changed by `bind` and `leave`."""
        self._undo: list[tuple[str, hir.Local | None]] = []

    def add(self, e: E) -> E:
        """Give a new expression its id."""
        e.id = len(self.exprs)
        self.exprs.append(e)
        return e

    def text(self, node: Node) -> str:
        return self.content[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def expr(self, node: Node) -> hir.Expr:
        """The expression that a node spells."""
        return self.expr_of(node, node.type)

    def expr_of(self, node: Node, kind: str) -> hir.Expr:
        """The expression that a node of a certain type spells."""
        if self.broken and kind not in _HOLD_ERRORS and self.is_broken(node):
            return self.unknown(node, "missing" if node.is_missing else "syntax error")
        handler = _EXPRESSIONS.get(kind)
        if handler is None:
            return self.unknown(node, "syntax error" if kind == "ERROR" else f"syntax {kind}")
        depth = self.depth
        if depth >= MAX_NESTING:
            return self.unknown(node, "too deep")
        self.depth = depth + 1
        e = handler(self, node)
        self.depth = depth
        return e

    def is_broken(self, node: Node) -> bool:
        """Whether the parser added the node, or found an error directly in it."""
        return (
            self.broken
            and node.has_error
            and (node.is_missing or any(child.is_error for child in node.children))
        )

    def child(self, node: Node, field: str) -> hir.Expr:
        """The expression in a field of a node; Unknown if broken code lacks it."""
        child = node.child_by_field_name(field)
        return self.expr(child) if child is not None else self.unknown(node, "missing")

    def pattern(self, node: Node) -> hir.Pattern:
        """The pattern that a node spells; its names are locals from here on."""
        if self.depth >= MAX_NESTING:
            return self.unknown_pattern(node)
        self.depth += 1
        pattern = lower_pattern.lower(self, node)
        self.depth -= 1
        return pattern

    def refutable_pattern(self, node: Node) -> hir.Pattern:
        """A pattern that need not match, so that a capitalised name may be a constant."""
        before, self.refutable = self.refutable, True
        pattern = self.pattern(node)
        self.refutable = before
        return pattern

    def unknown(self, node: Node, why: str) -> hir.Expr:
        """What is not understood, with the locals that it mentions."""
        args: list[hir.Expr] = [] if node.is_missing else self.mentioned(node)
        return self.add(hir.Unknown(NEW, (node.start_byte, node.end_byte), args, why))

    def unknown_pattern(self, node: Node) -> hir.Pattern:
        """A pattern that is not understood; each lower-case name in it may be bound by it."""
        bound = [
            self.bind(name, span)
            for name, span in lower_macro.names_in(self.content, node)
            if name[0].islower() and name != "self"
        ]
        return hir.UnknownPat((node.start_byte, node.end_byte), bound)

    def mentioned(self, node: Node) -> list[hir.Expr]:
        """References to the locals whose names stand anywhere in a node."""
        refs: list[hir.Expr] = []
        for name, span in lower_macro.names_in(self.content, node):
            local = self.scope.get(name)
            if local is not None:
                refs.append(self.add(hir.LocalRef(NEW, span, local)))
        return refs

    def bind(self, name: str, span: Span, mutable: bool = False, by_ref: bool = False) -> hir.Local:
        """Make a local, or find it again in a further alternative of an or-pattern."""
        if self.alternatives is not None and name in self.alternatives:
            return self.alternatives[name]
        local = hir.Local(len(self.locals), name, span, mutable, by_ref)
        self.locals.append(local)
        self._undo.append((name, self.scope.get(name)))
        self.scope[name] = local
        if self.alternatives is not None:
            self.alternatives[name] = local
        return local

    def mark(self) -> int:
        """The current scope, for `leave`."""
        return len(self._undo)

    def leave(self, mark: int) -> None:
        """Forget what was bound since `mark`."""
        while len(self._undo) > mark:
            name, before = self._undo.pop()
            if before is None:
                del self.scope[name]
            else:
                self.scope[name] = before

    def declares(self, name: str) -> bool:
        """Whether the file declares a constant, struct or variant of that name, which a pattern may mean."""
        names = self.file.items.constants
        return name in names if self.refutable else name in names and names[name]

    def redefines(self, macro: str) -> bool:
        """Whether the file has a macro of its own with that name."""
        return macro in self.file.items.macros


_HOLD_ERRORS = frozenset(
    {
        "block",
        "unsafe_block",
        "async_block",
        "gen_block",
        "try_block",
        "const_block",
        "match_expression",
        "macro_invocation",
        *lower_chain.HANDLERS,
    }
)
"""Node types that look after the ERROR nodes in them by themselves."""


_EXPRESSIONS: dict[str, Callable[[Lowering, Node], hir.Expr]] = {
    **lower_expr.HANDLERS,
    **lower_chain.HANDLERS,
    **lower_control.HANDLERS,
    "macro_invocation": lower_macro.lower,
}
