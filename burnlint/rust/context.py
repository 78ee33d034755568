"""What a place in a file belongs to: the item around it, and what a comment before it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.rust.items import Impl, Item
from burnlint.rust.types import PathType

if TYPE_CHECKING:
    from tree_sitter import Node

    from burnlint.rust.source import SourceFile
    from burnlint.rust.types import Span

_COMMENTS = frozenset({"line_comment", "block_comment"})
_ATTRIBUTES = frozenset({"attribute_item", "inner_attribute_item"})
_COVERED = frozenset(
    {
        "let_declaration",
        "expression_statement",
        "field_declaration",
        "match_arm",
        "enum_variant",
        "field_initializer",
    }
)
_BLOCKS = frozenset({"block", "source_file", "declaration_list", "arguments", "match_block"})


def item_path(file: SourceFile, offset: int) -> str:
    """The names of the items around an offset, outer first: `train::Trainer::step`."""
    around = [item for item in file.items.all if item.span[0] <= offset < item.span[1]]
    return "::".join(name for item in around if (name := _name(item)))


def _name(item: Item) -> str:
    if isinstance(item, Impl):
        return item.self_type.path.name if isinstance(item.self_type, PathType) else "impl"
    return item.name


def covered_after(file: SourceFile, offset: int) -> Span | None:
    """The statement, item, field or match arm that starts next after an offset, its attributes included."""
    start: int | None = None
    node = _next(file, offset)
    while node is not None:
        node = _widest(node)
        start = node.start_byte if start is None else start
        if node.type not in _ATTRIBUTES:
            return start, node.end_byte
        node = _next(file, node.end_byte)
    return None


def _next(file: SourceFile, offset: int) -> Node | None:
    """The first token after an offset that is no comment."""
    content = file.content
    while True:
        while offset < len(content) and content[offset : offset + 1].isspace():
            offset += 1
        if offset >= len(content):
            return None
        node = file.tree.root_node.descendant_for_byte_range(offset, offset + 1)
        while node is not None and node.parent is not None and node.type not in _COMMENTS:
            if node.start_byte < offset or node.parent.start_byte < offset:
                break
            node = node.parent
        if node is None or node.type not in _COMMENTS:
            return file.tree.root_node.descendant_for_byte_range(offset, offset + 1)
        offset = max(node.end_byte, offset + 1)


def _widest(node: Node) -> Node:
    """The widest node with the same start that is a statement, an item, an arm or an element of a block."""
    best = node
    while node.parent is not None and node.parent.start_byte == node.start_byte:
        node = node.parent
        if node.type in _COVERED or node.type.endswith("_item"):
            best = node
            if node.type != "expression_statement":
                break
        elif node.parent is not None and node.parent.type in _BLOCKS:
            best = node
    return best


_MARKS = re.compile(r"^\s*(?://[/!]?|/\*[*!]?|\*(?!/))|\*/\s*$", re.MULTILINE)


@dataclass(slots=True, frozen=True)
class Remark:
    """A comment, or line comments right below each other, as one text without markers."""

    span: Span
    text: str


def remarks(file: SourceFile) -> list[Remark]:
    """The comments of a file, in order."""
    found: list[Remark] = []
    for (start, end), text in file.comments:
        text = _MARKS.sub("", text).strip()
        if found:
            last = found[-1]
            between = file.content[last.span[1] : start]
            if not between.strip() and between.count(b"\n") <= 1 and _own_line(file, last.span[0]):
                found[-1] = Remark((last.span[0], end), f"{last.text}\n{text}")
                continue
        found.append(Remark((start, end), text))
    return found


def _own_line(file: SourceFile, offset: int) -> bool:
    """Whether nothing stands before an offset on its line."""
    start, _ = file.text.line_span(file.text.line(offset))
    return not file.content[start:offset].strip()
