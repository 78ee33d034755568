"""Lowering of patterns: each binding becomes a local."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from burnlint.rust import hir
from burnlint.rust.lower_expr import elements, path_of, span_of
from burnlint.rust.typesyntax import name_of, read_path

if TYPE_CHECKING:
    from burnlint.rust.lower import Lowering


def lower(low: Lowering, node: Node) -> hir.Pattern:
    """The pattern that a node spells."""
    handler = _HANDLERS.get(node.type)
    if handler is None or (low.broken and low.is_broken(node)):
        return low.unknown_pattern(node)
    return handler(low, node)


def _name(low: Lowering, node: Node) -> hir.Pattern:
    name = name_of(low.content, node)
    if name[:1].isupper() and _is_constant(low, name):
        path = read_path(low.content, node)
        if path is not None:
            return hir.PathPat(span_of(node), path)
    return hir.Bind(span_of(node), low.bind(name, span_of(node)))


def _is_constant(low: Lowering, name: str) -> bool:
    """Whether a capitalised name means a constant or variant.

    Where the pattern must match, as in `let [B, T, C] = x.dims()`, it binds. So does a single letter that the
    file does not declare, unless it is one of several alternatives.
    """
    if low.refutable and (len(name) > 1 or low.alternatives is not None):
        return True
    return low.declares(name)


def _path(low: Lowering, node: Node) -> hir.Pattern:
    return hir.PathPat(span_of(node), path_of(low, node))


def _wild(low: Lowering, node: Node) -> hir.Pattern:
    return hir.Wild(span_of(node))


def _rest(low: Lowering, node: Node) -> hir.Pattern:
    return hir.Rest(span_of(node))


def _literal(low: Lowering, node: Node) -> hir.Pattern:
    return hir.LitPat(span_of(node), low.text(node))


def _marked(low: Lowering, node: Node) -> hir.Pattern:
    """`mut x`, `ref x`, `ref mut x`."""
    mutable = by_ref = False
    at = node
    while at.type in ("mut_pattern", "ref_pattern"):
        by_ref = by_ref or at.type == "ref_pattern"
        parts = [child for child in elements(at) if child.type not in ("ref", "mutable_specifier")]
        mutable = mutable or at.type == "mut_pattern"
        if len(parts) != 1:
            return low.unknown_pattern(node)
        at = parts[0]
    if at.type == "captured_pattern":
        return _captured(low, at, mutable, by_ref)
    if at.type != "identifier":
        return low.unknown_pattern(node)
    return hir.Bind(span_of(node), low.bind(name_of(low.content, at), span_of(at), mutable, by_ref))


def mark_mutable(node: Node, pattern: hir.Pattern) -> hir.Pattern:
    """The pattern of a `let` or parameter, mutable where the `mut` of `let mut x` and `mut x: T` stands
    outside of it."""
    before = node.children[:2]
    if isinstance(pattern, hir.Bind) and any(child.type == "mutable_specifier" for child in before):
        pattern.local.mutable = True
    return pattern


def _captured(low: Lowering, node: Node, mutable: bool = False, by_ref: bool = False) -> hir.Pattern:
    """`name @ pattern`; `ref` and `mut` stand around it in the syntax, or around the name."""
    parts = [child for child in elements(node) if child.type != "@"]
    if len(parts) != 2:
        return low.unknown_pattern(node)
    name = next((child for child in (parts[0], *parts[0].children) if child.type == "identifier"), None)
    if name is None:
        return low.unknown_pattern(node)
    mutable, by_ref = mutable or parts[0].type == "mut_pattern", by_ref or parts[0].type == "ref_pattern"
    local = low.bind(name_of(low.content, name), span_of(name), mutable, by_ref)
    return hir.Bind(span_of(node), local, low.pattern(parts[1]))


def _tuple(low: Lowering, node: Node) -> hir.Pattern:
    items = [low.pattern(child) for child in elements(node)]
    if (
        len(items) == 1
        and not isinstance(items[0], hir.Rest)
        and all(child.type != "," for child in node.children)
    ):
        return items[0]
    return hir.TuplePat(span_of(node), items)


def _slice(low: Lowering, node: Node) -> hir.Pattern:
    return hir.SlicePat(span_of(node), [low.pattern(child) for child in elements(node)])


def _reference(low: Lowering, node: Node) -> hir.Pattern:
    parts = [child for child in elements(node) if child.type not in ("&", "&&", "mutable_specifier")]
    return hir.RefPat(span_of(node), low.pattern(parts[0])) if len(parts) == 1 else low.unknown_pattern(node)


def _tuple_struct(low: Lowering, node: Node) -> hir.Pattern:
    name = node.child_by_field_name("type")
    if name is None:
        return low.unknown_pattern(node)
    items = [low.pattern(child) for child in elements(node) if child.start_byte >= name.end_byte]
    return hir.TupleStructPat(span_of(node), path_of(low, name), items)


def _struct(low: Lowering, node: Node) -> hir.Pattern:
    name = node.child_by_field_name("type")
    if name is None:
        return low.unknown_pattern(node)
    fields: list[tuple[str, hir.Pattern]] = []
    rest = False
    for child in elements(node):
        if child.type == "remaining_field_pattern":
            rest = True
        elif child.type == "field_pattern":
            fields.append(_field(low, child))
        elif child.start_byte >= name.end_byte:
            fields.append(("", low.unknown_pattern(child)))
    return hir.StructPat(span_of(node), path_of(low, name), fields, rest)


def _field(low: Lowering, node: Node) -> tuple[str, hir.Pattern]:
    name, pattern = node.child_by_field_name("name"), node.child_by_field_name("pattern")
    if name is None:
        return "", low.unknown_pattern(node)
    spelled = name_of(low.content, name)
    if pattern is not None:
        return spelled, low.pattern(pattern)
    words = {child.type for child in node.children}
    local = low.bind(spelled, span_of(name), "mutable_specifier" in words, "ref" in words)
    return spelled, hir.Bind(span_of(node), local)


def _or(low: Lowering, node: Node) -> hir.Pattern:
    """`a | b | c` nests to the left in the syntax. The first alternative to bind a name makes the local."""
    alternatives: list[Node] = []
    at = node
    while at.type == "or_pattern":
        first, *others = elements(at)  # alone behind a leading bar
        alternatives.extend(others)
        at = first
    alternatives.append(at)
    outermost = low.alternatives is None
    if outermost:
        low.alternatives = {}
    items = [low.pattern(alternative) for alternative in reversed(alternatives)]
    if outermost:
        low.alternatives = None
    return hir.OrPat(span_of(node), items)


_HANDLERS: dict[str, Callable[[Lowering, Node], hir.Pattern]] = {
    "identifier": _name,
    "scoped_identifier": _path,
    "generic_pattern": _path,
    "_": _wild,
    "remaining_field_pattern": _rest,
    "mut_pattern": _marked,
    "ref_pattern": _marked,
    "captured_pattern": _captured,
    "tuple_pattern": _tuple,
    "slice_pattern": _slice,
    "reference_pattern": _reference,
    "tuple_struct_pattern": _tuple_struct,
    "struct_pattern": _struct,
    "or_pattern": _or,
    **dict.fromkeys(
        (
            "range_pattern",
            "integer_literal",
            "float_literal",
            "negative_literal",
            "string_literal",
            "raw_string_literal",
            "char_literal",
            "boolean_literal",
            "const_block",
        ),
        _literal,
    ),
}
