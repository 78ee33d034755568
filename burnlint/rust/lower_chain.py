"""Lowering of chains: method calls, calls, fields, indices, `?`, `.await`, casts and operators that nest to
the left.

A chain may be thousands of links long, so it is unrolled to its innermost operand and built up from there in
a loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from burnlint.rust import hir
from burnlint.rust.hir import NEW
from burnlint.rust.lower_expr import elements, lowered_elements, span_of
from burnlint.rust.parser import field_id
from burnlint.rust.typesyntax import name_of, read_type, types_in

if TYPE_CHECKING:
    from burnlint.rust.lower import Lowering
    from burnlint.rust.types import TypeExpr

_FUNCTION, _ARGUMENTS, _VALUE, _FIELD, _LEFT, _OPERATOR, _RIGHT = map(
    field_id, ("function", "arguments", "value", "field", "left", "operator", "right")
)

MAX_CHAIN = 2000
"""Chains with more links begin with an `Unknown`."""


def lower(low: Lowering, node: Node) -> hir.Expr:
    """The expression of a node that may be the last link of a chain."""
    links: list[tuple[Node, str, Node | None]] = []
    at, kind = node, node.type
    while kind in _LINKS and len(links) < MAX_CHAIN and not (low.broken and low.is_broken(at)):
        inner, access = _inner(at, kind)
        if inner is None:
            break
        links.append((at, kind, access))
        at, kind = inner, inner.type
    broken_out = None
    if kind == "break_expression" and links and not _behind_break(at):
        # The grammar takes `break (a).b()` for `(break)(a).b()`, and `break -a` for a difference.
        first, kind, _ = links.pop()
        broken_out, e = at, _first_operand(low, first, kind)
        start = first.children[1].start_byte
    elif kind not in _LINKS:
        e = low.expr_of(at, kind)
    else:
        e = low.unknown(at, "too deep" if len(links) == MAX_CHAIN else "syntax error")
    for link, kind, access in reversed(links):
        e = _LINKS[kind](low, link, e) if access is None else _method(low, link, access, e)
        if broken_out is not None:
            e.span = (start, e.span[1])
    if broken_out is not None:
        label = next((low.text(child) for child in broken_out.children if child.type == "label"), None)
        e = low.add(hir.Break(NEW, span_of(node), label, e))
    return e


def _behind_break(node: Node) -> list[Node]:
    return [part for part in elements(node)[1:] if part.type != "label"]


def _first_operand(low: Lowering, link: Node, kind: str) -> hir.Expr:
    """What a `break` breaks out with, or the beginning of it, where the grammar applies a link to the `break`
    itself."""
    span = (link.children[1].start_byte, link.end_byte)
    if kind == "call_expression":
        items = _arguments(low, link)
        arguments = link.child_by_field_id(_ARGUMENTS)
        comma = arguments is not None and any(child.type == "," for child in arguments.children)
        if len(items) == 1 and not comma:
            return items[0]
        return low.add(hir.Tuple(NEW, span, items))
    if kind == "index_expression":
        return low.add(hir.Array(NEW, span, [low.expr(part) for part in elements(link)[1:]]))
    operator, right = link.child_by_field_id(_OPERATOR), link.child_by_field_id(_RIGHT)
    if operator is None or right is None:
        return low.unknown(link, "syntax error")
    operand = low.expr(right)
    match operator.type:
        case "-":
            return low.add(hir.Unary(NEW, span, "-", operand))
        case "*":
            return low.add(hir.Deref(NEW, span, operand))
        case "&":
            return low.add(hir.Ref(NEW, span, False, operand))
    return low.unknown(link, "syntax error")


def _inner(node: Node, kind: str) -> tuple[Node | None, Node | None]:
    """What a link is applied to, and for a method call the `receiver.name`."""
    if kind == "call_expression":
        function = node.child_by_field_id(_FUNCTION)
        access = function
        if access is not None and access.type == "generic_function":
            access = access.child_by_field_id(_FUNCTION)
        if access is not None and access.type == "field_expression":
            return access.child_by_field_id(_VALUE), access
        return function, None
    if kind == "field_expression" or kind == "type_cast_expression":
        return node.child_by_field_id(_VALUE), None
    if kind == "binary_expression":
        return node.child_by_field_id(_LEFT), None
    return node.child(0), None


def _arguments(low: Lowering, call: Node) -> list[hir.Expr]:
    arguments = call.child_by_field_id(_ARGUMENTS)
    return lowered_elements(low, arguments) if arguments is not None else []


def _call(low: Lowering, node: Node, callee: hir.Expr) -> hir.Expr:
    return low.add(hir.Call(NEW, span_of(node), callee, _arguments(low, node)))


def _method(low: Lowering, node: Node, access: Node, receiver: hir.Expr) -> hir.Expr:
    name = access.child_by_field_id(_FIELD)
    if name is None or name.is_missing:
        return low.add(hir.Unknown(NEW, span_of(node), [receiver, *_arguments(low, node)], "missing"))
    generics: list[TypeExpr] = []
    function = node.child_by_field_id(_FUNCTION)
    if function is not None and function.type == "generic_function":
        turbofish = function.child_by_field_name("type_arguments")
        generics = list(types_in(low.content, turbofish)) if turbofish is not None else []
    args = _arguments(low, node)
    return low.add(
        hir.MethodCall(
            NEW, span_of(node), receiver, name_of(low.content, name), span_of(name), generics, args
        )
    )


def _field(low: Lowering, node: Node, base: hir.Expr) -> hir.Expr:
    name = node.child_by_field_id(_FIELD)
    if name is None or name.is_missing:
        return low.add(hir.Unknown(NEW, span_of(node), [base], "missing"))
    return low.add(hir.Field(NEW, span_of(node), base, name_of(low.content, name), span_of(name)))


def _try(low: Lowering, node: Node, operand: hir.Expr) -> hir.Expr:
    return low.add(hir.Try(NEW, span_of(node), operand))


def _await(low: Lowering, node: Node, operand: hir.Expr) -> hir.Expr:
    return low.add(hir.Await(NEW, span_of(node), operand))


def _index(low: Lowering, node: Node, base: hir.Expr) -> hir.Expr:
    parts = elements(node)
    index = low.expr(parts[1]) if len(parts) == 2 else low.unknown(node, "missing")
    return low.add(hir.Index(NEW, span_of(node), base, index))


def _cast(low: Lowering, node: Node, operand: hir.Expr) -> hir.Expr:
    type_ = node.child_by_field_name("type")
    if type_ is None:
        return low.add(hir.Unknown(NEW, span_of(node), [operand], "missing"))
    return low.add(hir.Cast(NEW, span_of(node), operand, read_type(low.content, type_)))


def _binary(low: Lowering, node: Node, left: hir.Expr) -> hir.Expr:
    op = node.child_by_field_id(_OPERATOR)
    operand = node.child_by_field_id(_RIGHT)
    right = low.expr(operand) if operand is not None else low.unknown(node, "missing")
    if op is None:
        return low.add(hir.Unknown(NEW, span_of(node), [left, right], "missing"))
    return low.add(hir.Binary(NEW, span_of(node), op.type, span_of(op), left, right))


_LINKS: dict[str, Callable[[Lowering, Node, hir.Expr], hir.Expr]] = {
    "call_expression": _call,
    "field_expression": _field,
    "try_expression": _try,
    "await_expression": _await,
    "index_expression": _index,
    "type_cast_expression": _cast,
    "binary_expression": _binary,
}
HANDLERS: dict[str, Callable[[Lowering, Node], hir.Expr]] = dict.fromkeys(_LINKS, lower)
