"""All items of one file, by kind and by name."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from burnlint.rust.attributes import Attribute
from burnlint.rust.items import Const, Enum, Fn, Impl, Item, MacroRules, Mod, Struct, Trait

_IMPL = re.compile(rb"impl(?<!\wimpl)\b")
_TRAIT = re.compile(rb"trait(?<!\wtrait)\b")


@dataclass(eq=False)
class FileItems:
    """All items of a file in source order."""

    items: list[Item]
    attributes: tuple[Attribute, ...]
    """The inner ones (`#![..]`)."""
    content: bytes

    @cached_property
    def functions(self) -> list[Fn]:
        """Every function with a body, also in impls, traits, inline modules and bodies; outer before
        inner."""
        return [item for item in self.all if isinstance(item, Fn) and item.has_body]

    def functions_around(self, places: Iterable[int]) -> list[Fn]:
        """The functions with a body that hold one of these places, outer before inner. Only items that hold
        one are read."""
        return [item for item in self.around(places) if isinstance(item, Fn) and item.has_body]

    def around(self, places: Iterable[int]) -> Iterator[Item]:
        """The items that hold one of these places, outer before inner."""
        return _holding(self.items, sorted(places))

    @cached_property
    def impls(self) -> list[Impl]:
        """Every impl, wherever it stands."""
        return [item for item in self._with(_IMPL) if isinstance(item, Impl)]

    @cached_property
    def traits(self) -> list[Trait]:
        """Every trait, wherever it stands."""
        return [item for item in self._with(_TRAIT) if isinstance(item, Trait)]

    def _with(self, keyword: re.Pattern[bytes]) -> Iterator[Item]:
        """The items in which a keyword stands."""
        return self.around(match.start() for match in keyword.finditer(self.content))

    @cached_property
    def all(self) -> list[Item]:
        """Every item, outer before inner: also members of impls and traits, and items in inline modules and
        bodies."""
        found: list[Item] = []
        stack: list[Item] = self.items[::-1]
        while stack:
            item = stack.pop()
            found.append(item)
            stack.extend(reversed(_inside(item)))
        return found

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


def _inside(item: Item) -> Sequence[Item]:
    """The items right inside of an item."""
    if isinstance(item, Mod):
        return item.items
    if isinstance(item, (Impl, Trait)):
        return item.members
    return item.inner_items if isinstance(item, Fn) else ()


def _holding(items: Sequence[Item], places: Sequence[int]) -> Iterator[Item]:
    """Of items in source order, and of those in them, the ones that hold one of some ascending places, outer
    before inner."""
    stack = _parted(items, places)[::-1]
    while stack:
        item, inside = stack.pop()
        yield item
        stack.extend(reversed(_parted(_inside(item), inside)))


def _parted(items: Sequence[Item], places: Sequence[int]) -> list[tuple[Item, Sequence[int]]]:
    """The items that hold a place, each with the places that it holds."""
    found: list[tuple[Item, Sequence[int]]] = []
    at = 0
    while items and at < len(places):
        index = bisect_right(items, places[at], key=_start) - 1
        behind = bisect_left(places, items[index].span[1], at) if index >= 0 else at
        if behind > at:
            found.append((items[index], places[at:behind]))
        at = max(behind, at + 1)
    return found


def _start(item: Item) -> int:
    return item.span[0]
