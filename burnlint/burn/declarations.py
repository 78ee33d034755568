"""Structs and enums as the derives of burn see them: what is derived, each field with its type and its
attributes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from burnlint.burn import terms
from burnlint.burn.module_types import PLAIN_ATTRIBUTES, Contents, is_primitive
from burnlint.lint.finding import Edit, Place
from burnlint.rust import types as rt
from burnlint.rust.attributes import Attribute
from burnlint.rust.items import Enum, FieldDef, Struct, Variant

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.terms import Term
    from burnlint.burn.view import FileView
    from burnlint.rust.source import SourceFile

_WORD = re.compile(rb"(?<=[(,])\s*((?:::)?\w+(?:\s*::\s*\w+)*)\s*(?=[),])")
_DEFAULT = re.compile(rb"#\[\s*config\s*\(\s*\w+\s*=\s*(.*?)\s*,?\s*\)\s*\]\Z", re.DOTALL)
_KEYWORD = re.compile(rb"(?:struct|enum)\b")
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Word:
    """A name in the arguments of an attribute."""

    path: str
    place: Place

    @property
    def name(self) -> str:
        """The last segment."""
        return self.path.rpartition("::")[2]


class Declaration:
    """A struct or enum of a file."""

    def __init__(self, file: FileView, item: Struct | Enum) -> None:
        self.file = file
        self.item = item
        self.name = item.name

    @property
    def name_place(self) -> Place:
        """Its name where it is declared."""
        return Place(self.file.path, *self.item.name_span)

    @property
    def is_enum(self) -> bool:
        return isinstance(self.item, Enum)

    @property
    def is_tuple(self) -> bool:
        """Whether it is a tuple struct that has a field."""
        return isinstance(self.item, Struct) and self.item.shape == "tuple" and bool(self.item.fields)

    @cached_property
    def derives(self) -> list[Word]:
        """What its `#[derive(..)]` attributes name, in order; what stands behind cfg_attr is left out."""
        return [w for a in self.item.attributes if a.path == "derive" for w in words(self.file.source, a)]

    def derived(self, *names: str) -> list[Word]:
        """Those of the derives that have one of these names, also where an import gave them another one."""
        own_name = self.file.source.own_name
        return [word for word in self.derives if own_name(word.name) in names]

    def derives_only(self, names: Collection[str]) -> bool:
        """Whether all of the derives have one of these names."""
        return len(self.derived(*names)) == len(self.derives)

    def derives_of_burn(self, name: str) -> Word | None:
        """The derive of burn with that name; None if there is none, or it is another crate's."""
        for word in self.derived(name):
            if self.file.analysis.world.declared.is_of_burn(word.path, self.item):
                return word
        return None

    def without_derive(self, word: Word) -> Edit:
        """An edit that takes a derive out of its list, with the attribute where nothing is left."""
        text = self.file.source.content
        start, end = word.place.start, word.place.end
        for attribute in self.item.attributes:
            if attribute.span[0] <= start < attribute.span[1] and "," not in attribute.arguments:
                return _without(self.file, attribute)
        behind = re.compile(rb"\s*,\s*").match(text, end)
        before = re.compile(rb"\s*,\s*\Z").search(text[:start])
        if behind is not None and text[behind.end() : behind.end() + 1] != b")":
            return Edit(Place(self.file.path, start, behind.end()), "")
        if before is not None:
            return Edit(Place(self.file.path, before.start(), end), "")
        return Edit(Place(self.file.path, start, behind.end() if behind else end), "")

    @cached_property
    def fields(self) -> list[Field]:
        """The fields of a struct, or those of all variants."""
        if isinstance(self.item, Struct):
            return [Field(self, each) for each in self.item.fields]
        return [Field(self, field) for variant in self.item.variants for field in variant.fields]

    @property
    def variants(self) -> list[Variant]:
        return self.item.variants if isinstance(self.item, Enum) else []

    @property
    def has_narrow_result(self) -> bool:
        """Whether `Result` means a type with fewer than two parameters where it stands."""
        return self.file.analysis.world.declared.narrow_result(self.item)

    def loads(self) -> Iterator[Expr]:
        """The calls of `load` and `load_binary` outside of tests in the code around that give this config, and those of
        generic functions that load what they are asked for."""
        for view in self.file.around():
            for call in view.calls("load", "load_binary"):
                if call.key in ("Config::load", "Config::load_binary") and not call.in_test:
                    result = call.term
                    loaded = result.args[0] if isinstance(result, terms.Named) and result.args else None
                    if isinstance(loaded, terms.Generic):
                        yield from (each for each in view.callers(call.fn) if self._is_given_by(each))
                    elif isinstance(loaded, terms.Declared) and loaded.item is self.item:
                        yield call

    def _is_given_by(self, call: Expr) -> bool:
        """Whether a call outside of tests gives this config, also as a `Result` or `Option`."""
        result = call.term
        if isinstance(result, terms.Named) and result.name in ("Result", "Option") and result.args:
            result = result.args[0]
        return isinstance(result, terms.Declared) and result.item is self.item and not call.in_test

    def variant_place(self, variant: Variant) -> Place:
        """The name of a variant."""
        return Place(self.file.path, *variant.name_span)

    def type_params(self) -> list[rt.GenericParam]:
        """Its generics but for constants and lifetimes."""
        return [param for param in self.item.generics.params if not param.is_const]

    @property
    def backends(self) -> list[str]:
        """Its generics that are back ends, up to burn 0.21."""
        return self.file.analysis.world.declared.backends(self.item)

    def has_bound_in_place(self, generic: str) -> bool:
        """Whether a generic has a bound where it is declared, and not only in a where-clause."""
        text = self.file.source.content[self.item.name_span[1] : self.item.span[1]]
        return (
            re.match(rb"\s*<[^{};]*?\b%s\s*:" % re.escape(generic.encode()), text.partition(b"where")[0])
            is not None
        )

    def bounded(self, trait: str) -> frozenset[str]:
        """The generics with a bound whose last name is that trait's, or one that an import gave it."""
        own_name = self.file.source.own_name
        return frozenset(
            param.name
            for param in self.type_params()
            if any(isinstance(b, rt.PathType) and own_name(b.path.name) == trait for b in param.bounds)
        )

    @property
    def has_foreign_attribute(self) -> bool:
        """Whether an attribute that is not Rust's own may add items to it, one behind cfg_attr included."""
        return any(each.path not in PLAIN_ATTRIBUTES for each in self.item.attributes)

    @property
    def has_conditional_attribute(self) -> bool:
        """Whether an attribute of it stands behind cfg_attr, so that what it derives is not known."""
        return any(each.path == "cfg_attr" for each in self.item.attributes)

    def without_attribute(self, attribute: Attribute) -> Edit:
        """An edit that takes an attribute of the item away."""
        return _without(self.file, attribute)

    def has_impl(self, trait: str) -> bool | None:
        """Whether an impl in the workspace gives it a trait; None: a macro may."""
        return self.file.analysis.world.declared.has_impl(self.item, trait)

    def attribute_place(self, attribute: Attribute) -> Place:
        return Place(self.file.path, *attribute.span)


