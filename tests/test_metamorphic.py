"""Rewriting a program without changing what it means changes no finding.

Each rewriting keeps the number of lines, so that findings are compared line by line. It runs over all
fixtures: what fires has to go on firing, and what is silent stays silent.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support import Found, run
from test_fixtures import exact_versions, identity, single_files
from tree_sitter import Node

from burnlint.burn.api import Api
from burnlint.burn.infer import World
from burnlint.burn.macros import BURN_MACROS
from burnlint.burn.signature import Signature
from burnlint.rust import hir
from burnlint.rust.lower import body_of
from burnlint.rust.modules import Crate
from burnlint.rust.parser import parse
from burnlint.rust.source import SourceFile

SOURCES = [(path, version) for path, version in single_files() if "compile_fail" not in path.parts]


@dataclass(frozen=True)
class Source:
    """A fixture file and its syntax tree."""

    content: bytes
    version: str
    """An exact version of burn."""
    root: Node

    def nodes(self, *kinds: str) -> Iterator[Node]:
        pending = [self.root]
        while pending:
            node = pending.pop()
            if not kinds or node.type in kinds:
                yield node
            pending.extend(reversed(node.children))

    def text(self, node: Node) -> str:
        return self.content[node.start_byte : node.end_byte].decode()


Edit = tuple[int, int, str]
"""A span of bytes and what stands there instead."""


def applied(source: Source, edits: list[Edit]) -> bytes:
    """The file with all edits made; of insertions at one place the one listed first stands first."""
    out, at = [], 0
    for start, end, text in sorted(edits, key=lambda edit: (edit[0], edit[1])):
        out += [source.content[at:start], text.encode()]
        at = end
    return b"".join([*out, source.content[at:]])


def around(node: Node, before: str, after: str) -> list[Edit]:
    return [(node.start_byte, node.start_byte, before), (node.end_byte, node.end_byte, after)]


def field(node: Node, name: str) -> Node:
    found = node.child_by_field_name(name)
    assert found is not None
    return found


# The rewritings


def windows_line_ends(source: Source) -> bytes:
    return source.content.replace(b"\n", b"\r\n")


def other_names_of_bindings(source: Source) -> bytes:
    """Bindings of functions get other names, with letters beyond ASCII. A name that stands for something else
    too, or that a comment or a string holds, keeps its own."""
    bound = {
        source.text(pattern)
        for node in source.nodes("let_declaration", "parameter", "for_expression")
        for pattern in source_patterns(field(node, "pattern"))
    }
    fixed = {source.text(node) for node in source.nodes("shorthand_field_identifier", "field_identifier")}
    for node in source.nodes("shorthand_field_initializer", "macro_definition", "use_declaration"):
        fixed.update(source.text(inner) for inner in node.children)
        fixed.update(re.findall(r"\w+", source.text(node)))
    for node in source.nodes():
        if node.type in ("line_comment", "block_comment", "string_literal", "attribute_item"):
            fixed.update(re.findall(r"\w+", source.text(node)))
        named = node.child_by_field_name("name")
        if named is not None:
            fixed.add(source.text(named))
    changed = bound - fixed
    return applied(
        source,
        [
            (node.end_byte, node.end_byte, "_größe")
            for node in source.nodes("identifier")
            if source.text(node) in changed
        ],
    )


def source_patterns(pattern: Node) -> Iterator[Node]:
    """The plain bindings of a pattern."""
    if pattern.type == "identifier":
        yield pattern
    elif pattern.type in ("tuple_pattern", "mut_pattern", "ref_pattern"):
        for child in pattern.named_children:
            yield from source_patterns(child)


def in_parentheses(source: Source) -> bytes:
    """Values of `let`, receivers of methods and arguments stand in parentheses."""
    edits: list[Edit] = []
    for node in source.nodes("let_declaration"):
        if (value := node.child_by_field_name("value")) is not None:
            edits += around(value, "(", ")")
    for call in source.nodes("call_expression"):
        callee = field(call, "function")
        if callee.type == "field_expression":
            edits += around(field(callee, "value"), "(", ")")
        for argument in field(call, "arguments").named_children:
            if "comment" not in argument.type and argument.type != "attribute_item":
                edits += around(argument, "(", ")")
    return applied(source, nested(edits))


def nested(edits: list[Edit]) -> list[Edit]:
    """Insertions at one place: those that close come before those that open."""
    return sorted(edits, key=lambda edit: (edit[0], edit[2] != ")"))


def lets(source: Source) -> Iterator[tuple[Node, Node, Node]]:
    """Each `let` of a plain binding, with its pattern and value."""
    for node in source.nodes("let_declaration"):
        pattern, value = field(node, "pattern"), node.child_by_field_name("value")
        plain = pattern.type == "identifier" and node.child_by_field_name("alternative") is None
        attributed = node.prev_named_sibling is not None and node.prev_named_sibling.type == "attribute_item"
        if plain and value is not None and not attributed and not source.text(pattern).startswith("_"):
            yield node, pattern, value


def split_lets(source: Source) -> bytes:
    """`let x = value;` becomes `let part = value; let x = part;`."""
    edits: list[Edit] = []
    for node, pattern, value in lets(source):
        head = source.content[node.start_byte : value.start_byte].decode()
        breaks = "\n" * head.count("\n")
        edits.append((node.start_byte, value.start_byte, f"let part{_annotation(source, node)} = {breaks}"))
        edits.append((value.end_byte, value.end_byte, f"; {' '.join(head.split())} part"))
        assert source.text(pattern) in head
    return applied(source, edits)


def _annotation(source: Source, let: Node) -> str:
    kind = let.child_by_field_name("type")
    return f": {source.text(kind)}" if kind is not None else ""


def through_a_block(source: Source) -> bytes:
    return applied(source, [edit for *_, value in lets(source) for edit in around(value, "{ ", " }")])


def through_a_function(source: Source) -> bytes:
    """A helper gives back what it is given."""
    edits = [edit for *_, value in lets(source) for edit in around(value, "same_as_given(", ")")]
    for node in source.nodes("declaration_list", "source_file"):
        if node.type == "source_file" or (node.parent is not None and node.parent.type == "mod_item"):
            end = node.end_byte - (node.type != "source_file")
            edits.append((end, end, " fn same_as_given<T>(value: T) -> T { value }"))
    return applied(source, edits)


def with_unrelated_statements(source: Source) -> bytes:
    """Before each statement stands one that has nothing to do with it."""
    edits: list[Edit] = [
        (node.start_byte, node.start_byte, "let _unrelated = 1 + 1; ")
        for node in source.nodes("let_declaration", "expression_statement")
        if node.parent is not None
        and node.parent.type == "block"
        and node.end_byte < node.parent.end_byte - 1
        and (node.prev_named_sibling is None or node.prev_named_sibling.type != "attribute_item")
    ]
    return applied(source, edits)


def in_a_module(source: Source) -> bytes:
    if b"crate::" in source.content:
        return source.content
    return b"mod around { " + source.content.rstrip() + b" }\n"


def with_comments_in_chains(source: Source) -> bytes:
    edits: list[Edit] = [
        (node.children[1].start_byte, node.children[1].start_byte, " /* then */ ")
        for node in source.nodes("field_expression")
        if len(node.children) == 3
    ]
    return applied(source, edits)


def types_by_an_alias(source: Source) -> bytes:
    """What is imported from burn gets a name that does not hold its own: `use burn::tensor::Tensor as Alias1`."""
    imported: dict[str, list[Node]] = {}
    for use in source.nodes("use_declaration"):
        if source.text(field(use, "argument")).split("::")[0] != "burn":
            continue
        for leaf in _leaves(field(use, "argument")):
            imported.setdefault(source.text(leaf), []).append(leaf)
    others = {
        source.text(named)
        for node in source.nodes()
        if node.type.endswith("_item") and (named := node.child_by_field_name("name")) is not None
    }
    other_imports = "".join(
        source.text(use)
        for use in source.nodes("use_declaration")
        if source.text(field(use, "argument")).split("::")[0] != "burn"
    )
    # What an attribute names (`#[derive(Module)]`) keeps its name.
    attributes = "".join(source.text(node) for node in source.nodes("attribute_item"))
    edits: list[Edit] = []
    for number, (name, places) in enumerate(imported.items()):
        if not name[:1].isupper() or name in others or name in other_imports or name in attributes:
            continue
        edits += [(leaf.end_byte, leaf.end_byte, f" as Alias{number}") for leaf in places]
        for node in source.nodes("identifier", "type_identifier"):
            if source.text(node) == name and not _in_use(node) and not _behind_a_path(node):
                edits.append((node.start_byte, node.end_byte, f"Alias{number}"))
    return applied(source, edits)


def _leaves(tree: Node) -> Iterator[Node]:
    """The names that a `use` brings in, those with another name left out."""
    match tree.type:
        case "scoped_identifier":
            yield field(tree, "name")
        case "identifier":
            yield tree
        case "use_list":
            for child in tree.named_children:
                yield from _leaves(child)
        case "scoped_use_list":
            yield from _leaves(field(tree, "list"))


def _in_use(node: Node) -> bool:
    at: Node | None = node
    while at is not None:
        if at.type == "use_declaration":
            return True
        at = at.parent
    return False


def _behind_a_path(node: Node) -> bool:
    """Whether `a::` stands before it: then the path says which it is."""
    parent = node.parent
    scoped = parent is not None and parent.type in ("scoped_identifier", "scoped_type_identifier")
    if scoped:
        assert parent is not None
        return parent.child_by_field_name("name") == node
    return node.prev_sibling is not None and node.prev_sibling.type == "::"


def path_calls(source: Source) -> bytes:
    """`x.mean()` becomes `burn::tensor::Tensor::mean(x)`, where burnlint knows what is called."""
    file = SourceFile("src/lib.rs", source.content)
    crate = Crate("demo", "src/lib.rs", {"src/lib.rs": file}.get, {"burn": "burn"})
    world = World([crate], Api.load(source.version))
    edits: list[Edit] = []
    for fn in file.items.functions:
        body = body_of(fn, BURN_MACROS)
        types = world.types_of(body)
        for e in reversed(body.exprs):
            callee = types.callee(e) if isinstance(e, hir.MethodCall) else None
            # Where several impls have the method, rustc wants to know which one.
            one = isinstance(e, hir.MethodCall) and len(world.api.method("Tensor", e.name)) == 1
            if one and isinstance(e, hir.MethodCall) and callee is not None and callee.signature is not None:
                edits += _as_path_call(source, e, callee.signature)
    return applied(source, edits)


def _as_path_call(source: Source, call: hir.MethodCall, callee: Signature) -> list[Edit]:
    text = source.content[slice(*call.span)]
    end = call.receiver.span[1]
    name_end = call.name_span[1]
    turbofish = source.content[name_end : name_end + 1] != b"("
    inside_macro = not source.content[end : call.name_span[0]].strip().startswith(b".")
    if callee.owner != "Tensor" or callee.self_mode not in ("self", "&self") or b"\n" in text:
        return []
    if turbofish or inside_macro or text[: len(text) - (call.span[1] - end)].startswith(b"*"):
        return []
    path = f"burn::tensor::Tensor::{call.name}({'&' if callee.self_mode == '&self' else ''}"
    return [(call.span[0], call.span[0], path), (end, name_end + 1, ", " if call.args else "")]


REWRITINGS: list[Callable[[Source], bytes]] = [
    windows_line_ends,
    other_names_of_bindings,
    in_parentheses,
    split_lets,
    through_a_block,
    through_a_function,
    with_unrelated_statements,
    in_a_module,
    with_comments_in_chains,
    types_by_an_alias,
    path_calls,
]


MISSED: dict[tuple[str, str], str] = {
    ("through_a_function", "require-grad-before-to-device"): "the rule looks at what a binding is given",
    ("path_calls", "redundant-tensor-clone"): "moves into path calls are read by syntax",
    ("through_a_function", "batch-size-assumed"): "a batch is followed through its own function only",
    ("through_a_function", "mask-where-torch-order"): "another name of a tensor is one that a `let` gives it",
    ("through_a_block", "cube-count-floor-division"): "a kernel and its launch are read by syntax",
    ("through_a_function", "kernel-missing-bounds-guard"): "a kernel is read by syntax",
    ("through_a_block", "kernel-missing-bounds-guard"): "a kernel is read by syntax",
}
"""Findings of a rule that a rewriting loses, and why. None of them may be new."""


def findings(contents: dict[Path, bytes], version: str) -> dict[Path, list[Found]]:
    """The findings of all rules in files that know nothing of each other."""
    with TemporaryDirectory() as folder:
        for number, content in enumerate(contents.values()):
            path = Path(folder, str(number), "lib.rs")
            path.parent.mkdir()
            path.write_bytes(content)
        answer = run(
            folder=Path(folder), burn=version, options=("--select", "all", "--min-confidence", "low")
        )
    assert answer.notes == []
    found: dict[Path, list[Found]] = {path: [] for path in contents}
    for each in answer.found:
        found[list(contents)[int(each.path.split("/")[0])]].append(each)
    return found


@cache
def sources(version: str) -> dict[Path, Source]:
    out = {}
    for path, minor in SOURCES:
        if minor == version:
            content = path.read_bytes()
            out[path] = Source(content, exact_versions()[minor], parse(content).root_node)
    return out


@cache
def before(version: str) -> dict[Path, list[Found]]:
    contents = {path: source.content for path, source in sources(version).items()}
    return findings(contents, exact_versions()[version])


@cache
def after(rewriting: Callable[[Source], bytes], version: str) -> dict[Path, list[Found]]:
    contents = {path: rewriting(source) for path, source in sources(version).items()}
    return findings(contents, exact_versions()[version])


def keys(found: list[Found]) -> Counter[tuple[int, str, str]]:
    return Counter((each.line, each.name, each.confidence) for each in found)


@pytest.mark.parametrize("rewriting", REWRITINGS, ids=lambda rewriting: rewriting.__name__)
@pytest.mark.parametrize(("path", "version"), SOURCES, ids=identity)
def test_the_findings_stay(rewriting: Callable[[Source], bytes], path: Path, version: str) -> None:
    expected, found = keys(before(version)[path]), keys(after(rewriting, version)[path])
    text = rewriting(sources(version)[path]).decode().splitlines()
    lost = [
        f"lost {key}: {text[key[0] - 1].strip()}"
        for key in expected - found
        if (rewriting.__name__, key[1]) not in MISSED
    ]
    new = [f"new {key}: {text[key[0] - 1].strip()}" for key in found - expected]
    assert not lost + new, "\n" + "\n".join(lost + new)


@pytest.mark.parametrize(("name", "rule"), MISSED)
def test_what_is_accepted_as_lost_is_lost(name: str, rule: str) -> None:
    """An entry of `MISSED` that is found meanwhile has to go."""
    [rewriting] = [each for each in REWRITINGS if each.__name__ == name]
    versions = dict.fromkeys(version for _, version in SOURCES)
    lost = (
        key
        for version in versions
        for path in sources(version)
        for key in keys(before(version)[path]) - keys(after(rewriting, version)[path])
    )
    assert any(key[1] == rule for key in lost)


@pytest.mark.parametrize("rewriting", REWRITINGS, ids=lambda rewriting: rewriting.__name__)
def test_the_rewriting_is_one(rewriting: Callable[[Source], bytes]) -> None:
    """It changes most fixtures, keeps their lines, and what it gives parses as well as what it is given."""
    changed = 0
    for version in dict.fromkeys(version for _, version in SOURCES):
        for path, source in sources(version).items():
            content = rewriting(source)
            changed += content != source.content
            assert content.count(b"\n") == source.content.rstrip().count(b"\n") + 1, path
            assert parse(content).root_node.has_error <= source.root.has_error, path
    assert changed > len(SOURCES) / 2
