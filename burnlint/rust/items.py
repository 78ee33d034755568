"""The items of one Rust file, without bodies: what a file declares, seen from outside.

A `Fn` keeps a handle on its syntax so that its body can be lowered on demand (`burnlint.rust.lower.body_of`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from burnlint.rust.cfg import Condition
    from burnlint.rust.source import SourceFile
    from burnlint.rust.types import Generics, Path, Span, TypeExpr


@dataclass(slots=True, eq=False)
class Attribute:
    """`#[path(arguments)]` or `#[path = arguments]`; arguments as written, without the delimiters."""

    path: str
    arguments: str
    span: Span


@dataclass(slots=True, eq=False)
class Item:
    """Base of all items. `module` is set when the file is placed in a module tree."""

    file: SourceFile
    name: str
    name_span: Span
    span: Span
    attributes: list[Attribute]
    cfg: Condition
    public: bool
    in_test: bool
    """Inside `#[cfg(test)]`, a `#[test]`-like function, or a tests/ or benches/ target."""
    parent: Mod | None
    """The enclosing inline module, `None` at the file's top."""
    scope: Fn | None
    """The function whose body declares it, `None` for ordinary items."""

    def derives(self, name: str) -> bool:
        """Whether a `#[derive(..)]` (also behind cfg_attr) names `name`, by its last segment."""
        raise NotImplementedError


@dataclass(slots=True, eq=False)
class Use(Item):
    """One imported name: `use a::b as name;` flattened. `name` is `*` for a glob and `_` for an unnamed trait import."""

    path: Path


@dataclass(slots=True, eq=False)
class FieldDef:
    name: str
    type: TypeExpr
    span: Span
    name_span: Span
    attributes: list[Attribute]
    cfg: Condition
    public: bool


@dataclass(slots=True, eq=False)
class Struct(Item):
    generics: Generics
    fields: list[FieldDef]
    shape: str
    """named, tuple or unit; tuple fields are named "0", "1" …"""


@dataclass(slots=True, eq=False)
class Variant:
    name: str
    span: Span
    fields: list[FieldDef]
    shape: str
    attributes: list[Attribute]
    cfg: Condition


@dataclass(slots=True, eq=False)
class Enum(Item):
    generics: Generics
    variants: list[Variant]


@dataclass(slots=True, eq=False)
class Param:
    """A parameter of a function, without self. `name` is None for a pattern that is no plain binding."""

    name: str | None
    type: TypeExpr | None
    span: Span


@dataclass(slots=True, eq=False)
class Fn(Item):
    generics: Generics
    self_mode: str
    """"" for none, "self", "&self", "&mut self", or "typed" for `self: T`."""
    params: list[Param]
    result: TypeExpr | None
    is_async: bool
    is_const: bool
    owner: Impl | Trait | None
    has_body: bool
    syntax: Any
    """The syntax node, for `lower.body_of` only."""


@dataclass(slots=True, eq=False)
class Impl(Item):
    """`impl Trait for Self`; `name` is empty."""

    generics: Generics
    trait: Path | None
    self_type: TypeExpr
    fns: list[Fn]
    types: list[TypeAlias]
    consts: list[Const]


@dataclass(slots=True, eq=False)
class Trait(Item):
    generics: Generics
    supertraits: tuple[TypeExpr, ...]
    fns: list[Fn]
    types: list[TypeAlias]
    consts: list[Const]


@dataclass(slots=True, eq=False)
class TypeAlias(Item):
    """`type Name<..> = target`, also an associated type (target None where only declared)."""

    generics: Generics
    target: TypeExpr | None


@dataclass(slots=True, eq=False)
class Const(Item):
    """`const` or `static`; `value` is its text."""

    type: TypeExpr | None
    value: str | None


@dataclass(slots=True, eq=False)
class Mod(Item):
    """`mod name { .. }` (inline) or `mod name;` (then `path` holds a `#[path]` attribute's value, if any)."""

    inline: bool
    path: str | None
    items: list[Item]


@dataclass(slots=True, eq=False)
class MacroRules(Item):
    pass


@dataclass(slots=True, eq=False)
class ItemMacro(Item):
    """A macro call in item position (`thread_local! { .. }`): what it declares is unknown. `arguments` as written."""

    arguments: str


@dataclass(slots=True, eq=False)
class ExternCrate(Item):
    """`extern crate original as name;`"""

    original: str


@dataclass(slots=True, eq=False)
class FileItems:
    """All items of a file in source order. `attributes` are the inner ones (`#![..]`)."""

    items: list[Item] = field(default_factory=list)
    attributes: list[Attribute] = field(default_factory=list)
    functions: list[Fn] = field(default_factory=list)
    """Every function with a body: also in impls, traits, inline modules and bodies."""
