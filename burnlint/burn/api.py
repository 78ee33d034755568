"""burn's public API as data: what types, traits, functions and names a version of burn has.

The facts are taken from the sources of the released crates by `python -m tools.api` and stored in one file
with a line per item (`data/api.txt`); a line is decoded when it is first asked for. Nothing here is typed in
by hand.

Types, traits and aliases have a *key*: their name, or their full path where burn has several public items of
that name (the one that `burn` itself re-exports first keeps the bare name). `Api.resolve_path` turns a path
of Rust code into an item with its key. Terms and signatures are described in `burnlint.burn.terms` and
`burnlint.burn.signature`.

"Not in the facts" is None or empty. It means absent from the public API of that version only when `Api.exact`
holds and the question is about an item of a crate in `Api.crates`; burn's internals, foreign crates and
`Api.gaps` are not covered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, Literal

from burnlint.burn.api_data import header, line, lines
from burnlint.burn.api_items import Alias, Field, Implementation, Item, Trait, Type, Variant
from burnlint.burn.signature import GenericParam, Signature, read, read_generics, read_impl
from burnlint.burn.terms import Assoc, Generic, Named, Reader, Tensor, Term, match, rebuild, substitute

Namespace = Literal["type", "value", "macro"]


def order(version: str) -> tuple[int, int, int, bool, str]:
    """Sort key of a version; a pre-release comes before its release. Raises ValueError for other text."""
    found = re.match(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?", version.strip())
    if not found:
        raise ValueError(f"not a version: {version!r}")
    major, minor, patch, pre = found.groups()
    return int(major), int(minor or 0), int(patch or 0), pre is None, pre or ""


class Api:
    """The public API of one version of burn; `Api.load` gives one."""

    def __init__(self, asked: str, index: int) -> None:
        """For `Api.load` only."""
        self.asked = asked
        self._index = index
        self._decoded: dict[str, Any] = {}
        self._methods: dict[tuple[str, str], tuple[Signature, ...]] = {}
        self._types: dict[str, Type | None] = {}
        self._impls: dict[str, tuple[Implementation, ...]] = {}

    @staticmethod
    @lru_cache(maxsize=16)
    def load(version: str) -> Api:
        """The facts for a version of burn ("0.22.1", "0.21"); raises ValueError for text that is not a
        version.

        Every minor version has one table, that of its last patch. A version without a table gets the nearest
        lower one (one older than all tables: the oldest); `exact`, `newer` and `older` say what happened.
        """
        wanted = order(version)
        tables = [order(v) for v in header()["versions"]]
        same = [i for i, have in enumerate(tables) if have[:2] == wanted[:2]]
        lower = [i for i, have in enumerate(tables) if have <= wanted]
        index = same[-1] if same else lower[-1] if lower else 0
        return Api(version, index)

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions with facts, oldest first."""
        return tuple(header()["versions"])

    @property
    def version(self) -> str:
        """The version whose facts these are."""
        return self.versions[self._index]

    @property
    def exact(self) -> bool:
        """Whether these are the facts of the version asked for: it is theirs, its minor, or an earlier patch.

        All patches of burn 0.13 to 0.22 were compared with the last of their minor: the methods of all types
        and traits are the same but for `MetricsRenderer::on_train_end`, which 0.16.0 lacks, and one method
        inside of burn-autodiff in 0.13.0.
        """
        wanted, have = order(self.asked), order(self.version)
        earlier_patch = wanted[:2] == have[:2] and wanted < have and wanted[3]
        return wanted == have or earlier_patch

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
        found = {name: self._at(ranged) for name, ranged in header()["crates"].items()}
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

        Inherent ones first; without any, those of the traits that the type implements (`Generic("Self")`
        stands for the type there) or of the supertraits. Several signatures are twins for different receivers
        (kinds) or cfgs: choose by `receiver`. Empty if there is none; methods behind Deref are not looked
        for.
        """
        found = self._methods.get((key, name))
        if found is None:
            found = self._methods[key, name] = self._find_methods(key, name, set())
        return found

    def methods(self, key: str) -> tuple[str, ...]:
        """The names of the methods that a type or trait declares itself, in order."""
        found = (name for name, ranged in lines(f"m {key} ") if self._at(ranged) is not None)
        return tuple(found)

    def owners(self, method: str) -> tuple[str, ...]:
        """Keys of the types and traits that declare a method of that name themselves."""
        keys = self._json("M", method) or ()
        return tuple(key for key in keys if self._at(self._json("m", f"{key} {method}")))

    def function(self, path: str) -> tuple[Signature, ...]:
        """The free functions that a path names (`burn::tensor::activation::relu`); twins differ by cfg."""
        item = self.resolve_path(path, "value")
        key = item.key if item is not None and item.sort == "fn" else path
        return self._signatures(self._at(self._json("F", key)), name=key.rpartition("::")[2])

    def implementations(self, trait: str) -> tuple[Implementation, ...]:
        """The impls of a trait (`Module`, `Metric`, `Add`), whatever the receiver.

        Clone, Copy, Default and the comparisons are not listed: ask `implements`.
        """
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

        For terms whose generics were substituted: `K::Elem` with Float for `K` becomes FloatElem, the
        `Record` of a module its record type. What no impl or several impls answer stays.
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
        """The item that an absolute path names, through burn's re-exports and globs
        (`burn::nn::LinearConfig`).

        The root may be any crate of `crates` in its Rust spelling (`burn_core::module::Param`). Without a
        namespace a type is preferred to a value, and a value to a macro. None if nothing of that name is
        exported.
        """
        root, *names = path.removeprefix("::").split("::")
        here = Item("mod", root)
        for at, name in enumerate(names):
            last = at == len(names) - 1
            item = self._exported(here.key, name, namespace if last else "type")
            if item is None:
                return None
            if item.sort == "external":
                return item._replace(key="::".join([item.key, *names[at + 1 :]]))
            if item.sort != "mod" and not last:
                return None
            here = item._replace(conditions=tuple(dict.fromkeys(here.conditions + item.conditions)))
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

    @property
    def gaps(self) -> Mapping[str, int]:
        """What the extraction met in this version and could not take: the reason, and how often."""
        return MappingProxyType(self._at(header()["gaps"]) or {})

    def _json(self, section: str, key: str) -> Any:
        wanted = f"{section} {key}"
        if wanted not in self._decoded:
            self._decoded[wanted] = line(wanted)
        return self._decoded[wanted]

    def _at(self, ranged: Any) -> Any:
        """The value for this version in `[[value, since, until], ...]` (until 0: no end), or None."""
        for value, since, until in ranged or ():
            if since <= self._index and (not until or self._index < until):
                return value
        return None

    def _head(self, section: str, key: str) -> dict[str, Any] | None:
        stored = self._json(section, key)
        if stored is None:
            return None
        head = {name: self._at(ranged) for name, ranged in stored["head"].items()}
        return {n: v for n, v in head.items() if v is not None} if head.get("path") is not None else None

    def _read_type(self, key: str) -> Type | None:
        head = self._head("T", key)
        if head is None:
            return None
        stored = self._json("T", key)
        generics = read_generics(head.get("generics", ""))
        names = {g.name for g in generics}
        fields = {n: self._at(ranged) for n, ranged in stored.get("f", {}).items()}
        variants = {n: self._at(ranged) for n, ranged in stored.get("v", {}).items()}
        args = tuple(Generic(g.name) for g in generics if g.sort != "backend")
        return Type(
            key,
            head["sort"],
            head["path"],
            head["crate"],
            generics,
            Tensor(args[0], args[1]) if key == "Tensor" else Named(key, args),
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

    def _find_methods(self, key: str, name: str, seen: set[str]) -> tuple[Signature, ...]:
        seen.add(key)
        owner: Type | Trait | None = self.type(key)
        receiver: Term
        if isinstance(owner, Type):
            receiver, generics, above = owner.term, owner.generics, owner.traits
        else:
            owner = self.trait(key)
            if owner is None:
                return ()
            receiver, generics, above = Generic("Self"), owner.generics, owner.supertraits
        texts = self._at(self._json("m", f"{key} {name}"))
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
    """An item from "sort key #cfg package: condition"; a key that follows from the name is left out."""
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
