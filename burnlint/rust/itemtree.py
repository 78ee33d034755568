"""From a syntax tree to the items of a file (`burnlint.rust.items`)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from tree_sitter import Node

from burnlint.rust.attributes import read_attribute
from burnlint.rust.file_items import FileItems
from burnlint.rust.items import (
    Const,
    Enum,
    ExternCrate,
    FieldDef,
    Fn,
    Impl,
    Item,
    ItemMacro,
    MacroRules,
    Mod,
    Struct,
    Trait,
    TypeAlias,
    Use,
    Variant,
)
from burnlint.rust.types import Path, Segment, Span
from burnlint.rust.typesyntax import name_of, read_type, text_of

if TYPE_CHECKING:
    from burnlint.rust.source import SourceFile

_DECLARES = re.compile(
    rb"\b(?:fn|use|struct|enum|union|impl|trait|type|const|static|mod|extern|macro_rules)\b"
)
"""What a body that declares items has somewhere."""


class Place:
    """Where items are declared: what encloses them."""

    __slots__ = ("block", "owner", "parent", "scope")

    def __init__(
        self,
        parent: Mod | None = None,
        scope: Fn | None = None,
        block: Span | None = None,
        owner: Impl | Trait | None = None,
    ) -> None:
        self.parent = parent
        self.scope = scope
        self.block = block
        self.owner = owner


_TOP = Place()

Head = tuple[
    "SourceFile",
    str,
    Span,
    Span,
    tuple[Span, ...],
    str,
    "Mod | None",
    "Fn | None",
    "Span | None",
    "Impl | Trait | None",
]
"""The first arguments of every item class."""


class ItemReader:
    """Reads the items of one file: the outline at once, inner parts when an item asks for them."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.content = file.content

    def read(self) -> FileItems:
        """The items of the file; those in inline modules too, members of impls and bodies not yet."""
        root = self.file.tree.root_node
        inner = (child for child in root.children if child.type == "inner_attribute_item")
        attributes = tuple(read_attribute(self.content, _span(child)) for child in inner)
        top: list[Item] = []
        todo: list[tuple[Node, Place, list[Item]]] = [(root, _TOP, top)]
        while todo:
            node, place, out = todo.pop()
            for item, child in self._declared(node, place):
                out.append(item)
                if isinstance(item, Mod) and item.inline:
                    body = child.child_by_field_name("body")
                    if body is not None:
                        todo.append((body, Place(item), item.items))
        return FileItems(top, attributes, self.content)

    def members(self, owner: Impl | Trait) -> list[Item]:
        """The members of an impl or trait."""
        body = owner.node().child_by_field_name("body")
        if body is None:
            return []
        place = Place(owner.parent, owner.scope, owner.block, owner)
        return [item for item, _ in self._declared(body, place)]

    def inner_items(self, function: Fn) -> list[Item]:
        """The items in the blocks of a function's body."""
        words = _DECLARES.finditer(self.content, function.name_span[1], function.span[1])
        places = [match.start() for match in words]
        if not places:
            return []
        body = function.node().child_by_field_name("body")
        found: list[Item] = []
        stack = [body] if body is not None else []
        while stack:
            node = stack.pop()
            if not _holds_one(node, places):
                continue
            if node.type == "block":
                place = Place(function.parent, function, _span(node))
                found.extend(
                    item for item, _ in self._declared(node, place) if not isinstance(item, ItemMacro)
                )
            stack.extend(child for child in node.named_children if child.type not in _READERS)
        found.sort(key=lambda item: item.span)
        return found

    def fields(self, struct: Struct) -> list[FieldDef]:
        """The fields of a struct."""
        return self._fields(struct.node(), struct)

    def variants(self, enum: Enum) -> list[Variant]:
        """The variants of an enum with their fields."""
        body = enum.node().child_by_field_name("body")
        variants: list[Variant] = []
        for child, attributes in _with_attributes(body.named_children if body is not None else []):
            name = child.child_by_field_name("name")
            if child.type == "enum_variant" and name is not None:
                head = (name_of(self.content, name), _span(name), _span(child), attributes)
                variant = Variant(self.file, *head, _shape(child), enum, [])
                variant.fields = self._fields(child, variant)
                variants.append(variant)
        return variants

    def _fields(self, node: Node, owner: Struct | Variant) -> list[FieldDef]:
        body = node.child_by_field_name("body")
        fields: list[FieldDef] = []
        public = False
        for child, attributes in _with_attributes(body.named_children if body is not None else []):
            kind = child.type
            if kind == "field_declaration":
                name, type_ = child.child_by_field_name("name"), child.child_by_field_name("type")
                if name is None or type_ is None:
                    continue
                first = child.child(0)
                public = first is not None and first.type == "visibility_modifier"
                head = (name_of(self.content, name), _span(name), _span(child), attributes)
                fields.append(FieldDef(self.file, *head, read_type(self.content, type_), public, owner))
            elif kind == "visibility_modifier":
                public = True
            elif body is not None and body.type == "ordered_field_declaration_list" and kind != "ERROR":
                head = (str(len(fields)), _span(child), _span(child), attributes)
                fields.append(FieldDef(self.file, *head, read_type(self.content, child), public, owner))
                public = False
        return fields

    def _declared(self, node: Node, place: Place) -> Iterator[tuple[Item, Node]]:
        """The items among the children of a node, with their nodes; also those that an ERROR node holds
        whole."""
        for child, attributes in _with_attributes(node.named_children):
            kind = child.type
            read = _READERS.get(kind)
            if read is not None:
                for item in read(self, child, place, attributes):
                    yield item, child
            elif kind == "expression_statement":
                macro = child.child(0)
                if macro is not None and macro.type == "macro_invocation" and place.scope is None:
                    for item in self._item_macro(macro, place, attributes):
                        yield item, macro
            elif kind == "ERROR":
                yield from self._declared(child, place)

    def _head(self, node: Node, name: Node | None, place: Place, attributes: tuple[Span, ...]) -> Head:
        start = node.start_byte
        visibility = ""
        if self.content.startswith((b"pub", b"crate"), start):
            first = node.child(0)
            if first is not None and first.type == "visibility_modifier":
                visibility = text_of(self.content, first)
        return (
            self.file,
            name_of(self.content, name) if name is not None else "",
            _span(name) if name is not None else (start, start),
            (start, node.end_byte),
            attributes,
            visibility,
            place.parent,
            place.scope,
            place.block,
            place.owner,
        )

    def _named(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Head:
        return self._head(node, node.child_by_field_name("name"), place, attributes)

    def _function(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        yield Fn(*self._named(node, place, attributes), node.type == "function_item")

    def _struct(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        yield Struct(*self._named(node, place, attributes), _shape(node))

    def _enum(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        yield Enum(*self._named(node, place, attributes))

    def _impl(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        yield Impl(*self._head(node, None, place, attributes))

    def _trait(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        yield Trait(*self._named(node, place, attributes))

    def _alias(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        yield TypeAlias(*self._named(node, place, attributes))

    def _const(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        yield Const(*self._named(node, place, attributes))

    def _mod(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        inline = node.child_by_field_name("body") is not None
        yield Mod(*self._named(node, place, attributes), inline, [])

    def _extern_crate(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        original = node.child_by_field_name("name")
        name = node.child_by_field_name("alias") or original
        if original is not None:
            head = self._head(node, name, place, attributes)
            yield ExternCrate(*head, name_of(self.content, original))

    def _foreign(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        body = node.child_by_field_name("body")
        if body is not None:
            for child, own in _with_attributes(body.named_children):
                if child.type == "function_signature_item":
                    yield Fn(*self._named(child, place, attributes + own), False)
                elif child.type == "static_item":
                    yield Const(*self._named(child, place, attributes + own))

    def _macro_rules(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        yield MacroRules(*self._named(node, place, attributes))

    def _item_macro(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        yield ItemMacro(*self._head(node, node.child_by_field_name("macro"), place, attributes))

    def _use(self, node: Node, place: Place, attributes: tuple[Span, ...]) -> Iterator[Item]:
        argument = node.child_by_field_name("argument")
        if argument is None:
            return
        head = self._head(node, None, place, attributes)
        for segments, leading, leaf, name in self._use_leaves(argument):
            only_types = leaf.type == "self" or (leaf.type == "use_as_clause" and segments[-1:] == ("self",))
            if segments[-1:] == ("self",) and len(segments) > 1:
                segments = segments[:-1]
            if not segments:
                continue
            path = Path(tuple(Segment(each) for each in segments), _span(leaf), leading)
            shown = segments[-1] if name == "self" else name
            yield Use(head[0], shown, _span(leaf), *head[3:], path, only_types)

    def _use_leaves(self, argument: Node) -> Iterator[tuple[tuple[str, ...], bool, Node, str]]:
        """Each imported name of a use tree: its path without `*`, whether that starts with `::`, its node,
        its name here."""
        stack: list[tuple[Node, tuple[str, ...], bool]] = [(argument, (), False)]
        while stack:
            node, prefix, leading = stack.pop()
            kind = node.type
            if kind == "use_list":
                stack.extend((child, prefix, leading) for child in reversed(node.named_children))
            elif kind == "scoped_use_list":
                path, inner = node.child_by_field_name("path"), node.child_by_field_name("list")
                names, rooted = self._use_path(path) if path is not None else ((), not prefix)
                if inner is not None:
                    stack.append((inner, prefix + names, leading or rooted))
            elif kind == "use_wildcard":
                path = next((child for child in node.named_children if child.type in _USE_PATHS), None)
                names, rooted = self._use_path(path) if path is not None else ((), not prefix)
                yield prefix + names, leading or rooted, node, "*"
            elif kind == "use_as_clause":
                path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
                if path is not None and alias is not None:
                    names, rooted = self._use_path(path)
                    yield prefix + names, leading or rooted, node, name_of(self.content, alias)
            elif kind in _USE_PATHS:
                names, rooted = self._use_path(node)
                if names:
                    yield prefix + names, leading or rooted, node, names[-1]

    def _use_path(self, node: Node) -> tuple[tuple[str, ...], bool]:
        """The segments of a path in a use tree, and whether it starts with `::`."""
        names: list[str] = []
        step: Node | None = node
        while step is not None and step.type == "scoped_identifier":
            name = step.child_by_field_name("name")
            if name is not None:
                names.append(name_of(self.content, name))
            step = step.child_by_field_name("path")
            if step is None:
                return tuple(reversed(names)), True
        if step is not None:
            names.append(name_of(self.content, step))
        return tuple(reversed(names)), False


_USE_PATHS = frozenset({"identifier", "scoped_identifier", "self", "crate", "super", "metavariable"})

_Read = Callable[[ItemReader, Node, Place, "tuple[Span, ...]"], Iterator[Item]]

_READERS: dict[str, _Read] = {
    "function_item": ItemReader._function,
    "function_signature_item": ItemReader._function,
    "struct_item": ItemReader._struct,
    "union_item": ItemReader._struct,
    "enum_item": ItemReader._enum,
    "impl_item": ItemReader._impl,
    "trait_item": ItemReader._trait,
    "type_item": ItemReader._alias,
    "associated_type": ItemReader._alias,
    "const_item": ItemReader._const,
    "static_item": ItemReader._const,
    "mod_item": ItemReader._mod,
    "use_declaration": ItemReader._use,
    "extern_crate_declaration": ItemReader._extern_crate,
    "foreign_mod_item": ItemReader._foreign,
    "macro_definition": ItemReader._macro_rules,
    "macro_invocation": ItemReader._item_macro,
}
ITEM_KINDS = frozenset(_READERS) - {"macro_invocation"}
"""Node types of declarations."""


def _span(node: Node) -> Span:
    return node.start_byte, node.end_byte


def _holds_one(node: Node, places: list[int]) -> bool:
    """Whether one of the ascending places lies in a node."""
    at = bisect_left(places, node.start_byte)
    return at < len(places) and places[at] < node.end_byte


def _shape(node: Node) -> str:
    body = node.child_by_field_name("body")
    if body is None:
        return "unit"
    return "tuple" if body.type == "ordered_field_declaration_list" else "named"


def _with_attributes(children: list[Node]) -> Iterator[tuple[Node, tuple[Span, ...]]]:
    """The children that are neither comments nor attributes, each with the spans of the attributes before
    it."""
    attributes: tuple[Span, ...] = ()
    for child in children:
        kind = child.type
        if kind == "attribute_item":
            attributes = (*attributes, (child.start_byte, child.end_byte))
        elif kind != "line_comment" and kind != "block_comment":
            yield child, attributes
            if kind != "visibility_modifier":
                attributes = ()
