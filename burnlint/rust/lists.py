"""Taking elements out of lists in source: generic arguments, generic parameters, where clauses, use lists.

The answers are byte spans to delete, with the comma that goes too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tree_sitter import Node

from burnlint.rust import types as rt
from burnlint.rust.items import Item, Use
from burnlint.rust.parser import COMMENTS
from burnlint.rust.types import Span
from burnlint.rust.typesyntax import name_of

_OPEN = b"([{<"
_CLOSE = b")]}>"


def without_arguments(content: bytes, args: Sequence[rt.TypeExpr], dropped: Collection[int]) -> list[Span]:
    """What to delete so that generic arguments go, given by their numbers among `args` (all type and const
    arguments of one list); the brackets go with the last one."""
    start = content.rfind(b"<", 0, args[0].span[0])
    elements, end = elements_of(content, start)
    gone = {args[at].span for at in dropped}
    numbers = {n for n, (a, b) in enumerate(elements) if any(a <= s and e <= b for s, e in gone)}
    if len(numbers) < len(elements):
        return _taken(elements, numbers)
    before = content[:start].rstrip()
    if before.endswith(b"::"):
        start = len(before) - 2
    return [(start, end)]


def without_parameter(item: Item, *names: str) -> list[Span]:
    """What to delete so that an item loses generic parameters, and what its where clause says of them."""
    node, content = item.node(), item.file.content
    spans: list[Span] = []
    parameters = node.child_by_field_name("type_parameters")
    if parameters is not None:
        children = [c for c in parameters.named_children if c.type not in _BESIDE]
        named = [c.child_by_field_name("name") for c in children]
        gone = {n for n, each in enumerate(named) if each is not None and name_of(content, each) in names}
        if gone:
            elements = [(c.start_byte, c.end_byte) for c in children]
            whole = (parameters.start_byte, parameters.end_byte)
            spans += [whole] if len(gone) == len(elements) else _taken(elements, gone)
    where = next((child for child in node.named_children if child.type == "where_clause"), None)
    predicates = [c for c in where.named_children if c.type == "where_predicate"] if where else []
    gone = {n for n, each in enumerate(predicates) if any(_is_about(content, each, name) for name in names)}
    if where is not None and gone:
        if len(gone) == len(predicates):
            start = len(content[: where.start_byte].rstrip())
            spans.append((start, where.end_byte))
        else:
            spans += _taken([(p.start_byte, p.end_byte) for p in predicates], gone)
    return spans


_BESIDE = COMMENTS | {"attribute_item"}


def _is_about(content: bytes, predicate: Node, name: str) -> bool:
    """Whether a where predicate says something of a parameter or of what is inside of it."""
    stack = [child] if (child := predicate.child_by_field_name("left")) is not None else []
    while stack:
        at = stack.pop()
        if at.type in ("type_identifier", "identifier") and name_of(content, at) == name:
            return True
        stack.extend(at.named_children)
    return False


def without_import(use: Use) -> list[Span]:
    """What to delete so that an import goes: from its list, or with the whole declaration and its line."""
    content = use.file.content
    declaration = use.file.node_at(use.span)
    node = declaration.named_descendant_for_byte_range(*use.name_span)
    while node is not None and node.id != declaration.id:
        parent = node.parent
        if parent is None:
            break
        if parent.type == "use_list":
            children = [c for c in parent.named_children if c.type not in COMMENTS]
            if len(children) == 2 and parent.parent is not None and parent.parent.type == "scoped_use_list":
                kept = next(each for each in children if each.id != node.id)
                if kept.type not in ("self", "use_as_clause"):
                    return [(parent.start_byte, kept.start_byte), (kept.end_byte, parent.end_byte)]
            if len(children) > 1:
                at = next(n for n, each in enumerate(children) if each.id == node.id)
                return _taken([(c.start_byte, c.end_byte) for c in children], {at})
        node = parent
    start = min([use.span[0], *(span[0] for span in use.attribute_spans)])
    return [whole_lines(content, (start, use.span[1]))]


def import_place(uses: Sequence[Use], item: Item) -> tuple[int, str] | None:
    """Where an import may be inserted for an item: behind the first of these imports that its module has, with the
    indentation of a new line there; None where it has none of them."""
    first = next((each for each in uses if each.scope is None and each.parent is item.parent), None)
    if first is None:
        return None
    content = item.file.content
    line = content.rfind(b"\n", 0, first.span[0]) + 1
    before = content[line : first.span[0]]
    return first.span[1], before.decode() if not before.strip() else ""


def whole_lines(content: bytes, span: Span) -> Span:
    """A span with the rest of its lines, where nothing else stands on them."""
    start = content.rfind(b"\n", 0, span[0]) + 1
    end = content.find(b"\n", span[1])
    end = len(content) if end < 0 else end + 1
    if content[start : span[0]].strip() or content[span[1] : end].strip():
        return span
    return start, end


def _taken(elements: Sequence[Span], gone: Collection[int]) -> list[Span]:
    """What to delete of a list of which some elements stay."""
    spans: list[Span] = []
    at = 0
    while at < len(elements):
        if at not in gone:
            at += 1
            continue
        last = at
        while last + 1 in gone:
            last += 1
        if last + 1 < len(elements):
            spans.append((elements[at][0], elements[last + 1][0]))
        else:
            spans.append((elements[at - 1][1], elements[last][1]))
        at = last + 1
    return spans


def elements_of(content: bytes, start: int) -> tuple[list[Span], int]:
    """The elements of the bracketed list that opens at `start`, and where it ends."""
    elements: list[Span] = []
    depth, at, first = 0, start, -1
    while at < len(content):
        byte = content[at : at + 1]
        two = content[at : at + 2]
        if two == b"//":
            at = content.find(b"\n", at) if b"\n" in content[at:] else len(content)
            continue
        if two == b"/*":
            at = content.find(b"*/", at) + 2
            continue
        if two in (b"->", b"=>"):
            at += 2
            continue
        if byte in _OPEN:
            if depth == 1 and first < 0:
                first = at
            depth += 1
        elif byte in _CLOSE:
            depth -= 1
            if depth == 0:
                if first >= 0:
                    elements.append(_stripped(content, first, at))
                return elements, at + 1
        elif depth == 1 and byte == b",":
            if first >= 0:
                elements.append(_stripped(content, first, at))
            first = -1
        elif depth == 1 and first < 0 and not byte.isspace():
            first = at
        at += 1
    return elements, len(content)


def _stripped(content: bytes, start: int, end: int) -> Span:
    return start, start + len(content[start:end].rstrip())
