"""Order of evaluation: what comes before what, on which paths, in which rounds of which loops."""

from __future__ import annotations

from functools import cached_property

from burnlint.rust import hir
from burnlint.rust.flow_graph import BACK, ENDLESS, ERROR, NEXT, ONWARD, Graph, Scope

ENTRY, EXIT = 0, 1
_FORWARD = frozenset({NEXT, ERROR, ONWARD})
_REAL = frozenset({NEXT, ERROR, BACK})
_TO_THE_END = frozenset({NEXT, BACK, ENDLESS})


class Order:
    """Questions about the order in which the expressions of one body get their values.

    A closure that may run later than the expression around it (stored, spawned, given to an unknown
    function, or to a lazy adaptor that nothing consumes there) has no known order to what follows it: then
    the answer is None, "unknown".
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    @cached_property
    def _onward(self) -> list[int]:
        """For each block the blocks that may come later in the same round, as bits."""
        return self._closure(_FORWARD)

    @cached_property
    def _later(self) -> list[int]:
        """For each block the blocks that may come later, as bits."""
        return self._closure(_REAL)

    def _closure(self, kinds: frozenset[int]) -> list[int]:
        edges = [[target for target, kind, _ in out if kind in kinds] for out in self._graph.edges]
        reach = [0] * len(edges)
        changed = True
        while changed:
            changed = False
            for block in range(len(edges) - 1, -1, -1):
                bits = reach[block]
                for target in edges[block]:
                    bits |= reach[target] | 1 << target
                if bits != reach[block]:
                    reach[block] = bits
                    changed = True
        return reach

    def reachable(self, e: hir.Expr) -> bool:
        """Whether any path from the start of the body gets to `e` (not behind `return`, `panic!` and the
        like)."""
        block = self._graph.at[e.id][0]
        return block == ENTRY or (block >= 0 and bool(self._later[ENTRY] >> block & 1))

    def before(self, a: hir.Expr, b: hir.Expr) -> bool | None:
        """Whether a path leads from `a` to `b` within one round of the loops that hold both.

        Then `a` is evaluated first on every path that has both in one round. False also where they exclude
        each other.
        """
        if self._graph.at[a.id][0] < 0 or self._graph.at[b.id][0] < 0:
            return None
        forth, back = self._path(a, b, self._onward), self._path(b, a, self._onward)
        if self._deferred(a, b):
            return False if back and not self._deferred(b, a) else None
        if self._deferred(b, a):
            return True if forth else None
        return forth

    def may_follow(self, a: hir.Expr, b: hir.Expr) -> bool:
        """Whether `b` may be evaluated after `a`, be it in a later round of a loop. False is certain."""
        if self._graph.at[a.id][0] < 0 or self._graph.at[b.id][0] < 0:
            return True
        return self._path(a, b, self._later) or self._deferred(b, a)

    def _path(self, a: hir.Expr, b: hir.Expr, reach: list[int]) -> bool:
        (block_a, count_a), (block_b, count_b) = self._graph.at[a.id], self._graph.at[b.id]
        if block_a == block_b and count_a < count_b:
            return True
        return bool(reach[block_a] >> block_b & 1)

    def on_every_path_before(self, a: hir.Expr, b: hir.Expr) -> bool | None:
        """Whether every path from the start of the body to `b` evaluates `a` first. A loop or closure may
        have no rounds."""
        (block_a, count_a), (block_b, count_b) = self._graph.at[a.id], self._graph.at[b.id]
        if block_a < 0 or block_b < 0:
            return None
        if block_a == block_b and count_a < count_b:
            return True
        seen, todo = {ENTRY}, [ENTRY]
        while todo:
            block = todo.pop()
            if block == block_b:
                return None if self._deferred(a, b) or self._deferred(b, a) else False
            if block == block_a:
                continue
            for target, kind, _ in self._graph.edges[block]:
                if kind in _REAL and target not in seen:
                    seen.add(target)
                    todo.append(target)
        return self.reachable(b)

    def on_every_path_after(self, a: hir.Expr, b: hir.Expr, *, errors: bool = False) -> bool | None:
        """Whether every path from `a` to the end of the body, or round to `a` again, evaluates `b`.

        A panic ends no path; the error exit of `?` counts only with `errors`. A loop or closure may have no
        rounds.
        """
        (block_a, count_a), (block_b, count_b) = self._graph.at[a.id], self._graph.at[b.id]
        if block_a < 0 or block_b < 0 or self._deferred(a, b):
            return None
        if block_a == block_b and count_a < count_b:
            return True
        if not self._path(a, b, self._later):
            return None if self._deferred(b, a) else False
        kinds = _TO_THE_END | {ERROR} if errors else _TO_THE_END
        seen: set[int] = set()
        todo = [block_a]
        while todo:
            for target, kind, _ in self._graph.edges[todo.pop()]:
                if kind not in kinds or target in seen:
                    continue
                seen.add(target)
                if target == block_b:
                    if target == block_a:
                        return False
                elif target in (EXIT, block_a):
                    return False
                else:
                    todo.append(target)
        return True

    def loops_of(self, e: hir.Expr) -> tuple[Scope, ...]:
        """The loops around `e`, innermost first, and the closures among them that may run more than once.

        `Scope.repeats` is True for loops and for closures that an iterator runs, None where a closure's
        caller is not known.
        """
        out = []
        scope = self._graph.scopes[e.id]
        while scope is not None:
            if scope.repeats is not False:
                out.append(scope)
            scope = scope.outer
        return tuple(out)

    def _deferred(self, e: hir.Expr, other: hir.Expr) -> bool:
        """Whether `e` stands in a closure that may run later, and `other` is not inside that closure."""
        scope, of_other = self._graph.scopes[e.id], self._graph.scopes[other.id]
        while scope is not None:
            if scope.deferred and not (of_other is not None and of_other.within(scope)):
                return True
            scope = scope.outer
        return False
