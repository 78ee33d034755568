"""Items of burn that have another name today, and imports of what is gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn.migration.naming import in_scope, named
from burnlint.burn.migration.table import table
from burnlint.lint.finding import Edit, Place
from burnlint.rust.items import Use
from burnlint.rust.lists import without_import
from burnlint.rust.written import Written

if TYPE_CHECKING:
    from burnlint.burn.migration.file import FileMigration

OPTIMIZER = "burn::optim::ModuleOptimizer"
RECORD = "burn::store::ModuleRecord"


@dataclass(frozen=True, slots=True)
class Renamed:
    """A name that is gone: its place, what it named, what takes its place ("" if nothing is known to), and the
    edits for it."""

    place: Place
    name: str
    successor: str
    edits: tuple[Edit, ...]


def renamed(file: FileMigration) -> Iterator[Renamed]:
    """The names of a file that are gone from burn, but for back ends and recorders."""
    for path in file.paths:
        full = "::".join(file.before.outside(path.path, path.item))
        successor = table()["renames"].get(full, "")
        if full in _STEPS and path.role == "trait" and len(path.path.segments[-1].args) == 2:
            yield _step(file, path, full, successor or full)
        elif successor and not file.unit.goes(path):
            shown, imports = named(file.before, path.item, successor)
            place = Place(file.source.path, *path.path.span)
            yield Renamed(place, full, successor, (Edit(place, shown), *imports))
        elif (of := table()["renames"].get(full.rpartition("::")[0], "")) and path.role == "value":
            # `ValidStep::step(&model, batch)`: the trait has another name, what it has is called as before.
            shown, imports = named(file.before, path.item, of)
            start, end = path.path.span[0], file.source.content.rindex(b"::", *path.path.span)
            place = Place(file.source.path, start, end)
            yield Renamed(place, full.rpartition("::")[0], of, (Edit(place, shown), *imports))
        elif full and file.before.key(path.path, path.item) == "Optimizer" and path.path.segments[-1].args:
            yield from _optimizer(file, path, full)
    for use in file.uses:
        full = "::".join(file.before.outside(use.path, use))
        if full in table()["renames"]:
            successor = table()["renames"][full]
            place = file.place(use.name_span)
            yield Renamed(place, full, successor, replaced_import(file, use, successor))


_STEPS = frozenset({"burn::train::TrainStep", "burn::train::ValidStep"})
"""Traits whose two arguments are associated types since 0.20."""


def _step(file: FileMigration, path: Written, full: str, successor: str) -> Renamed:
    """`impl TrainStep<I, O> for Net`, with its arguments as associated types."""
    shown, imports = named(file.before, path.item, successor)
    place = Place(file.source.path, *path.path.span)
    body = path.item.node().child_by_field_name("body")
    first, second = (file.text(arg.span) for arg in path.path.segments[-1].args)
    if body is None:
        return Renamed(place, full, successor, ())
    indent = file.indent(path.item.span[0]) + "    "
    at = Place(file.source.path, body.start_byte + 1, body.start_byte + 1)
    types = Edit(at, f"\n{indent}type Input = {first};\n{indent}type Output = {second};\n")
    return Renamed(place, full, successor, (Edit(place, shown), types, *imports))


def _optimizer(file: FileMigration, path: Written, full: str) -> Iterator[Renamed]:
    """`impl Optimizer<M, B>`, and bounds of parameters that have to stay."""
    if path.role != "bound" or path.outer is not None:
        return
    for (item, _), parameter in file.unit.parameters.items():
        if item is path.item and parameter.sort == "optimizer" and parameter.removable:
            return
    content = file.source.content
    before = content[: path.path.span[0]].rstrip()
    place = Place(file.source.path, *path.path.span)
    if not before.endswith(b"impl"):
        yield Renamed(place, full, OPTIMIZER, ())
        return
    shown, imports = named(file.before, path.item, OPTIMIZER)
    whole = Place(file.source.path, len(before) - 4, path.path.span[1])
    yield Renamed(place, full, OPTIMIZER, (Edit(whole, shown), *imports))


def replaced_import(file: FileMigration, use: Use, successor: str) -> tuple[Edit, ...]:
    """The edits that import the successor in the place of what is gone."""
    cuts = without_import(use)
    if in_scope(file.before, use, successor):
        return file.cut(*cuts)
    first = next(
        each
        for each in file.uses
        if each.parent is use.parent
        and table()["renames"].get("::".join(file.before.outside(each.path, each))) == successor
    )
    if first is not use:
        return file.cut(*cuts)
    whole = any(start <= use.span[0] and use.span[1] <= end for start, end in cuts)
    if whole:
        return (Edit(file.place(use.span), f"use {successor};"),)
    end = Place(file.source.path, use.span[1], use.span[1])
    return (*file.cut(*cuts), Edit(end, f"\n{file.indent(use.span[0])}use {successor};"))
