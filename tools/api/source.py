"""What every part of the extraction reads in a Rust syntax tree: text, attributes, visibility."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter_rust
from tree_sitter import Language, Node, Parser

PARSER = Parser(Language(tree_sitter_rust.language()))
COMMENTS = frozenset({"line_comment", "block_comment"})


def text(node: Node | None) -> str:
    """The source text of a node, "" without one."""
    return node.text.decode("utf8", "replace") if node is not None and node.text is not None else ""


def flat(node: Node | None) -> str:
    """The source text on one line."""
    return re.sub(r"\s+", " ", text(node)).strip()


def field(node: Node, name: str) -> Node | None:
    """The child in a named field of the grammar."""
    return node.child_by_field_name(name)


def name_of(node: Node) -> str:
    """The declared name of an item; raw identifiers without their prefix."""
    return text(field(node, "name")).removeprefix("r#")


def attributes(siblings: list[Node], at: int) -> tuple[str, ...]:
    """The texts of the outer attributes before the node at an index, without `#[` and `]`."""
    out: list[str] = []
    for node in reversed(siblings[:at]):
        if node.type == "attribute_item":
            out.append(flat(node)[2:-1].strip())
        elif node.type not in COMMENTS:
            break
    return tuple(reversed(out))


def with_attributes(body: Node) -> Iterator[tuple[Node, tuple[str, ...]]]:
    """The named children of a body that are no comments or attributes, each with its attributes."""
    siblings = body.children
    for at, node in enumerate(siblings):
        if node.is_named and node.type not in COMMENTS and not node.type.endswith("attribute_item"):
            yield node, attributes(siblings, at)


def is_public(node: Node) -> bool:
    """Whether the item is `pub` without restriction."""
    return any(c.type == "visibility_modifier" and flat(c) == "pub" for c in node.children)


def is_test(attrs: tuple[str, ...]) -> bool:
    """Whether attributes make an item test-only; burn's `export_tests` features count as tests."""
    return any(
        a == "test"
        or (a.startswith("cfg(") and re.match(r"cfg\(\s*(all\(\s*)?test\b", a) is not None)
        or (a.startswith("cfg(") and re.search(r"export[_-]tests", a) is not None)
        for a in attrs
    )


def cfg_of(attrs: tuple[str, ...]) -> str:
    """The condition of the `cfg` attributes: "" without any, `all(...)` of several."""
    found = [a[4:-1].strip() for a in attrs if a.startswith("cfg(")]
    return found[0] if len(found) == 1 else f"all({', '.join(found)})" if found else ""


def attribute_text(attrs: tuple[str, ...], name: str) -> str | None:
    """The attribute of that name (a regular expression) with its arguments, None without one."""
    return next((a for a in attrs if re.match(rf"{name}\b", a)), None)


def deprecation(attrs: tuple[str, ...]) -> str | None:
    """The note of a `deprecated` attribute, "" if it has none, None if there is no such attribute."""
    attr = attribute_text(attrs, "deprecated")
    if attr is None:
        return None
    note = re.search(r'note\s*=\s*"((?:[^"\\]|\\.)*)"', attr) or re.search(
        r'deprecated\s*=\s*"([^"]*)"', attr
    )
    return note.group(1).replace('\\"', '"') if note else ""


def derives(attrs: tuple[str, ...]) -> tuple[str, ...]:
    """The names of derived traits, by last segment; derives under `cfg_attr` are not counted."""
    return tuple(
        name.strip().split("::")[-1]
        for a in attrs
        if a.startswith("derive(")
        for name in a[7:-1].split(",")
        if name.strip()
    )
