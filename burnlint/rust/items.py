"""The items of one Rust file, without bodies: what a file declares, seen from outside.

Names and places are read when the file is; what costs more (attributes, types of a signature, members of an
impl) is read from the syntax when it is first asked for. Nothing here holds on to a syntax tree: an item
finds its node again by its span.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from burnlint.rust import attributes, cfg
from burnlint.rust.attributes import Attribute
from burnlint.rust.signature import Param, Signature, read_signature
from burnlint.rust.typesyntax import read_generics, read_path, read_type, text_of, types_in

if TYPE_CHECKING:
    from tree_sitter import Node

    from burnlint.rust.cfg import Condition
    from burnlint.rust.source import SourceFile
    from burnlint.rust.types import Generics, Path, Span, TypeExpr

__all__ = [
    "Attribute",
    "Const",
    "Enum",
    "ExternCrate",
    "FieldDef",
    "Fn",
    "Impl",
    "Item",
    "ItemMacro",
    "MacroRules",
    "Mod",
    "Param",
    "Struct",
    "Trait",
    "TypeAlias",
    "Use",
    "Variant",
]


class Reader(Protocol):
    """What reads the inner parts of an item on demand (`burnlint.rust.itemtree`)."""

    def members(self, owner: Impl | Trait) -> list[Item]: ...

    def fields(self, struct: Struct) -> list[FieldDef]: ...

    def variants(self, enum: Enum) -> list[Variant]: ...

    def inner_items(self, function: Fn) -> list[Item]: ...


@dataclass(eq=False)
class Attributed:
    """What can carry attributes."""

    file: SourceFile = field(repr=False)
    name: str
    name_span: Span
    span: Span
    """Without outer attributes and doc comments."""
    attribute_spans: tuple[Span, ...] = field(repr=False)

    @cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        """The outer attributes; what `cfg_attr` adds is not among them."""
        return tuple(attributes.read_attribute(self.file.content, span) for span in self.attribute_spans)

    @cached_property
    def own_cfg(self) -> Condition:
        """The condition that its own attributes state."""
        return attributes.condition_of(self.attributes) if self.attribute_spans else cfg.ALWAYS

    def attribute(self, name: str) -> Attribute | None:
        """The first attribute whose path ends in `name`."""
        return next((a for a in self.attributes if a.name == name), None)

    def derives(self, name: str) -> bool:
        """Whether a `#[derive(..)]` (also behind cfg_attr) names `name`, by its last segment, or by a name that an
        import of the file gives to it."""
        if not self.attribute_spans:
            return False
        derived = attributes.derived_names(self.attributes)
        return name in derived or any(self.file.own_name(each) == name for each in derived)


@dataclass(eq=False)
class Item(Attributed):
    """Base of all items."""

    visibility: str = field(repr=False)
    """As written: "", pub, pub(crate), pub(super), pub(in path) …"""
    parent: Mod | None = field(repr=False)
    """The enclosing inline module, None at the file's top."""
    scope: Fn | None = field(repr=False)
    """The function whose body declares it, None for ordinary items."""
    block: Span | None = field(repr=False)
    """The block in whose scope an item declared in a body is."""
    owner: Impl | Trait | None = field(repr=False)
    """The impl or trait that it is a member of."""

    @property
    def public(self) -> bool:
        """Whether it is visible outside of its module at all."""
        return bool(self.visibility)

    @property
    def outer(self) -> Item | None:
        """The item that directly encloses it."""
        return self.owner or self.scope or self.parent

    @cached_property
    def cfg(self) -> Condition:
        """The presence condition, as far as the file itself states it (the module tree may add more)."""
        # Not by recursion: items may be nested a thousand deep.
        own: list[Condition] = []
        at: Item | None = self
        while at is not None and "cfg" not in at.__dict__:
            if at.attribute_spans:
                own.append(at.own_cfg)
            at = at.outer
        around = at.cfg if at is not None else self.file.cfg
        return cfg.conjunction((around, *reversed(own))) if own else around

    @property
    def in_test(self) -> bool:
        """Inside `#[cfg(test)]`, a `#[test]`-like function, or a file of test code."""
        return self.file.test_only or self._in_test_code

    @cached_property
    def _in_test_code(self) -> bool:
        at: Item | None = self
        while at is not None:
            if at.attribute_spans and at._marks_test:
                return True
            at = at.outer
        return False

    @cached_property
    def _marks_test(self) -> bool:
        """Whether its own attributes make it test code."""
        return cfg.is_test_only(self.own_cfg) or attributes.marks_test(self.attributes)

    @cached_property
    def generics(self) -> Generics:
        """Generics and where-clause."""
        return read_generics(self.file.content, self.node())

    def node(self) -> Node:
        """The syntax node; for this package only."""
        return self.file.node_at(self.span)

    def _child(self, name: str) -> Node | None:
        return self.node().child_by_field_name(name)

    def _type(self, name: str) -> TypeExpr | None:
        node = self._child(name)
        return read_type(self.file.content, node) if node is not None else None

    def _bounds(self) -> tuple[TypeExpr, ...]:
        node = self._child("bounds")
        return types_in(self.file.content, node) if node is not None else ()


@dataclass(eq=False)
class Use(Item):
    """One imported name: `use a::b as name;` flattened. `name` is `*` for a glob and `_` for an unnamed
    trait import."""

    path: Path
    only_types: bool
    """`use a::{self}`: imports `a` as a type or module, not as a value or macro."""


