"""From names (`burnlint.rust.names`) to heads of types and traits: burn's by their key, std's by name, the
workspace's as items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from burnlint.burn import terms
from burnlint.burn.infer import std as std_table
from burnlint.burn.infer.convert import BACKEND_TRAITS, Converter
from burnlint.burn.infer.impls import Impls
from burnlint.burn.infer.model import (
    AUTODIFF,
    FLOATS,
    INTEGERS,
    PLAIN,
    UNKNOWN,
    Con,
    Gen,
    Head,
    Type,
    atom,
)
from burnlint.rust import digits
from burnlint.rust import resolution as rn
from burnlint.rust import types as rt
from burnlint.rust.items import Enum, Fn, Item, Struct, Trait
from burnlint.rust.items import TypeAlias as Alias
from burnlint.rust.names import Names
from burnlint.rust.prelude import PRIMITIVES

if TYPE_CHECKING:
    from burnlint.burn.api import Api
    from burnlint.burn.infer.index import Index
    from burnlint.burn.infer.solver import Solver
    from burnlint.rust.modules import Crate, Module

STD_CRATES = frozenset({"std", "core", "alloc"})
_STD_NAMES = {"cell::Ref": "CellRef", "cell::RefMut": "CellRefMut", "atomic::Ordering": "AtomicOrdering"}
"""Names of std that stand for another type elsewhere."""
_MAX_SUPER = 4


@dataclass(frozen=True, slots=True)
class ApiAlias:
    """An alias of burn, as a template over its generics."""

    names: tuple[tuple[str, str], ...]
    target: Type


Named: TypeAlias = "Head | Alias | ApiAlias"


class Resolver:
    """Names and facts of one world. `names` resolves paths over its crates."""

    def __init__(self, api: Api, crates: Iterable[Crate], names: Names, impls: Impls) -> None:
        self.api = api
        self.names = names
        self.old_style = api.backend_style
        self.std = std_table.load()
        self.impls = impls
        self.compiler = impls.compiler
        self.converter = Converter(self)
        self._numbers: dict[tuple[Head, str], frozenset[str]] = {}
        self._modules: dict[Item, Module | None] = {}
        self._crates = list(crates)
        self._cache: dict[tuple[Module, Item | None, str, str], rn.Resolution] = {}
        self._heads: dict[tuple[str, ...], list[Named] | str] = {}
        self._generics: dict[Head, list[tuple[str, str, Type | None]]] = {}
        self._is_type: dict[str, bool] = {}
        self._is_trait: dict[str, bool] = {}
        self._modules_derived: dict[Item, bool] = {}

    def resolve(self, path: rt.Path, item: Item, namespace: rn.Namespace) -> rn.Resolution:
        """What a path means inside an item. Heads of paths repeat far more often than paths, so they are
        looked up alone."""
        module = self.module_of(item)
        if module is None:
            return rn.Unresolved("root")
        if path.qself is not None:
            return rn.Unresolved("qualified")
        inner = _block_scope(item)
        segments = path.segments
        text = segments[0].name if len(segments) == 1 else "::".join([each.name for each in segments])
        if path.leading:
            text = "::" + text
        key = module, inner, text, namespace
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = self._find(path, module, inner, namespace)
        return found

    def _find(
        self, path: rt.Path, module: Module, inner: Item | None, namespace: rn.Namespace
    ) -> rn.Resolution:
        segments = path.segments
        if len(segments) > 1 and not path.leading and segments[0].name not in _ROOTS:
            head = self._head(module, inner, rt.Path(segments[:1], path.span))
            joined = _joined(head, segments)
            if joined is not None:
                return joined
        return self.names.resolve(rn.Scope(module, inner), path, namespace)

    def _head(self, module: Module, inner: Item | None, head: rt.Path) -> rn.Resolution:
        key: tuple[Module, Item | None, str, str] = module, inner, head.name, "type"
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = self.names.resolve(rn.Scope(module, inner), head, "type")
        return found

    def module_of(self, item: Item) -> Module | None:
        """The module that an item is in; the first target's, if several targets include the file."""
        if item not in self._modules:
            self._modules[item] = next(
                (m for m in (c.module_of(item) for c in self._crates) if m is not None), None
            )
        return self._modules[item]

    def type_heads(self, path: rt.Path, item: Item) -> list[Named] | str:
        """What a path that names a type means, one per condition; or why that is not known."""
        found = self.resolve(path, item, "type")
        return self.heads_of(found)

    def heads_of(self, found: rn.Resolution) -> list[Named] | str:
        """The heads behind a resolution that names a type."""
        if isinstance(found, rn.Local):
            if found.rest:
                return "associated type"
            heads: list[Named] = [
                d for d in found.definitions if isinstance(d, Struct | Enum | Trait | Alias)
            ]
            return heads if heads and len(heads) == len(found.definitions) else "not a type"
        if isinstance(found, rn.Extern):
            return self.extern_heads(found.path)
        if isinstance(found, rn.Primitive):
            return [found.name]
        if isinstance(found, rn.Unresolved):
            return f"name not resolved ({found.why})"
        return "not a type"

    def extern_heads(self, path: tuple[str, ...]) -> list[Named] | str:
        """The head of a type or trait of another crate."""
        found = self._heads.get(path)
        if found is None:
            found = self._heads[path] = self._extern_heads(path)
        return found

    def _extern_heads(self, path: tuple[str, ...]) -> list[Named] | str:
        root, last = path[0], path[-1]
        if root in STD_CRATES:
            if len(path) == 2 and last in PRIMITIVES:
                # `use std::f32;` imports a module; as a type the name is still the primitive.
                return [last]
            special = _STD_NAMES.get("::".join(path[-2:]))
            if special is not None:
                return [special]
            if self.std.has(last) or self.api.type(last) is None:
                return [last]
            return ["::".join(path)]
        if not self.is_burn_crate(root):
            # Crates name their own `Result<T>` so; none is anything but std's with an error type of its own.
            return ["Result"] if last == "Result" else ["::".join(path)]
        item = self.api.resolve_path("::".join(path), "type")
        if item is None:
            return "name that burn's facts do not have"
        if item.sort == "alias":
            return self._api_alias(item.key)
        if item.sort in ("struct", "enum", "union", "trait"):
            return [item.key]
        if item.sort == "external":
            name = item.key.rpartition("::")[2]
            return [name if name in ("f16", "bf16") else item.key]
        return "not a type"

    def is_burn_crate(self, name: str) -> bool:
        """Whether burn's facts are about a crate."""
        return is_burn_crate(self.api, name)

    def _api_alias(self, key: str) -> list[Named] | str:
        alias = self.api.alias(key)
        if alias is None:
            return "alias that burn's facts do not have"
        if isinstance(alias.target, terms.Assoc) and alias.target.name == "Device":
            return ["Device"]
        generics = tuple((g.name, g.sort) for g in alias.generics)
        return [ApiAlias(generics, self.compiler.type(alias.target, "B" if self.old_style else ""))]

    def trait_head(self, path: rt.Path, item: Item) -> Head | None:
        """The trait that a path names; None if that is not known."""
        heads = self.type_heads(path, item)
        if isinstance(heads, str) or len(heads) != 1:
            return None
        head = heads[0]
        return None if isinstance(head, Alias | ApiAlias) else head

    def backend_bound(self, path: rt.Path, item: Item, depth: int = 0) -> str:
        """Whether a bound makes a generic a backend: `autodiff`, `any`, or ""."""
        head = self.trait_head(path, item)
        if isinstance(head, str):
            name = head.rpartition("::")[2]
            if name in BACKEND_TRAITS and self.is_api_trait(head):
                return AUTODIFF if name == "AutodiffBackend" else "any"
            trait = self.api.trait(head) if self.is_api_trait(head) else None
            for bound in trait.supertraits if trait is not None else ():
                if isinstance(bound, terms.Named) and bound.name in BACKEND_TRAITS:
                    return AUTODIFF if bound.name == "AutodiffBackend" else "any"
            return ""
        if isinstance(head, Trait) and depth < _MAX_SUPER:
            found = ""
            for expr in head.supertraits:
                if isinstance(expr, rt.PathType):
                    found = self.backend_bound(expr.path, head, depth + 1) or found
                    if found == AUTODIFF:
                        break
            return found
        # The facts have no module of the inner crates (`burn_backend::backend`).
        named = self.resolve(path, item, "type") if head is None else None
        if (
            isinstance(named, rn.Extern)
            and self.is_burn_crate(named.path[0])
            and named.path[-1] in BACKEND_TRAITS
        ):
            return AUTODIFF if named.path[-1] == "AutodiffBackend" else "any"
        return ""

    def backend_mode(self, head: Named) -> str:
        """The mode that a backend type stands for, up to burn 0.21."""
        if isinstance(head, str):
            known = self.api.type(head) if self.is_api_type(head) else None
            if known is not None:
                return AUTODIFF if known.path.rpartition("::")[2] == "Autodiff" else PLAIN
        if isinstance(head, ApiAlias):
            target = head.target
            return AUTODIFF if isinstance(target, Con) and target.head == "Autodiff" else PLAIN
        return UNKNOWN

    def constant_value(self, text: str, item: Item) -> int | None:
        """The number that a constant of the workspace holds."""
        if not text.replace("::", "").replace("_", "").isalnum() or text[0].isdigit():
            return None
        segments = tuple(rt.Segment(s) for s in text.split("::"))
        found = self.resolve(rt.Path(segments, (0, 0)), item, "value")
        if isinstance(found, rn.Local) and not found.rest and len(found.definitions) == 1:
            value = getattr(found.definitions[0], "value", None)
            if isinstance(value, str):
                return digits.number(value.removesuffix("usize"))
        return None

    def is_api_type(self, head: str) -> bool:
        """Whether a head is a type of burn (not one of another crate that burn implements traits for)."""
        found = self._is_type.get(head)
        if found is None:
            known = self.api.type(head)
            found = self._is_type[head] = known is not None and known.sort != "foreign"
        return found

    def is_api_trait(self, head: str) -> bool:
        """Whether a head is a trait of burn."""
        found = self._is_trait.get(head)
        if found is None:
            found = self._is_trait[head] = self.api.trait(head) is not None
        return found

    def is_device(self, head: Head) -> bool:
        return isinstance(head, str) and head.rpartition("::")[2] == "Device"

    def generics_of(self, head: Named) -> list[tuple[str, str, Type | None]]:
        """The generics of a type or trait in order: name, sort and default."""
        if isinstance(head, Alias):
            return []
        if isinstance(head, ApiAlias):
            return [(name, sort, None) for name, sort in head.names]
        found = self._generics.get(head)
        if found is None:
            found = self._generics[head] = self._find_generics(head)
        return found

    def _find_generics(self, head: Head) -> list[tuple[str, str, Type | None]]:
        if isinstance(head, str):
            known = (self.api.type(head) if self.is_api_type(head) else None) or (
                self.api.trait(head) if self.is_api_trait(head) else None
            )
            if known is not None:
                return [
                    (g.name, g.sort, None if g.default is None else self.compiler.type(g.default, ""))
                    for g in known.generics
                ]
            std = self.std.types.get(head)
            return [(g.name, g.sort, None) for g in std.generics] if std is not None else []
        if isinstance(head, Struct | Enum | Trait):
            scope = self.converter.scope(head)
            return [
                (g.name, g.sort, None if g.default is None else self.converter.type(g.default, scope))
                for g in scope.own
            ]
        return []

    def modal(self, head: Named) -> bool:
        """Whether values with that head have a mode."""
        if isinstance(head, str):
            return head == "Tensor" or (self.is_api_type(head) and self.compiler.modal(head))
        if isinstance(head, Struct | Enum):
            if self.old_style:
                return any(g.sort == "backend" for g in self.converter.scope(head).own)
            return self.is_module(head)
        return False

    def is_module(self, item: Struct | Enum) -> bool:
        """Whether a type of the workspace derives burn's Module."""
        found = self._modules_derived.get(item)
        if found is None:
            found = self._modules_derived[item] = item.derives("Module")
        return found

    def number_impls(self, index: Index, trait: Head, sort: str) -> frozenset[str]:
        """The integer or float types that implement a trait, as far as burn and the workspace say it."""
        key = trait, sort
        found = self._numbers.get(key)
        if found is None:
            heads = INTEGERS if sort == "int" else FLOATS
            own = {head for head in heads if index.trait_impls(head, trait)}
            if isinstance(trait, str) and self.is_api_trait(trait):
                receivers = [each.receiver for each in self.impls.implementations(trait)]
                own |= {head for head in heads for r in receivers if isinstance(r, Con) and r.head == head}
            found = self._numbers[key] = frozenset(own)
        return found

    def is_iterator(self, s: Solver, type: Type) -> bool:
        """Whether a value is an iterator itself."""
        if isinstance(type, Gen):
            return any(b.head in _ITERATORS for b in s.bounds(type.name))
        if not isinstance(type, Con):
            return False
        if type.head in ("impl", "dyn"):
            return any(
                isinstance(b, Con)
                and (b.head in _ITERATORS or (isinstance(b.head, str) and self._iterates(b.head)))
                for b in type.args
            )
        if isinstance(type.head, str):
            return type.head in ("Range", "RangeInclusive", "RangeFrom") or self._iterates(type.head)
        return bool(s.index.associated(type.head, "Iterator", "Item"))

    def _iterates(self, head: str) -> bool:
        known = self.api.type(head) if self.is_api_type(head) else None
        if known is not None:
            return known.item is not None
        trait = self.api.trait(head) if self.is_api_trait(head) else None
        return trait is not None and trait.item is not None

    def slice_type(self) -> Type:
        """What `s![..]` has for each dimension: a range up to burn 0.17, a `Slice` later."""
        return atom("Slice") if self.is_api_type("Slice") else Gen("?slice of an old burn")


