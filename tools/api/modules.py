"""The module tree of a set of crates: which items stand in which module, macros expanded, tests left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tree_sitter import Node

from tools.api import source
from tools.api.macros import expand
from tools.api.source import PARSER, attribute_text, cfg_of, flat, is_public, is_test, name_of, text

SORTS = {
    "struct_item": "struct",
    "enum_item": "enum",
    "union_item": "union",
    "trait_item": "trait",
    "type_item": "alias",
    "function_item": "fn",
    "const_item": "const",
    "static_item": "const",
    "impl_item": "impl",
}
_DEPTH_OF_MACROS = 8


@dataclass(eq=False, slots=True)
class SourceItem:
    """One item of a module; `place` is "crate/file.rs:line" for people."""

    node: Node
    attrs: tuple[str, ...]
    sort: str
    module: Module
    place: str
    expanded: bool = False

    @property
    def path(self) -> tuple[str, ...]:
        """The path of its definition."""
        return (*self.module.path, name_of(self.node))


@dataclass(slots=True)
class Use:
    """One leaf of a use declaration; `alias` is "*" for a glob."""

    segments: tuple[str, ...]
    alias: str
    public: bool
    cfg: str


@dataclass(frozen=True, slots=True)
class Binding:
    """What a name in a module stands for: the path of a definition.

    `rank` is 0 if it is defined here, 1 if imported, 2 if imported by a glob. `conditions` are the cfgs that
    were met on the way, each with the crate whose features it speaks of.
    """

    sort: str
    path: tuple[str, ...]
    public: bool
    conditions: frozenset[tuple[str, str]]
    rank: int


@dataclass(eq=False, slots=True)
class Module:
    """A module: its items and imports, and (filled by `names`) the names in its three namespaces.

    `cfgs` are the conditions of the module and of those around it.
    """

    crate: str
    path: tuple[str, ...]
    cfgs: tuple[str, ...] = ()
    items: list[SourceItem] = field(default_factory=list)
    children: dict[str, tuple[Module, bool, str]] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    names: dict[str, dict[str, Binding]] = field(
        default_factory=lambda: {"type": {}, "value": {}, "macro": {}}
    )
    foreign_globs: set[tuple[str, ...]] = field(default_factory=set)


@dataclass(slots=True)
class _Call:
    """A macro call at item level that waits for its definition."""

    node: Node
    attrs: tuple[str, ...]
    module: Module
    directory: Path
    file: Path
    place: str
    depth: int


def conditions(crate: str, cfg: str) -> frozenset[tuple[str, str]]:
    """The conditions of one declaration in a crate."""
    return frozenset({(crate, cfg)} if cfg else ())


class Sources:
    """All modules of a set of crates, by path; `crates` maps Rust names (`burn_core`) to folders."""

    def __init__(self, crates: dict[str, Path]) -> None:
        self.crates = crates
        self.modules: dict[tuple[str, ...], Module] = {}
        self.unexpanded: list[str] = []
        self.lines = 0
        self._macros: dict[tuple[str, str], str] = {}
        self._exported: dict[str, tuple[str, str]] = {}
        self._calls: list[_Call] = []
        for crate, folder in crates.items():
            root = Module(crate, (crate,))
            self._file(root, folder / "src" / "lib.rs", folder / "src")
        while self._calls:
            self._expand(self._calls.pop(0))

    def items(self, *sorts: str) -> Iterator[SourceItem]:
        """All items of these sorts, crate by crate in source order."""
        for module in self.modules.values():
            for item in module.items:
                if item.sort in sorts:
                    yield item

    def members(self, item: SourceItem) -> Iterator[tuple[Node, tuple[str, ...]]]:
        """The members of an impl or trait with their attributes; macro calls in its body are expanded."""
        body = item.node.child_by_field_name("body")
        for node, attrs in source.with_attributes(body) if body is not None else ():
            call = _macro_call(node)
            if call is None:
                yield node, attrs
                continue
            expansion = self._expansion(item.module.crate, call)
            if expansion is None:
                self.unexpanded.append(f"{item.place} {flat(call)[:60]}")
                continue
            tree = PARSER.parse(f"impl X {{ {expansion} }}".encode())
            inside = tree.root_node.named_children[0].child_by_field_name("body")
            if inside is not None:
                yield from source.with_attributes(inside)

    def _file(self, module: Module, path: Path, directory: Path) -> None:
        content = path.read_bytes()
        self.lines += content.count(b"\n")
        self.modules[module.path] = module
        self._walk(module, PARSER.parse(content).root_node, directory, path, "", 0)

    def _walk(self, module: Module, body: Node, directory: Path, file: Path, place: str, depth: int) -> None:
        for node, attrs in source.with_attributes(body):
            if is_test(attrs):
                continue
            where = place or f"{module.crate}/{file.name}:{node.start_point[0] + 1}"
            if node.type == "mod_item":
                self._module(module, node, attrs, directory, file, place, depth)
            elif node.type == "use_declaration":
                argument = node.child_by_field_name("argument")
                assert argument is not None
                for segments, alias in _use_leaves(argument, ()):
                    module.uses.append(Use(segments, alias, is_public(node), cfg_of(attrs)))
            elif node.type == "macro_definition":
                self._macros[module.crate, name_of(node)] = text(node)
                if attribute_text(attrs, "macro_export") is not None:
                    self._exported[name_of(node)] = (module.crate, name_of(node))
                    path = (module.crate, name_of(node))
                    self.modules[(module.crate,)].names["macro"][name_of(node)] = Binding(
                        "macro", path, True, conditions(module.crate, cfg_of(attrs)), 0
                    )
            elif node.type in SORTS:
                item = SourceItem(node, attrs, SORTS[node.type], module, where, bool(place))
                module.items.append(item)
            elif (call := _macro_call(node)) is not None:
                self._calls.append(_Call(call, attrs, module, directory, file, where, depth))

    def _module(
        self,
        parent: Module,
        node: Node,
        attrs: tuple[str, ...],
        directory: Path,
        file: Path,
        place: str,
        depth: int,
    ) -> None:
        name = name_of(node)
        if name in ("tests", "test"):
            return
        own = cfg_of(attrs)
        module = Module(parent.crate, (*parent.path, name), parent.cfgs + ((own,) if own else ()))
        body = node.child_by_field_name("body")
        inside = directory / name
        if body is not None:
            self.modules[module.path] = module
            parent.children[name] = (module, is_public(node), own)
            self._walk(module, body, inside, file, place, depth)
            return
        given = attribute_text(attrs, "path")
        explicit = re.search(r'"([^"]+)"', given) if given else None
        choices = (
            [file.parent / explicit.group(1)]
            if explicit
            else [directory / f"{name}.rs", directory / name / "mod.rs"]
        )
        found = next((path for path in choices if path.is_file()), None)
        if found is not None:
            parent.children[name] = (module, is_public(node), own)
            self._file(module, found, found.parent if found.name == "mod.rs" else inside)

    def _expansion(self, crate: str, call: Node) -> str | None:
        name = text(call.child_by_field_name("macro")).split("::")[-1]
        home = (crate, name) if (crate, name) in self._macros else self._exported.get(name)
        arguments = next((c for c in call.named_children if c.type == "token_tree"), None)
        if home is None or arguments is None:
            return None
        return expand(self._macros[home], text(arguments)[1:-1], home[0])

    def _expand(self, call: _Call) -> None:
        expansion = self._expansion(call.module.crate, call.node) if call.depth < _DEPTH_OF_MACROS else None
        if expansion is None:
            self.unexpanded.append(f"{call.place} {flat(call.node)[:60]}")
            return
        before = len(call.module.items)
        tree = PARSER.parse(expansion.encode())
        self._walk(call.module, tree.root_node, call.directory, call.file, call.place, call.depth + 1)
        conditions = tuple(a for a in call.attrs if a.startswith("cfg("))
        for item in call.module.items[before:]:
            item.attrs = (*conditions, *item.attrs)


def _macro_call(node: Node) -> Node | None:
    if node.type == "macro_invocation":
        return node
    if node.type == "expression_statement" and node.named_children:
        inside = node.named_children[0]
        return inside if inside.type == "macro_invocation" else None
    return None


def _use_leaves(node: Node, prefix: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Path and alias ("*" for a glob) of every leaf of a use tree."""
    if node.type == "use_as_clause":
        alias = text(node.child_by_field_name("alias"))
        yield prefix + _segments(node.child_by_field_name("path")), alias
    elif node.type == "use_wildcard":
        yield prefix + _segments(node.named_children[0] if node.named_children else None), "*"
    elif node.type == "use_list":
        for child in node.named_children:
            if child.type not in source.COMMENTS:
                yield from _use_leaves(child, prefix)
    elif node.type == "scoped_use_list":
        inside = node.child_by_field_name("list")
        assert inside is not None
        yield from _use_leaves(inside, prefix + _segments(node.child_by_field_name("path")))
    else:
        segments = _segments(node)
        if segments == ("self",) and prefix:
            yield prefix, prefix[-1]
        elif segments:
            yield prefix + segments, segments[-1]


def _segments(node: Node | None) -> tuple[str, ...]:
    segments = tuple(s.removeprefix("r#") for s in re.sub(r"\s+", "", text(node)).split("::") if s)
    return (
        ()
        if segments == ("self",)
        and node is not None
        and node.parent is not None
        and (node.parent.type == "use_as_clause")
        else segments
    )
