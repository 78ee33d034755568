"""Parsing: pieces at their own offsets, recovery, errors."""

from __future__ import annotations

import itertools

import pytest

from burnlint.rust.parser import error_nodes, parse, parse_piece
from burnlint.rust.source import SourceFile


def test_a_piece_is_parsed_at_its_own_offsets() -> None:
    content = b'abc {x, "y" => 1; z} rest )]}'
    start, end = content.index(b"x"), content.index(b" =>")
    root = parse_piece(content, start, end, b"[", b"];")
    array = root.children[0].children[0]
    assert array.type == "array_expression" and not root.has_error
    assert [content[c.start_byte : c.end_byte] for c in array.named_children] == [b"x", b'"y"']


def test_pieces_of_a_large_file_do_not_read_the_rest_of_it() -> None:
    content = b"f(" * 10 + b"x, y" + b"!" * 1_000_000
    root = parse_piece(content, 20, 24, b"(", b");")
    assert not root.has_error and root.end_byte == 26


@pytest.mark.parametrize(
    "pattern",
    [
        "S { #[cfg(a)] b, c }",
        "S { c, #[cfg(a)] ref mut b, }",
        "S { #[cfg(any(a, b))] #[allow(x)] b }",
        "Some(S { #[cfg(a)] b })",
        'S { #[cfg(feature = "a")] b, .. }',
        "S { #[cfg(a)] b: T { c } }",
    ],
)
@pytest.mark.parametrize("where", ["match x {{ {} => 1, _ => 2 }}", "let {} = x;", "if let {} = x {{}}"])
def test_attributes_on_field_patterns_are_survived(pattern: str, where: str) -> None:
    content = f"fn f() {{ {where.format(pattern)} }} fn g() {{}}".encode()
    tree = parse(content)
    assert not tree.root_node.has_error
    assert [fn.name for fn in SourceFile("a.rs", content).items.functions] == ["f", "g"]


def test_attributes_on_fields_of_a_literal_stay() -> None:
    content = b"fn f() { let S { #[cfg(a)] b } = S { #[cfg(c)] d }; }"
    assert not parse(content).root_node.has_error
    body = SourceFile("a.rs", content).items.functions[0].node()
    attributes = [n for n in _walk(body) if n.type == "attribute_item"]
    assert [content[n.start_byte : n.end_byte] for n in attributes] == [b"#[cfg(c)]"]


def test_what_the_second_try_does_not_help_is_left_as_it_was() -> None:
    content = b"fn f() { let S { #[cfg(a)] b } = x @@; }"
    assert parse(content).root_node.has_error


def test_error_nodes_are_in_source_order_and_outermost() -> None:
    root = parse(b"fn f() { x @@ y; } fn g( { } fn h() { a. }").root_node
    spans = [(node.start_byte, node.end_byte) for node in error_nodes(root)]
    assert spans == sorted(spans) and len(spans) >= 2
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))


def _walk(node):  # type: ignore[no-untyped-def]
    yield node
    for child in node.children:
        yield from _walk(child)