def is_burn_crate(api: Api, name: str) -> bool:
    """Whether the facts of a version are about a crate."""
    return name == "burn" or name.replace("_", "-") in api.crates


_ITERATORS = frozenset({"Iterator", "DoubleEndedIterator", "ExactSizeIterator"})


_ROOTS = frozenset({"crate", "self", "super", "Self"})


def _joined(head: rn.Resolution, segments: tuple[rt.Segment, ...]) -> rn.Resolution | None:
    """The meaning of a path whose head is known to lead out of the workspace or to a type; None where names
    must be asked."""
    if isinstance(head, rn.Extern):
        return rn.Extern((*head.path, *[segment.name for segment in segments[1:]]))
    if isinstance(head, rn.Local) and not head.rest and len(head.definitions) == 1:
        definition = head.definitions[0]
        if isinstance(definition, Struct | Trait | Alias):
            return rn.Local(head.crate, head.definitions, rest=segments[1:])
    return None


def _block_scope(item: Item) -> Item | None:
    """The item if names declared in a body can matter inside of it, else None: the module alone decides
    then."""
    outer: Item | None = item
    while outer is not None:
        if outer.scope is not None:
            return item
        outer = outer.owner
    if isinstance(item, Fn) and item.has_body and item.inner_items:
        return item
    return None
