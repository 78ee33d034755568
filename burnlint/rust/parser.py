"""Parsing with tree-sitter: whole files, pieces of a file at their own offsets, and recovery where the
grammar is behind Rust."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import tree_sitter_rust
from tree_sitter import Language, Node, Parser, Point, Range, Tree

COMMENTS = frozenset({"line_comment", "block_comment"})
"""Node types that may stand between any two tokens."""

# `#[..]`, once or more, and the field behind it. Brackets in attributes nest one deep at most in practice.
_FIELD_ATTRIBUTE = re.compile(
    rb"(?:#\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]\s*)+(?=(?:ref\s+)?(?:mut\s+)?[A-Za-z_]\w*\s*[,:}])"
)
# What follows the closing bracket of a pattern. A struct literal is followed by none of these.
_BEHIND_PATTERN = re.compile(rb"[\s)\]},]*(?:=>|=(?!=)|\||if\b|in\b)")


@lru_cache(maxsize=1)
def _language() -> Language:
    return Language(tree_sitter_rust.language())


def field_id(name: str) -> int:
    """The id of a field of the grammar, with which a child is found sooner than by the name."""
    number = _language().field_id_for_name(name)
    assert number is not None, name
    return number


@lru_cache(maxsize=1)
def _file_parser() -> Parser:
    return Parser(_language())


@lru_cache(maxsize=1)
def _piece_parser() -> Parser:
    return Parser(_language())


def parse(content: bytes) -> Tree:
    """The syntax tree of a file.

    tree-sitter-rust does not know attributes on the fields of a struct pattern and then may give up on the
    whole file. Such attributes are overwritten by spaces for a second try, which is kept if it has fewer
    errors. All offsets stay true.
    """
    tree = _file_parser().parse(content)
    if not tree.root_node.has_error:
        return tree
    blanked = bytearray(content)
    for start, end in _field_pattern_attributes(content):
        blanked[start:end] = b" " * (end - start)
    if blanked == content:
        return tree
    second = _file_parser().parse(bytes(blanked))
    return second if _bytes_in_errors(second) < _bytes_in_errors(tree) else tree


def parse_piece(content: bytes, start: int, end: int, head: bytes, tail: bytes) -> Node:
    """The root of the tree that `head + content[start:end] + tail` has as a file, at its offsets in
    `content`.

    The head takes the place of what stands before `start`, which must be as long at least.
    """
    first = start - len(head)

    def read(offset: int, _: Point) -> bytes:
        if offset < start:
            return head[offset - first :] if offset > first else head
        if offset < end:
            return content[offset:end]
        return tail[offset - end :]

    parser = _piece_parser()
    # Points would only serve rows and columns, which nobody asks the pieces for.
    parser.included_ranges = [Range(Point(0, 0), Point(0, 0xFFFFFFFF), first, end + len(tail))]
    return parser.parse(read).root_node


def error_nodes(root: Node) -> Iterator[Node]:
    """The outermost ERROR nodes, and tokens that the parser had to add (they are empty), in source order."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            stack.extend(reversed(node.children))


def _bytes_in_errors(tree: Tree) -> int:
    return sum(node.end_byte - node.start_byte + 1 for node in error_nodes(tree.root_node))


def _field_pattern_attributes(content: bytes) -> Iterator[tuple[int, int]]:
    """Spans of the attributes that stand before a field of a struct pattern, by the look of what follows the
    pattern."""
    for match in _FIELD_ATTRIBUTE.finditer(content):
        close = _closing_brace(content, match.end())
        if close is not None and _BEHIND_PATTERN.match(content, close + 1):
            yield match.span()


def _closing_brace(content: bytes, start: int) -> int | None:
    """Where the brace that is open at `start` is closed; a pattern is short, so the search is too."""
    depth = 0
    for match in re.compile(rb"[{}]").finditer(content, start, start + 4096):
        if match.group() == b"{":
            depth += 1
        elif depth:
            depth -= 1
        else:
            return match.start()
    return None