@dataclass(eq=False)
class FieldDef(Attributed):
    type: TypeExpr
    public: bool
    owner: Struct | Variant = field(repr=False)

    @property
    def cfg(self) -> Condition:
        """The presence condition, that of the struct or variant included."""
        return self.owner.cfg & self.own_cfg


@dataclass(eq=False)
class Struct(Item):
    """A struct, or a union."""

    shape: str
    """named, tuple or unit; tuple fields are named "0", "1" …"""

    @cached_property
    def fields(self) -> list[FieldDef]:
        """The fields in source order; twins under different conditions are all there."""
        return self.file.reader.fields(self)


@dataclass(eq=False)
class Variant(Attributed):
    shape: str
    owner: Enum = field(repr=False)
    fields: list[FieldDef] = field(repr=False)

    @property
    def cfg(self) -> Condition:
        """The presence condition, that of the enum included."""
        return self.owner.cfg & self.own_cfg


@dataclass(eq=False)
class Enum(Item):
    @cached_property
    def variants(self) -> list[Variant]:
        """The variants in source order."""
        return self.file.reader.variants(self)


@dataclass(eq=False)
class Fn(Item):
    has_body: bool

    @cached_property
    def _signature(self) -> Signature:
        return read_signature(self.file.content, self.node())

    @property
    def self_mode(self) -> str:
        """ "" for none, "self", "&self", "&mut self", or "typed" for `self: T`."""
        return self._signature.self_mode

    @property
    def self_type(self) -> TypeExpr | None:
        """T of `self: T`."""
        return self._signature.self_type

    @property
    def params(self) -> tuple[Param, ...]:
        """The parameters without self."""
        return self._signature.params

    @property
    def result(self) -> TypeExpr | None:
        """The return type; None where none is written, which means `()`."""
        return self._signature.result

    @property
    def is_async(self) -> bool:
        return "async" in self._signature.modifiers

    @property
    def is_const(self) -> bool:
        return "const" in self._signature.modifiers

    @property
    def is_unsafe(self) -> bool:
        return "unsafe" in self._signature.modifiers

    @cached_property
    def inner_items(self) -> list[Item]:
        """Items declared in the body, in source order; not those inside of nested functions."""
        return self.file.reader.inner_items(self) if self.has_body else []


@dataclass(eq=False)
class _WithMembers(Item):
    @cached_property
    def members(self) -> list[Item]:
        """Functions, types, constants and macro calls in source order."""
        return self.file.reader.members(self)  # type: ignore[arg-type]

    @property
    def fns(self) -> list[Fn]:
        return [member for member in self.members if isinstance(member, Fn)]

    @property
    def types(self) -> list[TypeAlias]:
        return [member for member in self.members if isinstance(member, TypeAlias)]

    @property
    def consts(self) -> list[Const]:
        return [member for member in self.members if isinstance(member, Const)]


@dataclass(eq=False)
class Impl(_WithMembers):
    """`impl Trait for Self`; `name` is empty."""

    @cached_property
    def trait(self) -> Path | None:
        """The implemented trait; None for an inherent impl."""
        node = self._child("trait")
        return read_path(self.file.content, node) if node is not None else None

    @cached_property
    def self_type(self) -> TypeExpr | None:
        """The type after `for`, or after `impl`; None in broken code."""
        return self._type("type")

    @cached_property
    def negative(self) -> bool:
        """`impl !Trait for Self`."""
        return any(child.type == "!" for child in self.node().children)


@dataclass(eq=False)
class Trait(_WithMembers):
    @cached_property
    def supertraits(self) -> tuple[TypeExpr, ...]:
        return self._bounds()


@dataclass(eq=False)
class TypeAlias(Item):
    """`type Name<..> = target`, also an associated type."""

    @cached_property
    def target(self) -> TypeExpr | None:
        """None where only declared."""
        return self._type("type")

    @cached_property
    def bounds(self) -> tuple[TypeExpr, ...]:
        """The bounds of an associated type."""
        return self._bounds()


@dataclass(eq=False)
class Const(Item):
    """`const` or `static`."""

    @cached_property
    def type(self) -> TypeExpr | None:
        return self._type("type")

    @cached_property
    def value(self) -> str | None:
        """Its text; None where only declared."""
        node = self._child("value")
        return text_of(self.file.content, node) if node is not None else None


@dataclass(eq=False)
class Mod(Item):
    """`mod name { .. }` (inline) or `mod name;`."""

    inline: bool
    items: list[Item] = field(repr=False)

    @cached_property
    def path(self) -> str | None:
        """The value of a `#[path = ".."]` attribute, also behind cfg_attr."""
        return attributes.path_of(self.attributes)


@dataclass(eq=False)
class MacroRules(Item):
    """`macro_rules! name { .. }`."""


@dataclass(eq=False)
class ItemMacro(Item):
    """A macro call in item position (`thread_local! { .. }`): what it declares is unknown. `name` is the
    macro's path."""

    @cached_property
    def arguments(self) -> str:
        """The tokens as written, with the delimiters."""
        node = self.node()
        last = node.child(node.child_count - 1)
        return text_of(self.file.content, last) if last is not None and last.type == "token_tree" else ""


@dataclass(eq=False)
class ExternCrate(Item):
    """`extern crate original as name;`"""

    original: str
