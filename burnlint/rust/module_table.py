"""What one module declares, by namespace and name."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from burnlint.rust.items import (
    Const,
    Enum,
    ExternCrate,
    Fn,
    Item,
    ItemMacro,
    MacroRules,
    Mod,
    Struct,
    Trait,
    TypeAlias,
    Use,
)
from burnlint.rust.modules import Module
from burnlint.rust.resolution import Definition, Namespace


@dataclass(slots=True)
class Table:
    """The names of a module or block. Imports are kept apart: what they import is found out when asked
    for."""

    definitions: dict[tuple[Namespace, str], list[Definition]] = field(default_factory=dict)
    externs: dict[str, list[ExternCrate]] = field(default_factory=dict)
    uses: dict[str, list[Use]] = field(default_factory=dict)
    globs: list[Use] = field(default_factory=list)
    macros: list[ItemMacro] = field(default_factory=list)
    """The macro calls in it, which may declare anything."""

    def add(self, item: Item) -> None:
        """Enter an item; modules are entered by `of_module`, as only the module tree knows them."""
        if isinstance(item, Use):
            if item.name == "*":
                self.globs.append(item)
            elif item.name != "_":
                self.uses.setdefault(item.name, []).append(item)
        elif isinstance(item, ItemMacro):
            self.macros.append(item)
        elif isinstance(item, ExternCrate):
            self.externs.setdefault(item.name, []).append(item)
        else:
            for namespace in _namespaces(item):
                self.definitions.setdefault((namespace, item.name), []).append(item)

    def spelled_in_macro(self, name: str) -> bool:
        """Whether what stands in a macro call looks like a declaration or import of a name (`cfg_if! { .. }`), which then
        comes before those of globs."""
        declared = rf"(?:{_KEYWORDS})\s+{name}\b|use\b[^;]*\b{name}\b"
        return any(
            name in macro.arguments and re.search(rf"\b(?:{declared})", macro.arguments)
            for macro in self.macros
        )


_KEYWORDS = "struct|enum|union|type|trait|mod|const|static|fn"


def _namespaces(item: Item) -> tuple[Namespace, ...]:
    if isinstance(item, Struct):
        return ("type",) if item.shape == "named" else ("type", "value")
    if isinstance(item, (Enum, Trait, TypeAlias)):
        return ("type",)
    if isinstance(item, (Fn, Const)):
        return ("value",)
    return ("macro",) if isinstance(item, MacroRules) else ()


def of_module(module: Module) -> Table:
    """The table of a module."""
    table = Table()
    for item in module.items:
        table.add(item)
    for name, children in module.children.items():
        table.definitions.setdefault(("type", name), []).extend(children)
    # `mod x;` whose file is not there declares a name all the same.
    for item in module.items:
        if isinstance(item, Mod) and item.name not in module.children:
            table.definitions.setdefault(("type", item.name), []).append(item)
    return table


def of_block(items: list[Item]) -> Table:
    """The table of what one block declares."""
    table = Table()
    for item in items:
        table.add(item)
        if isinstance(item, Mod):
            table.definitions.setdefault(("type", item.name), []).append(item)
    return table
