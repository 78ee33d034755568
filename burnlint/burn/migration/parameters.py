"""The back end parameters (and those for optimizers) that a unit declares, and which of them can go.

A parameter can go when each of its uses goes with it: as a back end argument of burn's items, as an argument for
another parameter that goes, or in what has a successor (`B::Device`). Those that need each other go together:
the answer is the greatest set that is closed under this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from burnlint.burn.migration.before import Before, Takes
from burnlint.rust import hir
from burnlint.rust.items import Enum, Fn, Impl, Item, Struct, Trait, TypeAlias
from burnlint.rust.written import Written

Key = tuple[Item, str]

SORTS = frozenset({"backend", "optimizer", "left"})
"""The sorts of parameters that go."""


@dataclass(eq=False)
class Parameter:
    """A back end parameter of an item. `needs` are parameters that have to go first or with it; `held` are the
    uses that keep it."""

    item: Item
    name: str
    sort: str = "backend"
    """`backend`; `left`: of a back end, and nothing uses it; `optimizer`: then what it stood for is
    `ModuleOptimizer` today, in `replaced`, and its record `OptimizerRecord`; or `idle`: only an optimizer's
    bound named it, and nothing will say what it is."""
    replaced: list[Written] = field(default_factory=list)
    markers: list[Written] = field(default_factory=list)
    """Its uses in `PhantomData<B>`, which marks nothing then."""
    needs: set[Key] = field(default_factory=set)
    held: list[Written] = field(default_factory=list)
    removable: bool = True


def parameters(
    before: Before,
    items: Iterable[Item],
    paths: Iterable[Written],
    calls: Mapping[Written, Takes],
    successors: Mapping[str, object],
) -> dict[Key, Parameter]:
    """The back end parameters of items. `paths` are all paths of the code that may name them, `calls` says what
    the turbofish is for whose argument a path is, `successors` the associated items that have one."""
    found: dict[Key, Parameter] = {}
    paths = list(paths)
    for item in items:
        if isinstance(item, Fn | Impl | Trait | TypeAlias | Struct | Enum):
            for param in item.generics.params:
                sort = before.sort_of(item, param.name)
                if sort == "left" and isinstance(item, Fn) and not _is_called_plainly(before, item, paths):
                    # What says the argument for it at each call compiles.
                    continue
                if sort in SORTS:
                    made = found[item, param.name] = Parameter(item, param.name, sort)
                    made.removable = sort != "backend" or not _has_own_bounds(before, item, param.name)
    idle = _idle(before, found)
    for path in paths:
        generic = before.generic(path.path, path.item)
        key = generic[:2] if generic is not None else None
        if key in idle and key is not None and not _is_in_bounds(before, path):
            found.pop(key, None)
        if key is None or key not in found or key in idle or path.constrained:
            continue
        goes, needs = fate(before, path, calls)
        if needs is not None:
            found[key].needs.add(needs)
        elif path.outer is not None and path.outer.path.name == "PhantomData":
            found[key].markers.append(path)
        elif found[key].sort == "optimizer" and _is_replaced(path):
            found[key].replaced.append(path)
        elif not goes and not _has_successor(path, successors):
            found[key].held.append(path)
    _settle(found)
    return found


def _is_called_plainly(before: Before, fn: Fn, paths: Iterable[Written]) -> bool:
    """Whether a call of a function says no generic arguments for it."""
    return fn.owner is None and any(
        path.role == "value"
        and path.name == fn.name
        and not path.path.segments[-1].args
        and _calls(path)
        and fn in getattr(before.resolve(path.path, path.item, "value"), "definitions", ())
        for path in paths
    )


def _calls(path: Written) -> bool:
    if path.body is None or not isinstance(path.expr, hir.PathExpr):
        return False
    at = path.body.parents[path.expr.id]
    around = path.body.exprs[at] if at >= 0 else None
    return isinstance(around, hir.Call) and around.callee is path.expr


def _idle(before: Before, found: dict[Key, Parameter]) -> set[Key]:
    """The parameters of functions that stand beside one for an optimizer, added to those that may go."""
    added: dict[Key, Parameter] = {}
    for (item, optimizer), each in found.items():
        if each.sort == "optimizer" and isinstance(item, Fn):
            for param in item.generics.params:
                if before.sort_of(item, param.name) == "type":
                    added[item, param.name] = Parameter(item, param.name, "idle", needs={(item, optimizer)})
    found.update(added)
    return set(added)


def _is_in_bounds(before: Before, path: Written) -> bool:
    """Whether a path to a parameter is what a where clause is about, or stands in a bound by burn's `Optimizer`."""
    if path.outer is None:
        return path.constrained and path.role != "bound"
    return path.outer.role == "bound" and before.key(path.outer.path, path.item) == "Optimizer"


def _is_replaced(path: Written) -> bool:
    """Whether a path is a parameter for an optimizer, or its record (`O::Record`)."""
    names = [segment.name for segment in path.path.segments]
    return path.path.qself is None and (len(names) == 1 or names[1:] == ["Record"])


def fate(before: Before, path: Written, calls: Mapping[Written, Takes]) -> tuple[bool, Key | None]:
    """Whether a path stands in a back end argument of burn's, which goes; or in that of which parameter."""
    at: Written | None = path
    while at is not None:
        takes = calls.get(at)
        if takes is None and at.outer is not None and at.segment >= 0:
            takes = before.takes(at.outer).get(at.segment)
        if takes is not None and at.argument >= 0:
            if takes.item is None and takes.now == 0:
                return True, None
            if at.argument < len(takes.sorts) and takes.sorts[at.argument] in SORTS:
                if takes.item is None:
                    return True, None
                name = _name_of(takes.item, at.argument)
                return False, (takes.item, name) if name else None
        at = at.outer
    return False, None


def _name_of(item: Item, number: int) -> str:
    assert isinstance(item, Fn | Impl | Trait | TypeAlias | Struct | Enum)
    return item.generics.params[number].name if number < len(item.generics.params) else ""


def _has_successor(path: Written, successors: Mapping[str, object]) -> bool:
    if len(path.path.segments) == 2:
        return path.path.name in successors
    outer = path.outer
    return outer is not None and path.segment == -1 and outer.path.name in successors


def _has_own_bounds(before: Before, item: Item, name: str) -> bool:
    """Whether a bound asks more of a back end than burn's own traits: a trait of the workspace with kernels."""
    scope = before.analysis.world.resolver.converter.scope(item)
    info = next(each for each in scope.own if each.name == name)
    for bound in info.bounds:
        path = getattr(bound, "path", None)
        if path is None:
            continue
        head = before.analysis.world.resolver.trait_head(path, item)
        if isinstance(head, Trait):
            return True
    return False


def _settle(found: Mapping[Key, Parameter]) -> None:
    waiting = True
    while waiting:
        waiting = False
        for each in found.values():
            stays = [need for need in each.needs if need not in found or not found[need].removable]
            if each.removable and (each.held or stays):
                each.removable = False
                waiting = True
