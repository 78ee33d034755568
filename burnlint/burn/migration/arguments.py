"""Generic arguments that burn 0.22 has no parameter for any more: the back end of a tensor, a module, a call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from burnlint.burn.migration.before import Before, Takes
from burnlint.rust import hir
from burnlint.rust import resolution as rn
from burnlint.rust import types as rt
from burnlint.rust.items import Const, Item
from burnlint.rust.lists import without_arguments
from burnlint.rust.types import Span
from burnlint.rust.written import Written

ANOTHER_MEANING = frozenset({"Optimizer"})
"""Items of burn whose name went to something else in 0.22: their arguments are no matter of leaving out."""


@dataclass(frozen=True, slots=True)
class Surplus:
    """Arguments of one list that have to go.

    `key` names burn's item or function (`Tensor`, `LinearConfig::init`), `name` is how it is written; `item` is
    the item of the workspace whose parameter went, where it is none of burn's.
    """

    key: str
    name: str
    span: Span
    """From the name to the end of the list."""
    args: tuple[rt.TypeExpr, ...]
    dropped: frozenset[int]
    cuts: tuple[Span, ...]
    """What to delete."""
    item: Item | None = None


Leaves = Callable[[Item], frozenset[int]]
"""The numbers of an item's parameters that go, where its declaration is migrated with another package."""


def of_path(before: Before, content: bytes, written: Written, leaves: Leaves) -> list[Surplus]:
    """The surplus arguments of a path."""
    found = []
    for at, takes in before.takes(written).items():
        segment = written.path.segments[at]
        dropped = _dropped(before, segment.args, takes, written.item, leaves)
        if dropped:
            found.append(_surplus(content, takes, segment.name, segment.args, dropped))
    return found


def of_call(
    before: Before, content: bytes, body: hir.Body, call: hir.MethodCall, leaves: Leaves
) -> Surplus | None:
    """The surplus arguments of a method call's turbofish."""
    if not call.generics:
        return None
    takes = before.called(body, call)
    if takes is None:
        return None
    args = tuple(call.generics)
    assert isinstance(body.owner, Item)
    dropped = _dropped(before, args, takes, body.owner, leaves)
    return _surplus(content, takes, call.name, args, dropped) if dropped else None


def _surplus(
    content: bytes, takes: Takes, name: str, args: tuple[rt.TypeExpr, ...], dropped: frozenset[int]
) -> Surplus:
    opening = content.rfind(b"<", 0, args[0].span[0])
    start = content.rfind(name.encode(), 0, opening)
    end = args[-1].span[1]
    cuts = tuple(without_arguments(content, args, dropped))
    return Surplus(takes.key, name, (max(start, 0), end), args, dropped, cuts, takes.item)


def _dropped(
    before: Before, args: Sequence[rt.TypeExpr], takes: Takes, item: Item, leaves: Leaves
) -> frozenset[int]:
    if not args:
        return frozenset()
    if takes.item is not None:
        return _of_own(before, args, takes, item) or frozenset(
            at for at in leaves(takes.item) if at < len(args)
        )
    if takes.now is None or takes.key in ANOTHER_MEANING or takes.key in before.backends:
        return frozenset()
    if takes.key == "Tensor":
        return frozenset({0}) if _names_backend(before, args, item) else frozenset()
    if len(args) <= takes.now or len(args) > len(takes.sorts):
        # What 0.21 had no parameter for either is older code: its arguments went elsewhere.
        return frozenset()
    if takes.now == 0:
        return frozenset(range(len(args)))
    backends = [at for at, sort in enumerate(takes.sorts[: len(args)]) if sort == "backend"]
    return frozenset(backends) if len(args) - len(backends) == takes.now else frozenset()


def _of_own(before: Before, args: Sequence[rt.TypeExpr], takes: Takes, item: Item) -> frozenset[int]:
    """More arguments than a type of the workspace has parameters, the first of them a back end, or a name that is not
    there any more: what is left behind where its parameter went."""
    first = args[0]
    if len(args) != len(takes.sorts) + 1 or "backend" in takes.sorts or not isinstance(first, rt.PathType):
        return frozenset()
    if before.is_backend(first.path, item):
        return frozenset({0})
    found = before.resolve(first.path, item)
    gone = isinstance(found, rn.Unresolved) and found.why == "not found" and len(first.path.segments) == 1
    return frozenset({0}) if gone else frozenset()


def _names_backend(before: Before, args: Sequence[rt.TypeExpr], item: Item) -> bool:
    """Whether the first argument of a tensor is a type, where 0.22 wants its rank."""
    if len(args) == 3 or (len(args) == 2 and isinstance(args[1], rt.ConstArg)):
        return True
    first = args[0]
    if not isinstance(first, rt.PathType):
        return not isinstance(first, rt.ConstArg | rt.InferType | rt.UnknownType)
    if first.path.qself is not None:
        return True
    found = before.resolve(first.path, item)
    if isinstance(found, rn.Generic):
        return before.parameter(first.path, item) is not None or (
            len(args) == 2 and _is_rank(before, args[1], item)
        )
    return before.is_backend(first.path, item) or (len(args) == 2 and _is_rank(before, args[1], item))


def _is_rank(before: Before, arg: rt.TypeExpr, item: Item) -> bool:
    """Whether an argument is a const parameter or a constant."""
    if not isinstance(arg, rt.PathType) or len(arg.path.segments) != 1:
        return isinstance(arg, rt.ConstArg)
    for owner in (item, item.owner):
        if owner is not None and before.sort_of(owner, arg.path.name) == "const":
            return True
    found = before.resolve(arg.path, item, "value")
    return isinstance(found, rn.Local) and all(isinstance(each, Const) for each in found.definitions)
