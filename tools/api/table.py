"""The table of one version: what of the facts is public, under short keys, as the JSON that is committed."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from burnlint.burn.signature import Signature, show_generics, write
from burnlint.burn.terms import (
    Assoc,
    Binding,
    Generic,
    Named,
    Opaque,
    Term,
    show,
    substitute,
    subterms,
)
from tools.api.facts import (
    ImplFact,
    TraitFact,
    TypeFact,
    change_generics,
    change_signature,
    conjunction,
)
from tools.api.modules import Binding as NameBinding
from tools.api.modules import Module
from tools.api.public import BACKENDS, exports, is_internal
from tools.api.selection import Selection

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
    """Writes a selection out as the sections of a table."""

    def __init__(self, selection: Selection) -> None:
        self.selection = selection
        self.facts = selection.facts
        self.surface = selection.surface
        self.keys = selection.keys
        self.gaps: Counter[str] = Counter()
        self.open: list[str] = []

    def _signature(self, signature: Signature, receiver: Term | None, generics: Any) -> str:
        short = change_signature(signature, self.selection.short)
        text = write(short, receiver, generics)
        if short.receiver != Generic("Self"):
            terms = (*(p.term for p in short.params), short.result)
            left = {type(inside) for term in terms for inside in subterms(term)}
            owner = "" if short.receiver is None else f"{show(short.receiver)}::"
            for sort, why in ((Assoc, "an associated type of a generic"), (Opaque, "text")):
                if sort in left:
                    self.gaps[f"signatures with {why}"] += 1
                    self.open.append(f"{owner}{signature.name} {text}")
        return text

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
                generics = change_generics(alias.generics, self.selection.short)
                aliases[key] = _slim(
                    path=self.surface.path(path),
                    crate=_package(alias.crate),
                    generics=show_generics(generics),
                    target=show(self.selection.short(alias.target)),
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
        generics = change_generics(fact.generics, self.selection.short)
        receiver = self.selection.short(fact.term)
        described = self.selection.described(fact.path)
        config = "Config" in fact.derives
        fields = {
            name: show(self.selection.short(one.term))
            if one.default is None
            else [show(self.selection.short(one.term)), one.default]
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
                name: {n: show(self.selection.short(t)) for n, t in payload.items()}
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
        """The signatures of one name, each once; what only WebAssembly has comes last."""
        ordered = sorted(signatures, key=lambda s: _only_wasm(s.cfg))
        return list(dict.fromkeys(self._signature(s, receiver, generics) for s in ordered))

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
            change = _in_generics(values, self.selection.short)
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
        generics = change_generics(fact.generics, self.selection.short)
        item = next(
            (
                show(self.selection.short(b.value))
                for bound in fact.supertraits
                if isinstance(bound, Named) and bound.name in ("Iterator", "IntoIterator")
                for b in bound.args
                if isinstance(b, Binding) and b.name == "Item"
            ),
            None,
        )
        methods = fact.methods if self.selection.described(fact.path) else {}
        return _slim(
            path=self.surface.path(fact.path),
            crate=_package(fact.crate),
            generics=show_generics(generics),
            super=[show(self.selection.short(b)) for b in fact.supertraits],
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
            trait = self.selection.short(impl.trait)
            assert isinstance(trait, Named)
            generics = change_generics(impl.generics, self.selection.short)
            receiver = show(self.selection.short(impl.receiver))
            text = f"{show_generics(generics)} {show(trait)} for {receiver}".strip()
            found[trait.name][text] = _slim(
                crate=_package(impl.crate),
                assoc={n: show(self.selection.short(t)) for n, t in sorted(impl.assoc.items())},
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
                    found[head].add(show(self.selection.short(impl.trait)))
                else:
                    found[head].add(show(self.selection.short(Named(impl.trait.name))))
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


def _only_wasm(cfg: str) -> bool:
    return 'target_family = "wasm"' in re.sub(r"not\([^()]*\)", "", cfg)


def _package(crate: str) -> str:
    """The name of the package of a crate: all of this family write `-` where Rust has `_`."""
    return crate.replace("_", "-")


def _in_generics(values: Mapping[str, Term], change: Callable[[Term], Term]) -> Callable[[Term], Term]:
    return lambda term: change(substitute(term, values))


def _slim(**parts: Any) -> dict[str, Any]:
    """The parts that say something."""
    return {name: value for name, value in parts.items() if value or (value == "" and name == "deprecated")}


def dump(table: Mapping[str, Any]) -> str:
    """The table as JSON that is easy to compare: a line per member of an item."""
    text = json.dumps(table, indent=1, ensure_ascii=False)
    short = re.compile(r"\[\n\s+((?:\"(?:[^\"\\]|\\.)*\",?\s*)+)\n\s+\]")
    return short.sub(lambda m: "[" + re.sub(r",\s*\n\s*", ", ", m.group(1)) + "]", text) + "\n"
