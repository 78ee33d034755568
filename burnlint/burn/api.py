"""burn's public API as data: what types, traits, functions and names a version of burn has.

The facts are taken from the sources of the released crates by `python -m tools.api` and stored in one file with a line per
item (`data/api.txt`); a line is decoded when it is first asked for. Nothing here is typed in by hand.

Types, traits and aliases have a *key*: their name, or their full path where burn has several public items of that name
(the one that `burn` itself re-exports first keeps the bare name). `Api.resolve_path` turns a path of Rust code into an
item with its key. Terms and signatures are described in `burnlint.burn.terms` and `burnlint.burn.signature`.

"Not in the facts" is None or empty. It means absent from the public API of that version only when `Api.exact` holds and
the question is about an item of a crate in `Api.crates`; burn's internals, foreign crates and `Api.gaps` are not covered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from burnlint.burn.signature import GenericParam, Signature, read, read_generics
from burnlint.burn.terms import Generic, Named, Reader, Tensor, Term

DATA = Path(__file__).parent / "data" / "api.txt"

Namespace = Literal["type", "value", "macro"]


@dataclass(frozen=True, slots=True)
class Range:
    """Versions from `since` on, up to but without `until` (None: still there in the newest version with facts).

    `since` equal to the first version with facts means "that version or earlier".
    """

    since: str
    until: str | None


@dataclass(frozen=True, slots=True)
class Item:
    """What a path names. `sort` is one of struct, enum, union, trait, alias, fn, const, macro, derive, mod, external.

    `key` is what to ask further: a key of `Api.type`, `trait`, `alias`, `function`, or the path of a module.
    An external item comes from a crate outside the facts (`serde`, `half`): it exists, and nothing more is known.
    """

    sort: str
    key: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field; `default` is the text of `#[config(default = ...)]` as written, None if there is none."""

    name: str
    term: Term
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant of an enum: tuple fields are named "0", "1", and so on."""

    name: str
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Type:
    """A struct, enum or union; `sort` "foreign" is a type of another crate that burn's traits are implemented for.

    `term` is the type with its own generics; `traits` the traits it implements (as Named with arguments), by derive or
    impl; `deref` the target of Deref; `item` what a loop over it yields; `fields` the public fields, and for a config all.
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


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait with its supertraits; `item` is what a loop over an implementor yields if a supertrait says so."""

    key: str
    path: str
    crate: str
    generics: tuple[GenericParam, ...]
    supertraits: tuple[Term, ...]
    assoc: tuple[str, ...]
    item: Term | None


@dataclass(frozen=True, slots=True)
class Alias:
    """A type alias."""

    key: str
    path: str
    crate: str
    generics: tuple[GenericParam, ...]
    target: Term


@dataclass(frozen=True, slots=True)
class Implementation:
    """`impl<generics> trait for receiver`, with the associated types it sets."""

    trait: Named
    receiver: Term
    generics: tuple[GenericParam, ...]
    assoc: Mapping[str, Term]
    crate: str
    cfg: str
