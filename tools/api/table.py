"""The table of one version: what of the facts is public, under short keys, as the JSON that is committed."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from burnlint.burn.signature import Signature, show_generics, write
from burnlint.burn.terms import (
    Assoc,
    Binding,
    Generic,
    Named,
    Opaque,
    Term,
    match,
    rebuild,
    show,
    substitute,
    subterms,
)
from tools.api.facts import (
    Facts,
    ImplFact,
    TraitFact,
    TypeFact,
    change_generics,
    change_signature,
    conjunction,
    rename,
)
from tools.api.modules import Binding as NameBinding
from tools.api.modules import Module
from tools.api.public import BACKENDS, ROOTS, Surface, exports, is_internal

# Traits of the standard library whose impls tell something about burn's types.
_STD_TRAITS = frozenset(
    {
        "Add", "Sub", "Mul", "Div", "Rem", "Neg", "Not", "BitAnd", "BitOr", "BitXor", "Shl", "Shr",
        "AddAssign", "SubAssign", "MulAssign", "DivAssign", "RemAssign", "Index", "IndexMut",
        "Deref", "DerefMut", "Iterator", "IntoIterator", "FromIterator", "Extend", "From",
        "TryFrom", "Into", "TryInto", "FromStr", "AsRef", "Default", "Clone", "Copy", "PartialEq",
        "PartialOrd", "Ord", "Sum",
    }
)  # fmt: skip
# Traits of burn that every module has, or that only seal.
_TRIFLES = frozenset({"ModuleDisplay", "ModuleDisplayDefault", "Sealed"})
_PLAIN = frozenset({"Clone", "Copy", "Default", "PartialEq", "PartialOrd", "Ord"})
_DERIVES = frozenset({"Module", "Config", "Record", "Clone", "Copy", "Default", "PartialEq"})
_DEFINED = ("struct", "enum", "union", "trait", "alias")


class Table:
    """Chooses what is public, gives it keys, and writes it out."""

    def __init__(self, facts: Facts, surface: Surface) -> None:
        self.facts = facts
        self.surface = surface
        self.gaps: Counter[str] = Counter()
        self._impls: dict[str, list[ImplFact]] = defaultdict(list)
        for impl in facts.impls:
            for name in impl.assoc:
                self._impls[name].append(impl)
        self._reduced: dict[Term, Term] = {}
        kept = self._kept()
        self.keys = self._keys(kept)

    # -- choice

    def _kept(self) -> set[str]:
        """Definitions with a public path, and those that their signatures lead to."""
        facts = self.facts
        known = {**facts.types, **facts.traits, **facts.aliases}
        kept: set[str] = set()
        todo = [p for p in known if p in self.surface.paths]
        todo += [
            name
            for path, signatures in facts.functions.items()
            if path in self.surface.paths
            for name in self._mentioned(signatures)
        ]
        while todo:
            path = todo.pop()
            if path in kept or path not in known:
                continue
            hidden = path not in self.surface.paths
            if hidden and is_internal(tuple(path.split("::"))):
                continue
            kept.add(path)
            todo += self._names_behind(path)
        return kept

    def _names_behind(self, path: str) -> Iterable[str]:
        fact = self.facts.types.get(path) or self.facts.traits.get(path)
        if fact is None or not self._described(path):
            return
        for signatures in fact.methods.values():
            yield from self._mentioned(signatures)
        if isinstance(fact, TypeFact):
            terms = [f.term for f in fact.fields.values() if f.public]
            terms += [t for payload in fact.variants.values() for t in payload.values()]
            for term in terms:
                yield from _names(self.reduce(term))
        else:
            for bound in fact.supertraits:
                yield from _names(bound)

    def _mentioned(self, signatures: Iterable[Signature]) -> Iterable[str]:
        for signature in signatures:
            for term in (*(p.term for p in signature.params), signature.result):
                yield from _names(self.reduce(term))
            for generic in (*signature.generics, *signature.receiver_generics):
                for bound in generic.bounds:
                    yield from _names(bound)

    def _described(self, path: str) -> bool:
        """Whether the methods of a definition are part of the table."""
        crate, _, name = path.partition("::")
        if is_internal(tuple(path.split("::"))) and path in self.facts.traits:
            return False
        return crate not in BACKENDS or name.endswith("Device")

    def _keys(self, kept: set[str]) -> dict[str, str]:
        """Definition to key: the bare name for the best of that name, the full public path for others."""
        groups = defaultdict(list)
        for path in kept:
            groups[path.rpartition("::")[2]].append(path)
        keys = {}
        for name, paths in groups.items():
            first, *others = sorted(paths, key=self._preference)
            keys[first] = name
            keys.update((other, self.surface.path(other)) for other in others)
        return keys

    def _preference(self, path: str) -> tuple[bool, bool, int, int, int, str]:
        """Paths under `burn` come first; types before aliases before traits; then by crate and path."""
        shown = self.surface.path(path)
        crate = path.split("::")[0]
        return (
            path not in self.surface.paths,
            not shown.startswith("burn::"),
            0 if path in self.facts.types else 1 if path in self.facts.aliases else 2,
            ROOTS.index(crate) if crate in ROOTS else len(ROOTS),
            shown.count("::"),
            shown,
        )

    # -- terms

    def reduce(self, term: Term) -> Term:
        """The term with associated types replaced by what the one fitting impl sets them to."""
        found = self._reduced.get(term)
        if found is None:
            self._reduced[term] = term  # an associated type that leads back to itself stays as it is
            inside = rebuild(term, self.reduce)
            found = self._project(inside) if isinstance(inside, Assoc) else inside
            self._reduced[term] = found
        return found

    def _project(self, term: Assoc) -> Term:
        if isinstance(term.of, Generic | Assoc):
            return term
        fits = []
        for impl in self._impls.get(term.name, ()):
            if term.trait and impl.trait.name.rpartition("::")[2] != term.trait:
                continue
            values = match(impl.receiver, term.of, {g.name for g in impl.generics})
            if values is not None:
                fits.append(substitute(impl.assoc[term.name], values))
        return self.reduce(fits[0]) if len(set(fits)) == 1 and fits[0] != term else term

    def _short(self, term: Term) -> Term:
        return rename(self.reduce(term), lambda name: self.keys.get(name) or name.rpartition("::")[2])

    def _signature(self, signature: Signature, receiver: Term | None, generics: Any) -> str:
        short = change_signature(signature, self._short)
        for part, terms in (("result", [short.result]), ("parameter", [p.term for p in short.params])):
            for inside in {type(t) for term in terms for t in subterms(term)}:
                if inside in (Opaque, Assoc):
                    self.gaps[f"{part} with {'text' if inside is Opaque else 'an associated type'}"] += 1
        return write(short, receiver, generics)

    # -- output

    def build(self) -> dict[str, Any]:
        """The sections of the table; keys are in order."""
        types, traits, aliases = {}, {}, {}
        for path, key in sorted(self.keys.items(), key=lambda kv: kv[1]):
            if path in self.facts.types:
                types[key] = self._type(self.facts.types[path])
            elif path in self.facts.traits:
                traits[key] = self._trait(self.facts.traits[path])
            else:
                alias = self.facts.aliases[path]
                generics = change_generics(alias.generics, self._short)
                aliases[key] = _slim(
                    path=self.surface.path(path),
                    crate=_package(alias.crate),
                    generics=show_generics(generics),
                    target=show(self._short(alias.target)),
                )
        return {
            "types": {**types, **self._foreign(types)},
            "traits": traits,
            "aliases": aliases,
            "functions": self._functions(),
            "impls": self._implementations(),
            "modules": {path: self._exports(m) for path, m in sorted(self.surface.modules.items())},
            "gaps": dict(sorted(self.gaps.items())),
        }

    def _type(self, fact: TypeFact) -> dict[str, Any]:
        generics = change_generics(fact.generics, self._short)
        receiver = self._short(fact.term)
        described = self._described(fact.path)
        config = "Config" in fact.derives
        fields = {
            name: show(self._short(one.term))
            if one.default is None
            else [show(self._short(one.term)), one.default]
            for name, one in fact.fields.items()
            if one.public or config
        }
        traits, deref, item = self._traits_of(fact)
        return _slim(
            sort=fact.sort,
            path=self.surface.path(fact.path),
            crate=_package(fact.crate),
            generics=show_generics(generics),
            traits=traits,
            deref=deref,
            item=item,
            must_use=fact.must_use or None,
            deprecated=fact.deprecated,
            cfg=conjunction(fact.cfgs),
            fields=fields,
            variants={
                name: {n: show(self._short(t)) for n, t in payload.items()}
                for name, payload in fact.variants.items()
            },
            methods={
                name: self._twins(signatures, receiver, generics)
                for name, signatures in sorted(fact.methods.items())
            }
            if described
            else {},
        )

    def _twins(self, signatures: list[Signature], receiver: Term | None, generics: Any) -> list[str]:
        return list(dict.fromkeys(self._signature(s, receiver, generics) for s in signatures))

    def _traits_of(self, fact: TypeFact) -> tuple[list[str], str | None, str | None]:
        """Traits, target of Deref and item of a loop, in the type's own generics."""
        traits = {name for name in fact.derives if name in _DERIVES}
        deref = item = None
        own = fact.term.args if isinstance(fact.term, Named) else ()
        for impl in self.facts.impls:
            if self.facts.head(impl.receiver) != fact.path or not self._telling(impl):
                continue
            theirs = impl.receiver.args if isinstance(impl.receiver, Named) else ()
            values = {a.name: b for a, b in zip(theirs, own, strict=False) if isinstance(a, Generic)}
            change = _in_generics(values, self._short)
            traits.add(show(change(impl.trait)))
            if impl.trait.name == "Deref":
                deref = show(change(impl.assoc["Target"]))
            elif impl.trait.name in ("Iterator", "IntoIterator") and "Item" in impl.assoc:
                item = show(change(impl.assoc["Item"]))
        return sorted(traits), deref, item

    def _telling(self, impl: ImplFact) -> bool:
        """Whether an impl belongs into the table."""
        if impl.crate in BACKENDS or is_internal((impl.crate,)):
            return False
        name = impl.trait.name
        if name.rpartition("::")[2] in _TRIFLES:
            return False
        if "::" in name:
            return name in self.keys
        return name in _STD_TRAITS

    def _trait(self, fact: TraitFact) -> dict[str, Any]:
        generics = change_generics(fact.generics, self._short)
        item = next(
            (
                show(self._short(b.value))
                for bound in fact.supertraits
                if isinstance(bound, Named) and bound.name in ("Iterator", "IntoIterator")
                for b in bound.args
                if isinstance(b, Binding) and b.name == "Item"
            ),
            None,
        )
        methods = fact.methods if self._described(fact.path) else {}
        return _slim(
            path=self.surface.path(fact.path),
            crate=_package(fact.crate),
            generics=show_generics(generics),
            super=[show(self._short(b)) for b in fact.supertraits],
            assoc=list(fact.assoc),
            item=item,
            cfg=conjunction(fact.cfgs),
            methods={
                n: self._twins(signatures, Generic("Self"), generics)
                for n, signatures in sorted(methods.items())
            },
        )

    def _functions(self) -> dict[str, list[str]]:
        found = {}
        for path, signatures in self.facts.functions.items():
            if path in self.surface.paths and not is_internal(tuple(path.split("::"))):
                found[self.surface.path(path)] = self._twins(signatures, None, ())
        return dict(sorted(found.items()))

    def _implementations(self) -> dict[str, dict[str, Any]]:
        """Trait to impl to its associated types; of the plainest traits only the types tell (`_PLAIN`)."""
        found: dict[str, dict[str, Any]] = defaultdict(dict)
        for impl in self.facts.impls:
            head = self.facts.head(impl.receiver)
            if (
                impl.trait.name in _PLAIN
                or not self._telling(impl)
                or ("::" in head and head not in self.keys)
            ):
                continue
            trait = self._short(impl.trait)
            assert isinstance(trait, Named)
            generics = change_generics(impl.generics, self._short)
            text = f"{show_generics(generics)} {show(trait)} for {show(self._short(impl.receiver))}".strip()
            found[trait.name][text] = _slim(
                crate=_package(impl.crate),
                assoc={n: show(self._short(t)) for n, t in sorted(impl.assoc.items())},
                cfg=conjunction(impl.cfgs),
            )
        return {name: dict(sorted(many.items())) for name, many in sorted(found.items())}

    def _foreign(self, types: Mapping[str, Any]) -> dict[str, Any]:
        """Types of other crates that burn's traits are implemented for."""
        found: dict[str, set[str]] = defaultdict(set)
        for impl in self.facts.impls:
            head = self.facts.head(impl.receiver)
            if (
                head
                and "::" not in head
                and head not in types
                and "::" in impl.trait.name
                and self._telling(impl)
            ):
                if isinstance(impl.receiver, Named) and not impl.receiver.args:
                    found[head].add(show(self._short(impl.trait)))
                else:
                    found[head].add(show(self._short(Named(impl.trait.name))))
        return {
            name: {"sort": "foreign", "path": name, "crate": "", "traits": sorted(traits)}
            for name, traits in sorted(found.items())
        }

    def _exports(self, module: Module) -> dict[str, str]:
        out = {}
        taken = set()
        for namespace, name, binding in exports(module):
            shown = name + "!" if namespace == "macro" else name
            if namespace == "value" and name in taken:
                shown = name + "()"
            taken.add(name)
            out[shown] = self._exported(module, name, binding)
        if module.foreign_globs:
            out["*"] = " ".join("::".join(path) for path in sorted(module.foreign_globs))
        return dict(sorted(out.items()))

    def _exported(self, module: Module, name: str, binding: NameBinding) -> str:
        """ "sort key" and conditions; the key is left out where the loader can tell it."""
        path = "::".join(binding.path)
        sort, key = binding.sort, path
        if sort in _DEFINED:
            key = self.keys.get(path, "")
            if not key:
                sort, key = "external", path
        elif sort == "fn":
            key = self.surface.path(path)
            if is_internal(binding.path):
                sort = "external"
        elif sort == "mod" and path not in self.surface.modules:
            sort = "external"
        plain = name if sort in _DEFINED else f"{'::'.join(module.path)}::{name}"
        text = sort if key == plain else f"{sort} {key}"
        return text + "".join(
            f" #cfg {crate}: {cfg}"
            for crate, cfg in sorted((_package(c), cfg) for c, cfg in binding.conditions)
        )


def _package(crate: str) -> str:
    """The name of the package of a crate: all of this family write `-` where Rust has `_`."""
    return crate.replace("_", "-")


def _in_generics(values: Mapping[str, Term], change: Callable[[Term], Term]) -> Callable[[Term], Term]:
    return lambda term: change(substitute(term, values))


def _names(term: Term) -> Iterable[str]:
    return (t.name for t in subterms(term) if isinstance(t, Named) and "::" in t.name)


def _slim(**parts: Any) -> dict[str, Any]:
    """The parts that say something."""
    return {name: value for name, value in parts.items() if value or (value == "" and name == "deprecated")}


def dump(table: Mapping[str, Any]) -> str:
    """The table as JSON that is easy to compare: a line per member of an item."""
    text = json.dumps(table, indent=1, ensure_ascii=False)
    short = re.compile(r"\[\n\s+((?:\"(?:[^\"\\]|\\.)*\",?\s*)+)\n\s+\]")
    return short.sub(lambda m: "[" + re.sub(r",\s*\n\s*", ", ", m.group(1)) + "]", text) + "\n"
