"""Sources that rustc refuses, not UTF-8 or with calls that lack their arguments: every rule reads on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import run
from test_fixtures import exact_versions, single_files
from tree_sitter import Node

from burnlint.rust.parser import parse

BAD = b"\x8b"
VERSIONS = sorted({version for _, version in single_files()})


def in_strings(content: bytes) -> bytes:
    return _with(
        content, BAD, [leaf.start_byte for leaf in _leaves(content) if leaf.type == "string_content"]
    )


def between_tokens(content: bytes) -> bytes:
    places = [
        leaf.start_byte
        for leaf in _leaves(content)
        if leaf.type not in ("string_content", "escape_sequence", "doc_comment", '"', "{{", "}}")
    ]
    return _with(content, b"/*" + BAD + b"*/", places)


def without_arguments(content: bytes) -> bytes:
    out, behind = b"", 0
    for start, end in sorted(node.byte_range for node in _nodes(content) if node.type == "arguments"):
        if start >= behind:
            out += content[behind:start] + b"()"
            behind = end
    return out + content[behind:]


def _with(content: bytes, added: bytes, places: list[int]) -> bytes:
    for place in sorted(set(places), reverse=True):
        content = content[:place] + added + content[place:]
    return content


def _leaves(content: bytes) -> Iterator[Node]:
    return (node for node in _nodes(content) if not node.child_count and not node.is_extra)


def _nodes(content: bytes) -> Iterator[Node]:
    pending = [parse(content).root_node]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(node.children))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("spoil", "least"), [(in_strings, 0.25), (between_tokens, 0.25), (without_arguments, 0.1)]
)
def test_no_rule_crashes(spoil: Callable[[bytes], bytes], least: float, version: str, tmp_path: Path) -> None:
    # Those for older versions too: then the rules about migration look at them.
    sources = [path.read_bytes() for path, _ in single_files()]
    for number, content in enumerate(sources):
        path = tmp_path / str(number) / "lib.rs"
        path.parent.mkdir()
        path.write_bytes(spoil(content))
    answer = run(
        folder=tmp_path,
        burn=exact_versions()[version],
        options=("--select", "all", "--min-confidence", "low"),
    )
    assert [each["message"] for each in answer.notes if each["kind"] == "rule-crashed"] == []
    # Files with findings: of fewer the sources were spoilt too much for this to say anything.
    assert len({each.path for each in answer.found}) > len(sources) * least