@dataclass(frozen=True)
class Field:
    """A field of a struct, or of a variant of an enum."""

    owner: Declaration
    item: FieldDef

    @property
    def name(self) -> str:
        """Its name; of a field without one, its owner's (a variant's)."""
        within = self.item.owner
        return within.name if self.item.name.isdecimal() else self.item.name

    @property
    def place(self) -> Place:
        """Its name; of a field without one its type."""
        span = self.item.type.span if self.item.name.isdecimal() else self.item.name_span
        return Place(self.owner.file.path, *span)

    @property
    def type_place(self) -> Place:
        return Place(self.owner.file.path, *self.item.type.span)

    @property
    def type(self) -> rt.TypeExpr:
        """Its type as written, for rules about what a macro sees."""
        return self.item.type

    @property
    def type_text(self) -> str:
        return " ".join(self.owner.file.source.text.decode(*self.item.type.span).split())

    @property
    def type_name(self) -> str:
        """The last name of its type, of what an import gave another name its own; empty for tuples, arrays and
        references."""
        if not isinstance(self.item.type, rt.PathType):
            return ""
        return self.owner.file.source.own_name(self.item.type.path.name)

    @property
    def burn_type(self) -> str:
        """The key of the type of burn's that its type names; empty for any other."""
        if not isinstance(self.item.type, rt.PathType):
            return ""
        resolver = self.owner.file.analysis.world.resolver
        heads = resolver.type_heads(self.item.type.path, self.owner.item)
        head = heads[0] if not isinstance(heads, str) and len(heads) == 1 else None
        return head if isinstance(head, str) and resolver.is_api_type(head) else ""

    @property
    def type_prefix(self) -> Place | None:
        """What stands before the last name of its type's path; None where nothing does."""
        if not isinstance(self.item.type, rt.PathType):
            return None
        start, end = self.item.type.span
        head = self.owner.file.source.content[start:end].partition(b"<")[0]
        at = head.rfind(b"::")
        return Place(self.owner.file.path, start, start + at + 2) if at >= 0 else None

    @property
    def in_enum(self) -> bool:
        return isinstance(self.item.owner, Variant)

    @cached_property
    def term(self) -> Term | None:
        """Its type; None where it is not known."""
        found = self.owner.file.analysis.world.declared.fields(self.item.owner).get(self.item.name)
        return None if isinstance(found, terms.Unknown) else found

    @property
    def is_constant(self) -> bool:
        """Whether the derive of burn 0.22 takes it for a constant, by how its type is written."""
        return is_primitive(self.item.type, self.owner.file.burn_at_least("0.22.1"))

    @property
    def can_be_skipped(self) -> bool:
        """Whether `#[module(skip)]` certainly compiles and loses nothing: plain data of burn or std."""
        return not self.in_enum and self.contents.is_plain_data

    @cached_property
    def contents(self) -> Contents:
        """What a module of that type consists of."""
        analysis = self.owner.file.analysis
        return Contents(self.term, analysis.api, analysis.world.declared)

    def attributes(self, name: str) -> list[Attribute]:
        """Its attributes of that name."""
        return [each for each in self.item.attributes if each.path == name]

    def words(self, name: str) -> list[Word]:
        """The words in its attributes of that name."""
        return [w for a in self.attributes(name) for w in words(self.owner.file.source, a)]

    @property
    def is_option(self) -> bool:
        """Whether its type is known to be std's Option."""
        return isinstance(self.term, terms.Named) and self.term.name == "Option"

    @property
    def default(self) -> tuple[str, Place] | None:
        """The value of `#[config(default = ..)]` as written, with its place; None without one."""
        for attribute in self.attributes("config"):
            start, end = attribute.span
            match = _DEFAULT.match(self.owner.file.source.content, start, end)
            if match is not None:
                place = Place(self.owner.file.path, match.start(1), match.end(1))
                return match[1].decode("utf-8", "replace"), place
        return None

    @property
    def skip(self) -> Word | None:
        """The word `skip` of `#[module(skip)]`."""
        return next((word for word in self.words("module") if word.path == "skip"), None)

    @property
    def conditional(self) -> bool:
        """Whether it, or an attribute of it, is there only under a condition."""
        return bool(self.item.attributes) and any(a.path in ("cfg", "cfg_attr") for a in self.item.attributes)

    @property
    def generics(self) -> frozenset[str]:
        """The generics of its owner that its type names."""
        own = {param.name for param in self.owner.type_params()}
        return frozenset(
            each.path.name
            for each in rt.nested(self.item.type)
            if isinstance(each, rt.PathType) and len(each.path.segments) == 1 and each.path.name in own
        )

    def with_attribute(self, text: str) -> Edit:
        """An edit that puts an attribute above the field."""
        start = self.item.span[0]
        content = self.owner.file.source.content
        line = content.rfind(b"\n", 0, start) + 1
        indent = content[line:start]
        gap = "\n" + indent.decode() if not indent.strip() else " "
        return Edit(Place(self.owner.file.path, start, start), f"{text}{gap}")

    def without_attribute(self, attribute: Attribute) -> Edit:
        """An edit that takes an attribute of the field away."""
        return _without(self.owner.file, attribute)


