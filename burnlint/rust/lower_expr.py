"""Lowering of expressions without control flow: names, literals, operators, arrays, tuples, structs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tree_sitter import Node

from burnlint.rust import hir
from burnlint.rust.attributes import condition_of, read_attribute
from burnlint.rust.hir import NEW
from burnlint.rust.parser import COMMENTS
from burnlint.rust.types import Path, Segment
from burnlint.rust.typesyntax import read_path, spelled

if TYPE_CHECKING:
    from burnlint.rust.cfg import Condition
    from burnlint.rust.lower import Lowering

_PUNCTUATION = COMMENTS | {
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    "|",
    "||",
    "attribute_item",
    "inner_attribute_item",
}
_INTEGER_SUFFIX = re.compile(r"[iu](?:8|16|32|64|128|size)\Z")
_FLOAT_SUFFIX = re.compile(r"f(?:16|32|64|128)\Z")
_LITERALS = {
    "integer_literal": "int",
    "float_literal": "float",
    "string_literal": "str",
    "raw_string_literal": "str",
    "boolean_literal": "bool",
    "char_literal": "char",
    "unit_expression": "unit",
}


def elements(node: Node) -> list[Node]:
    """The elements of a list node. `_` and `..` are no named nodes, so named children would not do."""
    return [child for child in node.children if child.type not in _PUNCTUATION]


def lowered_elements(low: Lowering, node: Node) -> list[hir.Expr]:
    """The elements of a list node as expressions."""
    return [low.expr_of(child, kind) for child in node.children if (kind := child.type) not in _PUNCTUATION]


def span_of(node: Node) -> hir.Span:
    return node.start_byte, node.end_byte


def cfg_of(low: Lowering, node: Node) -> Condition | None:
    """The condition in the attributes among a node's children; None without one."""
    return cfg_in(low, [span_of(child) for child in node.children if child.type == "attribute_item"])


def cfg_in(low: Lowering, spans: Sequence[hir.Span]) -> Condition | None:
    """The condition that the attributes at these spans state; None without one."""
    if not spans:
        return None
    attributes = [read_attribute(low.content, span) for span in spans]
    return condition_of(attributes) if any(a.path == "cfg" for a in attributes) else None


def path_of(low: Lowering, node: Node) -> Path:
    """The path that a node spells; in broken code its text as one name."""
    return read_path(low.content, node) or Path((Segment(low.text(node)),), span_of(node))


def _name(low: Lowering, node: Node) -> hir.Expr:
    span = (node.start_byte, node.end_byte)
    name = spelled(low.content[span[0] : span[1]])
    local = low.scope.get(name)
    if local is not None:
        return low.add(hir.LocalRef(NEW, span, local))
    if name == "_":
        return _underscore(low, node)
    return low.add(hir.PathExpr(NEW, span, Path((Segment(name),), span)))


def _path(low: Lowering, node: Node) -> hir.Expr:
    path = read_path(low.content, node)
    if path is None:
        return low.unknown(node, "syntax error")
    return low.add(hir.PathExpr(NEW, path.span, path))


def _underscore(low: Lowering, node: Node) -> hir.Expr:
    return low.add(hir.Underscore(NEW, span_of(node)))


def _literal(low: Lowering, node: Node) -> hir.Expr:
    text = low.text(node)
    kind = _LITERALS[node.type]
    suffix = ""
    if (kind == "int" and not text.isdecimal()) or (kind == "float" and "f" in text):
        match = _INTEGER_SUFFIX.search(text) or (_FLOAT_SUFFIX.search(text) if text[:2] != "0x" else None)
        suffix = match.group() if match is not None else ""
        kind = "float" if suffix[:1] == "f" else kind
    elif kind == "str":
        kind = {"b": "bytes", "c": "cstr"}.get(text[:1], "str")
    elif kind == "char" and text[:1] == "b":
        kind, suffix = "int", "u8"
    return low.add(hir.Literal(NEW, span_of(node), kind, text, suffix))


def _tuple(low: Lowering, node: Node) -> hir.Expr:
    items = lowered_elements(low, node)
    return low.add(hir.Tuple(NEW, span_of(node), items))


def _parenthesized(low: Lowering, node: Node) -> hir.Expr:
    inner = elements(node)
    return low.expr(inner[0]) if len(inner) == 1 else low.unknown(node, "syntax error")


