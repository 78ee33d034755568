"""The variables that an expression reads: their types, and the expression with other names for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tree_sitter import Node

from tools.mutation import syntax
from tools.mutation.base import Source
from tools.mutation.fault import Fault, Free
from tools.mutation.spell import Unspelled, generics, spelled


def known(source: Source, fault: Fault, right: tuple[str, str, str]) -> Fault:
    """With what rustc says of the variables and the type of the expression in the original code."""
    node = _original(source, fault, right[1])
    if node is None:
        return fault
    try:
        free, named = _variables(source, node)
        form = source.type(node)
        own = spelled(form) if form is not None else ""
        if form is not None:
            named |= generics(form)
        parameters = _generics(source, node, named)
    except Unspelled:
        return fault
    if parameters is None:
        return fault
    return replace(
        fault,
        free=free,
        generics=parameters,
        type=fault.type or own,
        right_type=own,
    )


def _original(source: Source, fault: Fault, inside: str) -> Node | None:
    """The node of the original code that the marks of the twin stand around."""
    start, end = fault.span
    at = source.content.find(inside.encode(), start, end + len(inside.encode()))
    if at < 0:
        return None
    return source.root.descendant_for_byte_range(at, at + len(inside.encode()))


def _paths(node: Node) -> Iterator[Node]:
    """The variables of an expression: locals, or fields of locals as far as they go without a call."""
    if node.type == "identifier" or node.type == "self" or node.type == "field_expression":
        inner = node
        while inner.type == "field_expression":
            value = inner.child_by_field_name("value")
            assert value is not None
            inner = value
        above = node.parent
        called = (
            above is not None
            and above.type == "call_expression"
            and (above.child_by_field_name("function") == node)
        )
        if inner.type in ("identifier", "self") and not called:
            yield node
            return
        if inner.type in ("identifier", "self"):
            value = node.child_by_field_name("value")
            if value is not None:
                yield from _paths(value)
            return
        yield from _paths(inner)
        return
    if node.type in ("closure_expression", "macro_invocation"):
        raise Unspelled("a closure or a macro")
    if node.type in ("scoped_identifier", "type_arguments", "type_identifier"):
        return
    for child in node.named_children:
        if node.type == "field_initializer" and child.type == "field_identifier":
            continue
        yield from _paths(child)


def key(path: str) -> str:
    return re.sub(r"\W+", "_", path.replace("self.", "own.")).strip("_").replace("self", "own")


def _variables(source: Source, node: Node) -> tuple[dict[str, Free], set[str]]:
    """The variables with their types, and the generic parameters in those."""
    found: dict[str, Free] = {}
    named: set[str] = set()
    for each in _paths(node):
        path = syntax.text(each)
        if path[0].isupper():
            continue
        types = source.types(each)
        if not types:
            raise Unspelled(path)
        own = types[-1]
        heads = {form.head for form in types[:-1]}
        above = each.parent
        by = "&mut " if "&mut" in heads else "&" if "&" in heads else ""
        if above is not None and above.type == "reference_expression":
            by = "&mut " if syntax.text(above).startswith("&mut") else "&"
        if own.head in ("&", "&mut"):
            by = ""
        before = found.get(path)
        if before is not None and before.by != by:
            raise Unspelled(path)
        named |= generics(own)
        found[path] = Free(spelled(own), by)
    return found, named


def _generics(source: Source, node: Node, named: set[str]) -> str | None:
    """The declarations of these generic parameters; None if they cannot be copied."""
    if not named:
        return ""
    declared: list[str] = []
    function = source.function(node)
    if function is None:
        return None
    wheres = ""
    for item in (function.impl, function.node):
        given = item.child_by_field_name("type_parameters") if item is not None else None
        if item is not None and any(each.type == "where_clause" for each in item.children):
            wheres = " ".join(syntax.text(e) for e in item.children if e.type == "where_clause")
        for each in given.named_children if given is not None else ():
            word = re.search(r"(?:const\s+)?(\w+)", syntax.text(each))
            if word is not None and word[1] in named:
                declared.append(syntax.text(each))
    if wheres or len(declared) != len(named):
        return None
    return f"<{', '.join(declared)}>"


def renamed(expression: str, names: dict[str, str], free: Mapping[str, Free]) -> str | None:
    """The expression with other names for its variables (a reference where one is handed on); None if it has
    other variables than those."""
    root = syntax.expression(expression)
    if root is None:
        return None
    edits = []
    body = root.named_children[0].child_by_field_name("body")
    assert body is not None
    try:
        paths = [each for child in body.named_children for each in _paths(child)]
    except Unspelled:
        return None
    for each in paths:
        path = syntax.text(each)
        if path[0].isupper():
            continue
        if path not in names:
            return None
        at, above = each, each.parent
        if free[path].by and above is not None and above.type == "reference_expression":
            at = above
        edits.append((at.start_byte, at.end_byte, names[path]))
    made = syntax.text(root).encode()
    for start, end, name in sorted(edits, reverse=True):
        made = made[:start] + name.encode() + made[end:]
    return made.decode()[len("fn f() { ") : -len(" }")]
