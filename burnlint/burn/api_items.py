"""The records that burn's API facts are given in: types, traits, fields, names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from burnlint.burn.signature import GenericParam
from burnlint.burn.terms import Named, Term


class Item(NamedTuple):
    """What a path names. `sort` is one of struct, enum, union, trait, alias, fn, const, macro, derive, mod,
    external.

    `conditions` are the cfgs that the declarations on the way carry, each with the package whose features it
    speaks of (`("burn", 'feature = "train"')`).

    `key` is what to ask further: a key of `Api.type`, `trait`, `alias`, `function`, or the path of a module.
    An external item comes from a crate outside the facts (`serde`, `half`): it exists, and nothing more is
    known.
    """

    sort: str
    key: str
    conditions: tuple[tuple[str, str], ...] = ()


class Field(NamedTuple):
    """A field; `default` is the text of `#[config(default = ...)]` as written, None if there is none."""

    name: str
    term: Term
    default: str | None = None


class Variant(NamedTuple):
    """A variant of an enum: tuple fields are named "0", "1", and so on."""

    name: str
    fields: tuple[Field, ...] = ()


class Type(NamedTuple):
    """A struct, enum or union; `sort` "foreign" is a type of another crate that burn's traits are implemented
    for.

    `term` is the type with its own generics; `traits` the traits it implements (as Named with arguments), by
    derive or impl; `deref` the target of Deref; `item` what a loop over it yields; `fields` the public
    fields, and for a config all.
    """

    key: str
    sort: str
    path: str
    crate: str
    generics: tuple[GenericParam, ...]
    term: Term
    fields: Mapping[str, Field]
    variants: Mapping[str, Variant]
    traits: tuple[Term, ...]
    deref: Term | None
    item: Term | None
    must_use: bool
    deprecated: str | None
    cfg: str


class Trait(NamedTuple):
    """A trait; `item` is what a loop over an implementor yields if a supertrait says so."""

    key: str
    path: str
    crate: str
    generics: tuple[GenericParam, ...]
    supertraits: tuple[Term, ...]
    assoc: tuple[str, ...]
    item: Term | None


class Alias(NamedTuple):
    """A type alias."""

    key: str
    path: str
    crate: str
    generics: tuple[GenericParam, ...]
    target: Term


class Implementation(NamedTuple):
    """`impl<generics> trait for receiver`, with the associated types it sets."""

    trait: Named
    receiver: Term
    generics: tuple[GenericParam, ...]
    assoc: Mapping[str, Term]
    crate: str
    cfg: str