def _array(low: Lowering, node: Node) -> hir.Expr:
    items = lowered_elements(low, node)
    if node.child_by_field_name("length") is not None and len(items) == 2:
        return low.add(hir.Repeat(NEW, span_of(node), items[0], items[1]))
    return low.add(hir.Array(NEW, span_of(node), items))


def _struct(low: Lowering, node: Node) -> hir.Expr:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or body is None:
        return low.unknown(node, "missing")
    fields: list[hir.FieldInit] = []
    base: hir.Expr | None = None
    for child in elements(body):
        kind = child.type
        if kind == "field_initializer":
            field = child.child_by_field_name("field")
            if field is not None:
                value = low.child(child, "value")
                fields.append(hir.FieldInit(low.text(field), span_of(child), value, cfg_of(low, child)))
        elif kind == "shorthand_field_initializer":
            field = next((part for part in child.children if part.type == "identifier"), None)
            if field is not None:
                value = _name(low, field)
                fields.append(hir.FieldInit(low.text(field), span_of(child), value, cfg_of(low, child)))
        elif kind == "base_field_initializer":
            base = low.expr(child.children[-1])
        else:
            base = low.unknown(child, "syntax error")
    return low.add(hir.StructLit(NEW, span_of(node), path_of(low, name), fields, base))


def _unary(low: Lowering, node: Node) -> hir.Expr:
    parts = elements(node)
    if len(parts) != 2:
        return low.unknown(node, "missing")
    op, operand = parts[0].type, low.expr(parts[1])
    if op == "*":
        return low.add(hir.Deref(NEW, span_of(node), operand))
    return low.add(hir.Unary(NEW, span_of(node), op, operand))


def _reference(low: Lowering, node: Node) -> hir.Expr:
    mutable = any(child.type == "mutable_specifier" for child in node.children)
    operand = low.child(node, "value")
    return low.add(hir.Ref(NEW, span_of(node), mutable, operand))


def _assignment(low: Lowering, node: Node) -> hir.Expr:
    left = node.child_by_field_name("left")
    value = low.child(node, "right")
    if (
        left is not None
        and left.type == "range_expression"
        and low.content.startswith(b"..=", left.start_byte)
    ):
        # The grammar reads `..=y` as an assignment to `..`.
        return low.add(hir.Range(NEW, span_of(node), None, value, True))
    target = low.child(node, "left")
    return low.add(hir.Assign(NEW, span_of(node), target, value))


def _compound(low: Lowering, node: Node) -> hir.Expr:
    op = node.child_by_field_name("operator")
    value = low.child(node, "right")
    target = low.child(node, "left")
    return low.add(
        hir.AssignOp(NEW, span_of(node), low.text(op)[:-1] if op is not None else "", target, value)
    )


def _range(low: Lowering, node: Node) -> hir.Expr:
    low_end: hir.Expr | None = None
    high_end: hir.Expr | None = None
    inclusive = seen = False
    for child in node.children:
        kind = child.type
        if kind in ("..", "..=", "..."):
            inclusive, seen = kind != "..", True
        elif kind in COMMENTS:
            continue
        elif seen:
            high_end = low.expr(child)
        else:
            low_end = low.expr(child)
    return low.add(hir.Range(NEW, span_of(node), low_end, high_end, inclusive))


def _yield(low: Lowering, node: Node) -> hir.Expr:
    args = [low.expr(child) for child in elements(node)[1:]]
    return low.add(hir.Unknown(NEW, span_of(node), args, "yield"))


HANDLERS: dict[str, Callable[[Lowering, Node], hir.Expr]] = {
    **dict.fromkeys(_LITERALS, _literal),
    "identifier": _name,
    "self": _name,
    "scoped_identifier": _path,
    "generic_function": _path,
    "metavariable": _path,
    "crate": _path,
    "super": _path,
    "_": _underscore,
    "tuple_expression": _tuple,
    "parenthesized_expression": _parenthesized,
    "array_expression": _array,
    "struct_expression": _struct,
    "unary_expression": _unary,
    "reference_expression": _reference,
    "assignment_expression": _assignment,
    "compound_assignment_expr": _compound,
    "range_expression": _range,
    "yield_expression": _yield,
}
