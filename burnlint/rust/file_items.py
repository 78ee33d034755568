"""All items of one file, by kind and by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from burnlint.rust.attributes import Attribute
from burnlint.rust.items import Const, Enum, Fn, Impl, Item, MacroRules, Mod, Struct, Trait, TypeAlias


@dataclass(eq=False)
class FileItems:
    """All items of a file in source order."""

    items: list[Item]
    attributes: tuple[Attribute, ...]
    """The inner ones (`#![..]`)."""

    @cached_property
    def functions(self) -> list[Fn]:
        """Every function with a body, also in impls, traits, inline modules and bodies; outer before
        inner."""
        return [item for item in self.all if isinstance(item, Fn) and item.has_body]

    @cached_property
    def impls(self) -> list[Impl]:
        """Every impl, wherever it stands."""
        return [item for item in self.all if isinstance(item, Impl)]

    @cached_property
    def traits(self) -> list[Trait]:
        """Every trait, wherever it stands."""
        return [item for item in self.all if isinstance(item, Trait)]

    @cached_property
    def aliases(self) -> list[TypeAlias]:
        """Every type alias, associated types included."""
        return [item for item in self.all if isinstance(item, TypeAlias)]

    @cached_property
    def all(self) -> list[Item]:
        """Every item, outer before inner: also members of impls and traits, and items in inline modules and
        bodies."""
        return list(self.walk())

    @cached_property
    def constants(self) -> dict[str, bool]:
        """The names that a pattern may mean: constants, structs and variants, outside of bodies.

        The value says whether the pattern always matches, as a variant's does not.
        """
        names: dict[str, bool] = {}
        for item in self._outline():
            if isinstance(item, Enum):
                names.update((variant.name, False) for variant in item.variants if variant.name not in names)
            elif isinstance(item, (Const, Struct)):
                names[item.name] = True
        return names

    @cached_property
    def macros(self) -> frozenset[str]:
        """The names of the file's `macro_rules!`."""
        return frozenset(item.name for item in self._outline() if isinstance(item, MacroRules))

    def _outline(self) -> Iterator[Item]:
        """The items of the file and its inline modules."""
        stack: list[Item] = self.items[::-1]
        while stack:
            item = stack.pop()
            yield item
            if isinstance(item, Mod):
                stack.extend(reversed(item.items))

    def walk(self) -> Iterator[Item]:
        """The items of `all`, found anew."""
        stack: list[Item] = self.items[::-1]
        while stack:
            item = stack.pop()
            yield item
            if isinstance(item, Mod):
                stack.extend(reversed(item.items))
            elif isinstance(item, (Impl, Trait)):
                stack.extend(reversed(item.members))
            elif isinstance(item, Fn):
                stack.extend(reversed(item.inner_items))
