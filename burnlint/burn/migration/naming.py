"""How a name of burn's is spelled at a place, with the import that it needs."""

from __future__ import annotations

from collections import defaultdict

from burnlint.burn.migration.before import Before
from burnlint.burn.migration.table import table
from burnlint.lint.finding import Edit, Place
from burnlint.rust import resolution as rn
from burnlint.rust import types as rt
from burnlint.rust.items import Item, Use
from burnlint.rust.lists import import_place
from burnlint.rust.source import SourceFile


def named(before: Before, item: Item, path: str) -> tuple[str, tuple[Edit, ...]]:
    """`Device`, and the edit that imports it where it is not in scope, for `burn::tensor::Device`; the whole path
    where the name means something else, or nothing is imported there that stays."""
    name = path.rpartition("::")[2]
    if name == path:
        return name, ()
    if in_scope(before, item, path) or _will_be_imported(before, item, path):
        return name, ()
    found = before.resolve(rt.Path((rt.Segment(name),), item.name_span), item)
    place = import_place(_staying(before, item.file), item)
    if not isinstance(found, rn.Unresolved) or place is None or item.scope is not None:
        return path, ()
    end, indent = place
    return name, (Edit(Place(item.file.path, end, end), f"\n{indent}use {path};"),)


def in_scope(before: Before, item: Item, path: str) -> bool:
    """Whether the last name of a path means it at an item."""
    name = path.rpartition("::")[2]
    found = before.resolve(rt.Path((rt.Segment(name),), item.name_span), item)
    if not isinstance(found, rn.Extern):
        return False
    same = before.new.resolve_path("::".join(found.path))
    wanted = before.new.resolve_path(path)
    return same is not None and wanted is not None and same.key == wanted.key


def _will_be_imported(before: Before, item: Item, path: str) -> bool:
    """Whether an import of the module is of something whose place the path takes: it brings the path then."""
    renames = table()["renames"]
    return any(
        isinstance(use, Use)
        and use.parent is item.parent
        and renames.get("::".join(before.outside(use.path, use))) == path
        for use in item.file.items.all
    )


def _staying(before: Before, file: SourceFile) -> list[Use]:
    """The imports whose whole declaration stays: none of its names is one that burn lost."""
    found: dict[tuple[int, int], list[Use]] = defaultdict(list)
    for use in file.items.all:
        if isinstance(use, Use):
            found[use.span].append(use)
    return [uses[0] for uses in found.values() if not any(_is_lost(before, use) for use in uses)]


def _is_lost(before: Before, use: Use) -> bool:
    full = before.outside(use.path, use)
    if not full:
        return before.is_backend(use.path, use)
    _, key, _ = before.split(full)
    return (
        key in before.backends or before.new.resolve_path("::".join(full)) is None or key.endswith("Device")
    )
