"""Spells a type as Rust at a place in source, or says that it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.infer.model import NUMBERS, Con, Gen, Head, Projection, Type, Var, prune
from burnlint.rust import types as rt
from burnlint.rust.items import Enum, ExternCrate, Item, Struct, Trait

if TYPE_CHECKING:
    from burnlint.burn.infer.solver import Solver
    from burnlint.rust.modules import Module

_PRIMITIVE = NUMBERS | {"bool", "char", "str"}
_KINDS = ("Float", "Int", "Bool")
_PLACES = (
    "tensor",
    "module",
    "nn",
    "optim",
    "prelude",
    "data::dataset",
    "data::dataloader",
    "train",
    "record",
    "store",
)
"""Modules of burn where its types are found by users, tried in this order."""
_TRAITS = {
    "Any": "core::any::Any",
    "Error": "core::error::Error",
    "Send": "core::marker::Send",
    "Sync": "core::marker::Sync",
}
"""Traits of std that are often behind a `dyn`."""


class Speller:
    """Spells the types of one body in the scope of its function."""

    def __init__(self, solver: Solver) -> None:
        self.s = solver

    def spell(self, type: Type) -> str | None:
        """The type in Rust, with `_` only for backends; None if a part is unknown or has no name here."""
        type = prune(type)
        if isinstance(type, Var):
            return None
        if isinstance(type, Gen):
            return type.name
        head = type.head
        if isinstance(head, int):
            return str(head)
        if isinstance(head, Projection):
            return self._projection(type, head)
        if not isinstance(head, str):
            return self._item(type, head) if isinstance(head, Struct | Enum) else None
        if head == "dyn":
            return self._dyn(type)
        args = [self.spell(arg) for arg in type.args]
        if any(arg is None for arg in args):
            return None
        given = [arg for arg in args if arg is not None]
        if head in ("&", "&mut"):
            target = f"({given[0]})" if given[0].startswith("dyn ") and " + " in given[0] else given[0]
            return f"&{target}" if head == "&" else f"&mut {target}"
        if head == "()":
            return f"({', '.join(given)}{',' if len(given) == 1 else ''})"
        if head == "[;]":
            return f"[{given[0]}; {given[1]}]"
        if head == "[]":
            return f"[{given[0]}]"
        if head in _PRIMITIVE:
            return head
        if self.s.resolver.is_api_type(head) or head in _KINDS:
            return self._burn(head, given)
        std = self.s.lookup.std.types.get(head)
        if std is not None and std.path:
            path = self._named(std.path.split("::"), head)
            return None if path is None else path + (f"<{', '.join(given)}>" if given else "")
        return None

    def _projection(self, type: Con, head: Projection) -> str | None:
        """`<T as Trait>::Name`; None unless the trait is known, and neither it nor the type has generics."""
        if head.trait is None or self.s.resolver.generics_of(head.trait):
            return None
        if isinstance(head.trait, Trait):
            if any(each.name == head.name and each.generics.params for each in head.trait.types):
                return None
        elif isinstance(head.trait, str) and self.s.resolver.impls.has_generics(head.trait, head.name):
            return None
        base, trait = self.spell(type.args[0]), self._trait(head.trait)
        return None if base is None or trait is None else f"<{base} as {trait}>::{head.name}"

    def _dyn(self, type: Con) -> str | None:
        """`dyn Trait<A> + Send`; None for closures, of which it is not kept whether they are called once or often."""
        bounds = []
        for bound in type.args:
            if not isinstance(bound, Con):
                return None
            path = self._trait(bound.head)
            if path is None:
                return None
            args = []
            for arg in bound.args:
                name = arg.head if isinstance(arg, Con) and isinstance(arg.head, str) else ""
                spelled = self.spell(arg.args[0] if isinstance(arg, Con) and name[:1] == "=" else arg)
                if spelled is None:
                    return None
                args.append(f"{name[1:]} = {spelled}" if name[:1] == "=" else spelled)
            bounds.append(path + self._generics(bound.head, args))
        return "dyn " + " + ".join(bounds) if bounds else None

    def _trait(self, head: Head) -> str | None:
        """A path that names a trait here."""
        if isinstance(head, Trait):
            return self._item_path(head)
        if not isinstance(head, str):
            return None
        known = self.s.lookup.api.trait(head)
        if known is not None:
            return self._burn_path(known.path, head)
        path = _TRAITS.get(head)
        return None if path is None else self._named(path.split("::"), head)

    def _generics(self, head: Head, args: list[str]) -> str:
        """Arguments in angle brackets, with `_` for each backend among the generics."""
        written: list[str] = []
        rest = list(args)
        for _, sort, _ in self.s.resolver.generics_of(head):
            if sort == "backend":
                written.append("_")
            elif rest and " = " not in rest[0]:
                written.append(rest.pop(0))
        written += [each for each in rest if " = " in each]
        return f"<{', '.join(written)}>" if written else ""

    def _burn(self, head: str, args: list[str]) -> str | None:
        s = self.s
        if head in _KINDS:
            return self._burn_path(f"burn::tensor::{head}", head)
        known = s.lookup.api.type(head)
        if known is None:
            return None
        if head.rpartition("::")[2] == "Device" and s.resolver.old_style:
            return None
        path = self._burn_path(known.path, head)
        return None if path is None else path + self._generics(head, args)

    def _burn_path(self, path: str, key: str) -> str | None:
        """A path of burn that names the type here, if possible without a feature that may be off."""
        module = self.s.resolver.module_of(self.s.scope.item)
        if module is None:
            return None
        names = path.split("::")
        paths = [
            names,
            *([names[0], *place.split("::"), names[-1]] for place in _PLACES),
            [names[0], names[-1]],
        ]
        candidates = [names[-1:]]
        behind_features: list[list[str]] = []
        externs = module.crate.extern_crates()
        # Beside burn itself its inner crates are among the names, whether the manifest has them or not.
        shown = {extern for extern, crate in externs.items() if crate == "burn"} or externs
        for extern, crate in externs.items():
            if isinstance(crate, str) and extern in shown:
                candidates += [[extern, *each[1:]] for each in paths if self._always(crate, each[1:])]
                behind_features.append([extern, *names[1:]])
        for candidate in candidates + behind_features:
            heads = self.s.resolver.type_heads(_path(candidate), self.s.scope.item)
            if not isinstance(heads, str) and heads == [key]:
                return "::".join(candidate)
        return None

    def _always(self, crate: str, names: list[str]) -> bool:
        found = self.s.lookup.api.resolve_path("::".join([crate.replace("-", "_"), *names]), "type")
        return found is not None and not found.conditions

    def _named(self, names: list[str], head: Head) -> str | None:
        module = self.s.resolver.module_of(self.s.scope.item)
        root = module.crate.root if module is not None else None
        if root is None:
            return None
        places = [["std", *names[1:]]]
        if any(a.path == "no_std" for a in root.file.items.attributes):
            linked = any(isinstance(item, ExternCrate) and item.original == "alloc" for item in root.items)
            places = [["core", *names[1:]]] if names[0] == "core" else [names] if linked else []
        for candidate in ([names[-1]], *places):
            heads = self.s.resolver.type_heads(_path(candidate), self.s.scope.item)
            if not isinstance(heads, str) and heads == [head]:
                return "::".join(candidate)
        return None

    def _item(self, type: Con, item: Item) -> str | None:
        args = [self.spell(arg) for arg in type.args]
        path = self._item_path(item)
        if path is None or any(arg is None for arg in args):
            return None
        return path + self._generics(type.head, [arg for arg in args if arg is not None])

    def _item_path(self, item: Item) -> str | None:
        """A path that names an item of the workspace here."""
        s = self.s
        if s.resolver.type_heads(_path([item.name]), s.scope.item) == [item]:
            return item.name
        module, here = s.resolver.module_of(item), s.resolver.module_of(s.scope.item)
        if module is None or here is None or item.scope is not None:
            return None
        if module.crate is not here.crate:
            return self._way_outside(item, module, here) if item.visibility == "pub" else None
        if not item.visibility and here.path[: len(module.path)] != module.path:
            return None
        return self._way(item, module, here) or None

    def _way(self, item: Item, module: Module, here: Module) -> str:
        """The path to an item of the crate from a module of it, in full or as a module around a private one reexports it;
        empty if there is none. It does not start at the root, which is not known of files that a macro brings in."""
        at: Module | None = module
        while at is not None:
            shared = 0
            while shared < min(len(at.path), len(here.path)) and at.path[shared] == here.path[shared]:
                shared += 1
            start = ["super"] * (len(here.path) - shared) or ["self"]
            candidate = [*start, *at.path[shared:], item.name]
            if _visible(at, here) and self._names(candidate, item):
                return "::".join(candidate)
            at = at.parent
        return ""

    def _way_outside(self, item: Item, module: Module, here: Module) -> str | None:
        """The path to an item of another crate of the workspace, in full or as a module around it reexports it."""
        for extern, crate in here.crate.extern_crates().items():
            at: Module | None = module if crate is module.crate else None
            while at is not None:
                candidate = [extern, *at.path, item.name]
                if _visible(at, None) and self._names(candidate, item):
                    return "::".join(candidate)
                at = at.parent
        return None

    def _names(self, path: list[str], item: Item) -> bool:
        return self.s.resolver.type_heads(_path(path), self.s.scope.item) == [item]


def _visible(module: Module, here: Module | None) -> bool:
    """Whether all modules on the way from the crate's root can be named, in a module of the crate or, without
    one, outside of it."""
    at: Module | None = module
    while at is not None and at.parent is not None:
        inside = here is not None and here.path[: len(at.parent.path)] == at.parent.path
        least = "pub" if here is not None else "pub;"
        if not inside and (at.mod is None or not f"{at.mod.visibility};".startswith(least)):
            return False
        at = at.parent
    return True


def _path(names: list[str]) -> rt.Path:
    return rt.Path(tuple(rt.Segment(name) for name in names), (0, 0))
