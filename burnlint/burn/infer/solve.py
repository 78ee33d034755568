"""Solves one body: the solver with the handlers of all expressions."""

from __future__ import annotations

from typing import Any

from burnlint.burn.infer import callees, calls, control, literals, macros, operators, solver, straight
from burnlint.burn.infer.lookup import Lookup
from burnlint.rust import hir

_TABLES: tuple[dict[Any, Any], ...] = (
    straight.HANDLERS,
    control.HANDLERS,
    operators.HANDLERS,
    calls.HANDLERS,
    callees.HANDLERS,
    literals.HANDLERS,
    macros.HANDLERS,
)
for _table in _TABLES:
    solver.HANDLERS.update(_table)


def solve(lookup: Lookup, body: hir.Body) -> solver.Solver:
    """The solved body."""
    made = solver.Solver(lookup, lookup.index.converter.scope(body.owner), body)
    made.solve()
    return made
