"""The syntax of mutated code: nodes of tree-sitter, calls, functions and their parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from burnlint.rust.parser import parse

FUNCTION = "function_item"
_STATEMENTS = frozenset({"expression_statement", "let_declaration"})


def text(node: Node) -> str:
    """The source of a node."""
    assert node.text is not None
    return node.text.decode()


def span(node: Node) -> tuple[int, int]:
    """Its bytes."""
    return node.start_byte, node.end_byte


def walk(root: Node) -> Iterator[Node]:
    """A node and all below it, in source order."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.children))


def ancestors(node: Node) -> Iterator[Node]:
    """From the parent outwards."""
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def enclosing(node: Node, *kinds: str) -> Node | None:
    """The nearest ancestor of one of these kinds."""
    return next((above for above in ancestors(node) if above.type in kinds), None)


def statement(node: Node) -> Node | None:
    """The statement that a node is part of."""
    return enclosing(node, *_STATEMENTS)


def expression(source: str) -> Node | None:
    """The tree of an expression that stands alone; None if it does not parse."""
    root = parse(f"fn f() {{ {source} }}".encode()).root_node
    return None if root.has_error else root


@dataclass(frozen=True, slots=True)
class Call:
    """A method call, or a call of a path (then `receiver` is None)."""

    node: Node
    name: str
    receiver: Node | None
    arguments: tuple[Node, ...]
    path: str = ""
    """What stands before the arguments in a path call."""

    @property
    def tail(self) -> str:
        """The source from the dot on."""
        assert self.receiver is not None
        return text(self.node)[self.receiver.end_byte - self.node.start_byte :]

    def with_receiver(self, receiver: str) -> str:
        """The call on another receiver."""
        return receiver + self.tail

    def argument(self, at: int) -> str:
        """The source of an argument; empty without it."""
        return text(self.arguments[at]) if at < len(self.arguments) else ""


def call(node: Node) -> Call | None:
    """The call that a node is."""
    if node.type != "call_expression":
        return None
    called, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if called is None or given is None:
        return None
    plain = called.child_by_field_name("function") if called.type == "generic_function" else called
    arguments = tuple(each for each in given.named_children if "comment" not in each.type)
    if plain is not None and plain.type == "field_expression":
        receiver, name = plain.child_by_field_name("value"), plain.child_by_field_name("field")
        assert receiver is not None and name is not None
        return Call(node, text(name), receiver, arguments)
    path = text(called)
    return Call(node, re.sub(r"::<.*>$", "", path).rpartition("::")[2], None, arguments, path)


def calls(root: Node, *names: str) -> Iterator[Call]:
    """The calls below a node, of these names or all."""
    for node in walk(root):
        found = call(node)
        if found is not None and (not names or found.name in names):
            yield found


def chain(node: Node) -> Iterator[Call]:
    """The calls of a method chain, from the last inwards."""
    found = call(node)
    while found is not None:
        yield found
        found = call(found.receiver) if found.receiver is not None else None


@dataclass(frozen=True, slots=True)
class Function:
    """A function with a body. `parameters` are name and type of plain ones."""

    node: Node
    name: str
    body: Node
    parameters: tuple[tuple[str, str], ...]
    impl: Node | None

    @property
    def start(self) -> int:
        """Where the first statement may stand."""
        return self.body.start_byte + 1


def functions(root: Node) -> Iterator[Function]:
    """All functions outside of test code."""
    for node in walk(root):
        body = node.child_by_field_name("body") if node.type == FUNCTION else None
        if body is None or tested(node):
            continue
        name, given = node.child_by_field_name("name"), node.child_by_field_name("parameters")
        assert name is not None and given is not None
        found = []
        for each in given.named_children:
            pattern, type = each.child_by_field_name("pattern"), each.child_by_field_name("type")
            if each.type == "parameter" and pattern is not None and type is not None:
                found.append((text(pattern).removeprefix("mut ").strip(), " ".join(text(type).split())))
        yield Function(node, text(name), body, tuple(found), enclosing(node, "impl_item"))


def attributes(item: Node) -> str:
    """The attributes before an item."""
    found, before = "", item.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "line_comment", "block_comment"):
        if before.type == "attribute_item":
            found = text(before) + found
        before = before.prev_named_sibling
    return found


def tested(node: Node) -> bool:
    """Whether a node stands in test code."""
    return any(
        re.search(r"\btest\b", attributes(each)) is not None
        for each in (node, *ancestors(node))
        if each.type in (FUNCTION, "mod_item")
    )
