"""Spells a type as Rust at a place in source, or says that it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn.infer.model import NUMBERS, Con, Gen, Head, Type, Var, prune
from burnlint.rust import types as rt
from burnlint.rust.items import Enum, ExternCrate, Item, Struct

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
        if not isinstance(head, str):
            return self._item(type, head) if isinstance(head, Struct | Enum) else None
        args = [self.spell(arg) for arg in type.args]
        if any(arg is None for arg in args):
            return None
        given = [arg for arg in args if arg is not None]
        if head == "&":
            return f"&{given[0]}"
        if head == "&mut":
            return f"&mut {given[0]}"
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
        if path is None:
            return None
        written: list[str] = []
        rest = list(args)
        for generic in known.generics:
            if generic.sort == "backend":
                written.append("_")
            elif rest:
                written.append(rest.pop(0))
        return path + (f"<{', '.join(written)}>" if written else "")

    def _burn_path(self, path: str, key: str) -> str | None:
        """A path of burn that names the type here, if possible without a feature that may be off."""
        module = self.s.resolver.module_of(self.s.scope.item)
        if module is None:
            return None
        names = path.split("::")
        paths = [names, *([names[0], *place.split("::"), names[-1]] for place in _PLACES)]
        candidates = [names[-1:]]
        behind_features: list[list[str]] = []
        for extern, crate in module.crate.extern_crates().items():
            if isinstance(crate, str):
                candidates += [[extern, *each[1:]] for each in paths if self._always(crate, each[1:])]
                behind_features.append([extern, *names[1:]])
        for candidate in candidates + behind_features:
            heads = self.s.resolver.type_heads(_path(candidate), self.s.scope.item)
            if not isinstance(heads, str) and heads == [key]:
                return "::".join(candidate)
        return None

    def _always(self, crate: str, names: list[str]) -> bool:
        found = self.s.lookup.api.resolve_path("::".join([crate, *names]), "type")
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
        s = self.s
        heads = s.resolver.type_heads(_path([item.name]), s.scope.item)
        path = item.name
        if isinstance(heads, str) or heads != [item]:
            module = s.resolver.module_of(item)
            here = s.resolver.module_of(s.scope.item)
            if module is None or here is None or module.crate is not here.crate or item.scope is not None:
                return None
            if not item.visibility and here.path[: len(module.path)] != module.path:
                return None
            path = self._way(item, module, here)
            if not path:
                return None
        rest = list(type.args)
        written = []
        for _, sort, _ in s.resolver.generics_of(item):
            if sort == "backend":
                written.append("_")
            elif rest:
                spelled = self.spell(rest.pop(0))
                if spelled is None:
                    return None
                written.append(spelled)
        return path + (f"<{', '.join(written)}>" if written else "")

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
            if _visible(at, here) and self.s.resolver.type_heads(_path(candidate), self.s.scope.item) == [
                item
            ]:
                return "::".join(candidate)
            at = at.parent
        return ""


def _visible(module: Module, here: Module) -> bool:
    """Whether all modules on the way from the crate's root can be named."""
    at: Module | None = module
    while at is not None and at.parent is not None:
        inside = here.path[: len(at.parent.path)] == at.parent.path
        if not inside and (at.mod is None or not at.mod.visibility.startswith("pub")):
            return False
        at = at.parent
    return True


def _path(names: list[str]) -> rt.Path:
    return rt.Path(tuple(rt.Segment(name) for name in names), (0, 0))
