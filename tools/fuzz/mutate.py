"""Mutants of real text: of Rust by its syntax tree, of anything by its characters and lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from tree_sitter import Node

from burnlint.rust import parser

HOSTILE = (
    "\0", "\x1b[31m", "\u202e", "\ufeff", "\ud7ff", "\U0001f525", "e\u0301", "\r", "\r\n", "\u2028", "'", '"', "\\",
    "r#\"", "/*", "*/", "//", "#[", "#![", "::<", "|", "||", "..=", "'a", "b'", "$", "macro_rules! m {", "]]>", "<!--",
    "// burnlint: ignore[", "#~", "-9223372036854775808", "340282366920938463463374607431768211456", "1e999", "0b", "0x_",
)  # fmt: skip
NESTS = (
    "()",
    "{}",
    "[]",
    "<>",
    ("Some(", ")"),
    ("if a {", "}"),
    ("|x| ", ""),
    ("!", ""),
    ("&", ""),
    ("a.b(", ")"),
)
MAX_DEPTH = 3000


class Pool:
    """Items of real files and the expressions, types and statements in them, by kind."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.items: list[bytes] = []
        self.nodes: dict[str, list[bytes]] = defaultdict(list)
        for path in files:
            content = path.read_bytes()
            if len(content) > 100_000:
                continue
            root = parser.parse(content).root_node
            self.items += [content[item.start_byte : item.end_byte] for item in root.named_children]
            for node in _nodes(root):
                if node.end_byte - node.start_byte < 400 and len(self.nodes[node.type]) < 400:
                    self.nodes[node.type].append(content[node.start_byte : node.end_byte])

    def file(self, rng: Random) -> bytes:
        """A file of a few items."""
        return b"\n".join(rng.choice(self.items) for _ in range(rng.randint(1, 6)))


def rust(rng: Random, pool: Pool) -> bytes:
    """A file of real items, changed in zero to four places."""
    content = pool.file(rng)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 4))):
        content = rng.choice(_RUST)(content, rng, pool)
    return content


def _node(content: bytes, rng: Random) -> Node:
    nodes = list(_nodes(parser.parse(content).root_node))
    return rng.choice(nodes)


def _nodes(root: Node) -> list[Node]:
    found, pending = [], [root]
    while pending:
        node = pending.pop()
        found.append(node)
        pending += node.named_children
    return found


def _put(content: bytes, node: Node, text: bytes) -> bytes:
    return content[: node.start_byte] + text + content[node.end_byte :]


def _delete(content: bytes, rng: Random, pool: Pool) -> bytes:
    return _put(content, _node(content, rng), b"")


def _double(content: bytes, rng: Random, pool: Pool) -> bytes:
    node = _node(content, rng)
    text = content[node.start_byte : node.end_byte]
    return _put(content, node, text + rng.choice((b"", b" ", b",", b";", b".")) + text)


def _replace(content: bytes, rng: Random, pool: Pool) -> bytes:
    """By a node of the same kind, or of any."""
    node = _node(content, rng)
    kind = node.type if node.type in pool.nodes and rng.random() < 0.7 else rng.choice(list(pool.nodes))
    return _put(content, node, rng.choice(pool.nodes[kind]))


def _swap(content: bytes, rng: Random, pool: Pool) -> bytes:
    one, other = sorted((_node(content, rng), _node(content, rng)), key=lambda node: node.start_byte)
    if one.end_byte > other.start_byte:
        return content
    first, second = (content[node.start_byte : node.end_byte] for node in (one, other))
    return _put(_put(content, other, first), one, second)


def _nest(content: bytes, rng: Random, pool: Pool) -> bytes:
    node = _node(content, rng)
    opens, closes = rng.choice(NESTS)
    depth = int(MAX_DEPTH ** rng.random())
    text = content[node.start_byte : node.end_byte]
    return _put(content, node, opens.encode() * depth + text + closes.encode() * depth)


def _rename(content: bytes, rng: Random, pool: Pool) -> bytes:
    """One name becomes another of the file: shadowing, recursion, cycles."""
    names = [node for node in _nodes(parser.parse(content).root_node) if node.type.endswith("identifier")]
    if not names:
        return content
    one, other = rng.choice(names), rng.choice(names)
    return _put(content, one, content[other.start_byte : other.end_byte])


def _hostile(content: bytes, rng: Random, pool: Pool) -> bytes:
    return text(content, rng)


_RUST: tuple[Callable[[bytes, Random, Pool], bytes], ...] = (
    _delete, _double, _replace, _replace, _swap, _nest, _rename, _rename, _hostile
)  # fmt: skip


def text(content: bytes, rng: Random) -> bytes:
    """Any text, changed in one place: cut, doubled, its lines shuffled, a hostile piece or bytes put in."""
    at = rng.randint(0, len(content))
    end = min(len(content), at + rng.randint(0, 40))
    way = rng.randrange(7)
    if way == 0:
        return content[:at] + content[end:]
    if way == 1:
        return content[:end] + content[at:]
    if way == 2:
        return content[:at]
    if way == 3:
        lines = content.split(b"\n")
        rng.shuffle(lines)
        return b"\n".join(lines)
    if way == 4:
        return content[:at] + rng.randbytes(rng.randint(1, 8)) + content[at:]
    return (
        content[:at]
        + rng.choice(HOSTILE).encode("utf-8", "surrogatepass") * rng.choice((1, 1, 1, 50))
        + content[at:]
    )
