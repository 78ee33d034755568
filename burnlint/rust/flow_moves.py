"""Which reads of a place may follow a read of it on a path that sets it anew nowhere: what a move takes away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.rust import hir
from burnlint.rust.flow_defs import Definition, Place, place_of, root_of
from burnlint.rust.flow_graph import BACK, NEXT, Graph, Scope
from burnlint.rust.flow_roles import Role

if TYPE_CHECKING:
    from burnlint.rust.flow import Flow

_PASSES = frozenset({NEXT, BACK})


def reads_after(flow: Flow, graph: Graph, moved: hir.Expr) -> list[hir.Expr]:
    """The reads of a place, of what lies in it or of what holds it, that may follow `moved` (a read of that
    place) before anything sets it again; itself among them where a loop comes back to it. In order of the
    source.

    What a closure moves of the code around it is moved where the closure is made, and what a later closure
    reads is used where that one is made. Empty where an async block lies between the place's binding and the
    move.
    """
    found, root = place_of(moved), root_of(moved)
    if found is None or root is None or found[1]:
        return []
    place = found[0]
    homes = {_closure(graph.def_scopes[d.id]) for d in graph.definitions if _binds(d, place)}
    if len(homes) != 1:
        return []
    home = homes.pop()
    taker = _taker(graph.scopes[root.id], home)
    if taker is not None and taker.kind != "closure":
        return []
    reads = {(r := root_of(read)) and r.id: read for read in flow.uses_of(place.local)}
    after: list[hir.Expr] = []
    starts = _read(graph, root), _made(graph, taker) if taker is not None else None
    todo = [start for start in starts if start is not None]
    seen: set[int] = set()
    while todo:
        block, at = todo.pop()
        for event in graph.events[block][at:]:
            if isinstance(event, Definition):
                if event.place.covers(place):
                    break
            elif event in reads and _meets(reads[event], place):
                after.append(reads[event])
        else:
            for target, kind, scope in graph.edges[block]:
                # That a closure which moves something out can run only once is another error.
                again = scope is not None and scope is _closure(scope)
                if kind in _PASSES and not again and target not in seen:
                    seen.add(target)
                    todo.append((target, 0))
    return sorted(dict.fromkeys(after), key=lambda read: read.id)


def taken_by(graph: Graph, e: hir.Expr) -> hir.Closure | None:
    """The closure that takes a place of the code around it where it is made; None for a read that stands with the
    binding."""
    root = root_of(e)
    if root is None:
        return None
    whole = Place(root.local)
    home = next((_closure(graph.def_scopes[d.id]) for d in graph.definitions if _binds(d, whole)), None)
    taker = _taker(graph.scopes[root.id], home)
    return taker.expr if taker is not None and isinstance(taker.expr, hir.Closure) else None


def _taker(scope: Scope | None, home: Scope | None) -> Scope | None:
    """The outermost closure or async block around a scope that lies within `home`."""
    taker, at = None, _closure(scope)
    while at is not None and at is not home:
        taker, at = at, _closure(at.outer)
    return taker


def _read(graph: Graph, root: hir.Expr) -> tuple[int, int] | None:
    """The place in the graph just behind a read."""
    block = next((n for n, events in enumerate(graph.events) if root.id in events), None)
    return (block, graph.events[block].index(root.id) + 1) if block is not None else None


def _made(graph: Graph, closure: Scope) -> tuple[int, int] | None:
    """The place in the graph where a closure is made: its value is the first that is there in a block of its own."""
    block, _ = graph.at[closure.expr.id]
    return (block, 0) if block >= 0 else None


def is_last_read(flow: Flow, graph: Graph, e: hir.Expr) -> bool:
    """Whether a read of a local certainly is the last one of what it holds there: no read may follow before it is
    set again, nothing borrows it for longer than a call, and no closure captures it."""
    root = root_of(e)
    if root is None or root is not e:
        return False
    uses = flow.uses_of(root.local)
    scopes = {_closure(graph.scopes[r.id]) for use in uses if (r := root_of(use)) is not None}
    scopes |= {_closure(graph.def_scopes[d.id]) for d in graph.definitions if d.place.local is root.local}
    lent = any(isinstance(around := flow.roles[use.id], Role) and _is_lent(flow, around) for use in uses)
    return len(scopes) == 1 and not lent and bool(uses) and not reads_after(flow, graph, e)


def _is_lent(flow: Flow, role: Role) -> bool:
    """Whether a use is a reference that more than a call may hold."""
    if not isinstance(role.holder, hir.Ref):
        return False
    outer = flow.roles[role.holder.id]
    return outer is None or outer.kind not in ("argument", "receiver")


def _binds(d: Definition, place: Place) -> bool:
    return d.place == Place(place.local) and d.kind not in ("assign", "assign_op", "modified")


def _meets(read: hir.Expr, place: Place) -> bool:
    found = place_of(read)
    return found is not None and (place.covers(found[0]) or found[0].covers(place))


def _closure(scope: Scope | None) -> Scope | None:
    while scope is not None and scope.kind not in ("closure", "async"):
        scope = scope.outer
    return scope