def _without(file: FileView, attribute: Attribute) -> Edit:
    """An edit that takes an attribute away, with the gap behind it."""
    start, end = attribute.span
    gap = re.compile(rb"\s*").match(file.source.content, end)
    return Edit(Place(file.path, start, gap.end() if gap is not None else end), "")


def words(source: SourceFile, attribute: Attribute) -> Iterator[Word]:
    """The names in the list of an attribute, with their places; values (`name = ..`, `name(..)`) are none."""
    start, end = attribute.span
    # Blanked comments keep everything at its place.
    text = _COMMENT.sub(lambda m: b" " * len(m.group()), source.content[start:end])
    for match in _WORD.finditer(text):
        place = Place(source.path, start + match.start(1), start + match.end(1))
        yield Word(match[1].decode("utf-8", "replace"), place)


def deriving(file: FileView, name: str) -> list[Declaration]:
    """The structs and enums of a file, wherever they stand, that derive what burn calls so."""
    content = file.source.content
    names = b"|".join(re.escape(each.encode()) for each in file.source.names_of(name))
    if re.search(rb"derive\s*\([^)]*\b(?:%b)\b" % names, content) is None:
        return []
    places = [match.start() for match in _KEYWORD.finditer(content)]
    found = [
        Declaration(file, item)
        for item in file.source.items.around(places)
        if isinstance(item, Struct | Enum) and item.attribute_spans
    ]
    return [each for each in found if each.derives_of_burn(name) is not None]
