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
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from burnlint.burn.signature import GenericParam, Signature, read, read_generics, read_impl
from burnlint.burn.terms import Assoc, Generic, Named, Reader, Tensor, Term, match, rebuild, substitute

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

    `conditions` are the cfgs that the declarations on the way carry, each with the package whose features it speaks of
    (`("burn", 'feature = "train"')`).

    `key` is what to ask further: a key of `Api.type`, `trait`, `alias`, `function`, or the path of a module.
    An external item comes from a crate outside the facts (`serde`, `half`): it exists, and nothing more is known.
    """

    sort: str
    key: str
    conditions: tuple[tuple[str, str], ...] = ()


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


@lru_cache(maxsize=1)
def _lines() -> Mapping[str, str]:
    """The stored lines: "SECTION KEY" to undecoded JSON."""
    return dict(line.split("\t", 1) for line in DATA.read_text("utf-8").splitlines())


@lru_cache(maxsize=1)
def _header() -> Any:
    return json.loads(_lines()["V"])


def order(version: str) -> tuple[int, int, int, bool, str]:
    """Sort key of a version; a pre-release comes before its release. Raises ValueError for other text."""
    found = re.match(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?", version.strip())
    if not found:
        raise ValueError(f"not a version: {version!r}")
    major, minor, patch, pre = found.groups()
    return int(major), int(minor or 0), int(patch or 0), pre is None, pre or ""


class Api:
    """The public API of one version of burn. Get one with `Api.load`; all questions are answered from memory."""

    def __init__(self, asked: str, index: int) -> None:
        """For `Api.load` only."""
        self.asked = asked
        self._index = index
        self._lines = _lines()
        self._decoded: dict[str, Any] = {}
        self._methods: dict[tuple[str, str], tuple[Signature, ...]] = {}
        self._types: dict[str, Type | None] = {}
        self._impls: dict[str, tuple[Implementation, ...]] = {}

    @staticmethod
    @lru_cache(maxsize=16)
    def load(version: str) -> Api:
        """The facts for a version of burn ("0.22.1", "0.21"); raises ValueError for text that is not a version.

        Every minor version has one table, that of its last patch. A version without a table gets the nearest lower one
        (one older than all tables: the oldest); `exact`, `newer` and `older` say what happened.
        """
        wanted = order(version)
        tables = [order(v) for v in _header()["versions"]]
        same = [i for i, have in enumerate(tables) if have[:2] == wanted[:2]]
        lower = [i for i, have in enumerate(tables) if have <= wanted]
        index = same[-1] if same else lower[-1] if lower else 0
        return Api(version, index)

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions with facts, oldest first."""
        return tuple(_header()["versions"])

    @property
    def version(self) -> str:
        """The version whose facts these are."""
        return self.versions[self._index]

    @property
    def exact(self) -> bool:
        """Whether the version asked for is the one whose facts these are, or names only its minor."""
        wanted = order(self.asked)
        have = order(self.version)
        return have == wanted or (have[:2] == wanted[:2] and self.asked.strip().count(".") < 2)

    @property
    def newer(self) -> bool:
        """Whether the version asked for is of a minor above all facts: absence proves nothing then."""
        return order(self.asked)[:2] > order(self.versions[-1])[:2]

    @property
    def older(self) -> bool:
        """Whether the version asked for is of a minor below all facts."""
        return order(self.asked)[:2] < order(self.versions[0])[:2]

    @cached_property
    def crates(self) -> Mapping[str, str]:
        """The crates that the facts were taken from, with their versions."""
        found = {name: self._at(ranged) for name, ranged in _header()["crates"].items()}
        return MappingProxyType({name: version for name, version in found.items() if version})

    @property
    def backend_style(self) -> bool:
        """Whether types carry a backend parameter (`Tensor<B, 2>`): up to burn 0.21."""
        return order(self.version)[:2] < (0, 22)

    def type(self, key: str) -> Type | None:
        """The type with that key."""
        if key not in self._types:
            self._types[key] = self._read_type(key)
        return self._types[key]

    def trait(self, key: str) -> Trait | None:
        """The trait with that key."""
        head = self._head("R", key)
        if head is None:
            return None
        generics = read_generics(head.get("generics", ""))
        names = {g.name for g in generics} | {"Self"}
        return Trait(
            key,
            head["path"],
            head["crate"],
            generics,
            tuple(_term(text, names) for text in head.get("super", ())),
            tuple(head.get("assoc", ())),
            _term(head["item"], names) if "item" in head else None,
        )

    def alias(self, key: str) -> Alias | None:
        """The type alias with that key."""
        head = self._head("A", key)
        if head is None:
            return None
        generics = read_generics(head.get("generics", ""))
        target = _term(head["target"], {g.name for g in generics})
        return Alias(key, head["path"], head["crate"], generics, target)

    def method(self, key: str, name: str) -> tuple[Signature, ...]:
        """The methods and associated functions of that name on a type or trait.

        Inherent ones first; without any, those of the traits that the type implements (`Generic("Self")` stands for the
        type there) or of the supertraits. Several signatures are twins for different receivers (kinds) or cfgs: choose by
        `receiver`. Empty if there is none; methods behind Deref are not looked for.
        """
        found = self._methods.get((key, name))
        if found is None:
            found = self._methods[key, name] = self._find_methods(key, name, set())
        return found

    def owners(self, method: str) -> tuple[str, ...]:
        """Keys of the types and traits that declare a method of that name themselves."""
        keys = self._json("M", method) or ()
        return tuple(key for key in keys if any(self._own_methods(s, key, method) for s in "TR"))

    def function(self, path: str) -> tuple[Signature, ...]:
        """The free functions that a path names (`burn::tensor::activation::relu`); several are twins for cfgs."""
        item = self.resolve_path(path, "value")
        key = item.key if item is not None and item.sort == "fn" else path
        return self._signatures(self._at(self._json("F", key)), name=key.rpartition("::")[2])

    def implementations(self, trait: str) -> tuple[Implementation, ...]:
        """The impls of a trait (`Module`, `Metric`, `Add`), whatever the receiver."""
        if trait in self._impls:
            return self._impls[trait]
        found = []
        for text, ranged in (self._json("I", trait) or {}).items():
            value = self._at(ranged)
            if value is not None:
                found.append(_implementation(text, value))
        self._impls[trait] = tuple(found)
        return self._impls[trait]

    def operator(self, trait: str) -> tuple[Implementation, ...]:
        """The impls of an operator's trait (`Add`, `Neg`, `Not`, `AddAssign`) that take or give a tensor.

        `receiver` is the left operand, `trait.args[0]` the right one (absent: the same as the left),
        `assoc["Output"]` the result.
        """
        return tuple(
            each
            for each in self.implementations(trait)
            if isinstance(each.receiver, Tensor) or any(isinstance(a, Tensor) for a in each.trait.args)
        )

    def project(self, term: Term) -> Term:
        """The term with associated types replaced by what the one fitting impl sets them to.

        For terms whose generics were substituted: `K::Elem` with Float for `K` becomes FloatElem, the `Record` of a module
        its record type. What no impl or several impls answer stays.
        """
        inside = rebuild(term, self.project)
        if not isinstance(inside, Assoc) or isinstance(inside.of, Generic | Assoc):
            return inside
        found = set()
        for trait in [inside.trait] if inside.trait else self._json("S", inside.name) or ():
            for impl in self.implementations(trait):
                bound = impl.assoc.get(inside.name)
                values = match(impl.receiver, inside.of, {g.name for g in impl.generics})
                if bound is not None and values is not None:
                    found.add(substitute(bound, values))
        return self.project(found.pop()) if len(found) == 1 else inside

    def implements(self, key: str, trait: str) -> bool:
        """Whether the type implements the trait (of any arguments), by derive or impl."""
        found = self.type(key)
        return found is not None and any(isinstance(t, Named) and t.name == trait for t in found.traits)

    def resolve_path(self, path: str, namespace: Namespace | None = None) -> Item | None:
        """The item that an absolute path names, through burn's re-exports and globs (`burn::nn::LinearConfig`).

        The root may be any crate of `crates` in its Rust spelling (`burn_core::module::Param`). Without a namespace a
        type is preferred to a value, and a value to a macro. None if nothing of that name is exported.
        """
        root, *names = path.removeprefix("::").split("::")
        here = Item("mod", root)
        for at, name in enumerate(names):
            last = at == len(names) - 1
            item = self._exported(here.key, name, namespace if last else "type")
            if item is None:
                return None
            if item.sort == "external":
                return replace(item, key="::".join([item.key, *names[at + 1 :]]))
            if item.sort != "mod" and not last:
                return None
            here = replace(item, conditions=tuple(dict.fromkeys(here.conditions + item.conditions)))
        return here if self._json("P", root) is not None else None

    def names_in(self, module: str) -> Mapping[str, Item]:
        """All names that a module exports, for globs; macros are listed with a trailing `!`.

        A value with the name of a type (`fn linear` next to `mod linear`) is listed with trailing `()`.
        """
        item = self.resolve_path(module, "type")
        if item is None or item.sort != "mod":
            return MappingProxyType({})
        table = self._json("P", item.key) or {}
        found = {name: self._at(ranged) for name, ranged in table.items()}
        return MappingProxyType(
            {n: _item(text, item.key, n.rstrip("!()")) for n, text in found.items() if text and n != "*"}
        )

    def lifetime(self, key: str, member: str = "") -> tuple[Range, ...]:
        """When a type, trait or alias, or one of its methods, fields or variants existed; or a function or a path.

        Empty if never, in all versions with facts. Several ranges: it went and came back.
        """
        for section in "TRA":
            line = self._json(section, key)
            if line is not None:
                if not member:
                    return self._ranges(line["head"]["path"])
                for part in "mfv":
                    if member in line.get(part, {}):
                        return self._ranges(line[part][member])
                return ()
        ranged = self._json("F", key)
        return () if ranged is None or member else self._ranges(ranged)

    @property
    def gaps(self) -> Mapping[str, int]:
        """What the extraction met in this version and could not take: the reason, and how often."""
        return MappingProxyType(self._at(_header()["gaps"]) or {})

    # -- decoding

    def _json(self, section: str, key: str) -> Any:
        line = f"{section} {key}"
        if line not in self._decoded:
            text = self._lines.get(line)
            self._decoded[line] = None if text is None else json.loads(text)
        return self._decoded[line]

    def _at(self, ranged: Any) -> Any:
        """The value that holds for this version in `[[value, since, until], ...]` (until 0: no end), or None."""
        for value, since, until in ranged or ():
            if since <= self._index and (not until or self._index < until):
                return value
        return None

    def _ranges(self, ranged: Any) -> tuple[Range, ...]:
        """The ranges in which there is any value, joined where they touch."""
        joined: list[tuple[int, int]] = []
        for _, since, until in ranged:
            if joined and joined[-1][1] == since:
                since = joined.pop()[0]
            joined.append((since, until))
        versions = self.versions
        return tuple(Range(versions[since], versions[until] if until else None) for since, until in joined)

    def _head(self, section: str, key: str) -> dict[str, Any] | None:
        line = self._json(section, key)
        if line is None:
            return None
        head = {name: self._at(ranged) for name, ranged in line["head"].items()}
        return {n: v for n, v in head.items() if v is not None} if head.get("path") is not None else None

    def _read_type(self, key: str) -> Type | None:
        head = self._head("T", key)
        if head is None:
            return None
        line = self._json("T", key)
        generics = read_generics(head.get("generics", ""))
        names = {g.name for g in generics}
        fields = {n: self._at(ranged) for n, ranged in line.get("f", {}).items()}
        variants = {n: self._at(ranged) for n, ranged in line.get("v", {}).items()}
        args = tuple(Generic(g.name) for g in generics if g.sort != "backend")
        return Type(
            key,
            head["sort"],
            head["path"],
            head["crate"],
            generics,
            Tensor(*args) if key == "Tensor" else Named(key, args),
            MappingProxyType({n: _field(n, v, names) for n, v in fields.items() if v is not None}),
            MappingProxyType(
                {
                    n: Variant(n, tuple(_field(f, v, names) for f, v in payload.items()))
                    for n, payload in variants.items()
                    if payload is not None
                }
            ),
            tuple(_term(text, names) for text in head.get("traits", ())),
            _term(head["deref"], names) if "deref" in head else None,
            _term(head["item"], names) if "item" in head else None,
            bool(head.get("must_use")),
            head.get("deprecated"),
            head.get("cfg", ""),
        )

    def _own_methods(self, section: str, key: str, name: str) -> Any:
        line = self._json(section, key)
        return None if line is None else self._at(line.get("m", {}).get(name))

    def _find_methods(self, key: str, name: str, seen: set[str]) -> tuple[Signature, ...]:
        seen.add(key)
        owner: Type | Trait | None = self.type(key)
        receiver: Term
        if isinstance(owner, Type):
            texts = self._own_methods("T", key, name)
            receiver, generics, above = owner.term, owner.generics, owner.traits
        else:
            owner = self.trait(key)
            if owner is None:
                return ()
            texts = self._own_methods("R", key, name)
            receiver, generics, above = Generic("Self"), owner.generics, owner.supertraits
        if texts:
            return self._signatures(texts, key, name, owner.crate, receiver, generics)
        for bound in above:
            if isinstance(bound, Named) and bound.name not in seen:
                found = self._find_methods(bound.name, name, seen)
                if found:
                    return found
        return ()

    def _signatures(
        self,
        texts: Any,
        owner: str = "",
        name: str = "",
        crate: str = "",
        receiver: Term | None = None,
        generics: tuple[GenericParam, ...] = (),
    ) -> tuple[Signature, ...]:
        return tuple(
            read(text, owner=owner, name=name, crate=crate, receiver=receiver, receiver_generics=generics)
            for text in texts or ()
        )

    def _exported(self, module: str, name: str, namespace: Namespace | None) -> Item | None:
        table = self._json("P", module) or {}
        spellings = {"type": (name,), "value": (name + "()", name), "macro": (name + "!",)}
        for spelling in spellings[namespace] if namespace else (name, name + "()", name + "!"):
            text = self._at(table.get(spelling))
            if text and not (namespace == "value" and text.split(" ")[0] in ("mod", "trait", "alias")):
                return _item(text, module, name)
        glob = self._at(table.get("*"))
        return Item("external", f"{glob.split(' ')[0]}::{name}") if glob else None


def _item(text: str, module: str, name: str) -> Item:
    """An item from "sort key #cfg package: condition"; a key that is the name itself or its path is left out."""
    text, *conditions = text.split(" #cfg ")
    sort, _, key = text.partition(" ")
    if not key:
        key = name if sort in ("struct", "enum", "union", "trait", "alias") else f"{module}::{name}"
    found = [condition.partition(": ") for condition in conditions]
    return Item(sort, key, tuple((package, cfg) for package, _, cfg in found))


def _term(text: str, generics: set[str]) -> Term:
    return Reader(text, generics).term()


def _field(name: str, value: Any, generics: set[str]) -> Field:
    """A field from its term, or from [term, default]."""
    text, default = (value, None) if isinstance(value, str) else value
    return Field(name, _term(text, generics), default)


def _implementation(text: str, value: Any) -> Implementation:
    """An impl from "<generics> Trait<args> for Receiver" and {"assoc": ..., "crate": ..., "cfg": ...}."""
    generics, trait, receiver = read_impl(text)
    names = {g.name for g in generics}
    assoc = {name: _term(term, names) for name, term in value.get("assoc", {}).items()}
    return Implementation(
        trait, receiver, generics, MappingProxyType(assoc), value["crate"], value.get("cfg", "")
    )
