"""Tensors that a training loop carries on: each round's value is computed from that of the round before and from
parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import absence, evaluation, tape, terms
from burnlint.burn.values import Site
from burnlint.rust import glance, hir
from burnlint.rust.flow_defs import root_of
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

_ASSIGNMENT = re.compile(rb"(?m)(?:^|[;{}])\s*\*?\w+(?:\.\w+)*\s*=[^=]")


@dataclass(frozen=True)
class Accumulation:
    """A tensor that is computed from itself in each round: the `value` that a loop assigns to the place
    `name`, and the `parameters` whose values go into it."""

    value: Expr
    name: str
    parameters: list[Expr]


def accumulations(file: FileView) -> Iterator[Accumulation]:
    """Where a loop that trains assigns a recorded tensor that hangs on the one of the round before. What a
    `backward` of the loop walks through is consumed there and left out, as is what the output of a module
    takes part in."""
    if not file.spells_autodiff:
        return
    content = file.source.content
    for fn in file.source.items.functions:
        if (
            fn.in_test
            or not glance.LOOP.search(content, *fn.span)
            or not _ASSIGNMENT.search(content, *fn.span)
        ):
            continue
        body = file.analysis.body(fn)
        if body is None:
            continue
        reads_here = b"val(" in content[fn.span[0] : fn.span[1]]
        if not any(_may_accumulate(body, e, reads_here) for e in body.of(hir.Assign)):
            continue
        values = file.analysis.values
        types = file.analysis.types(body)
        for d in values.flow(body).definitions:
            if d.kind != "assign" or d.value is None or d.steps or d.into:
                continue
            if not isinstance(d.expr, hir.Assign) or not _may_accumulate(body, d.expr, reads_here):
                continue
            if not isinstance(types.expr(d.value), terms.Tensor):
                continue
            value = file.expr(Site(d.value, values.frame(body)))
            loop = value.loop
            if loop is None or absence.absent(values, evaluation.trains, body, loop.expr).absent is not False:
                continue
            made = tape.tape_of(value, value)
            carried = [root for site in made.carried if (root := root_of(site.expr)) is not None]
            if (
                not any(root.local is d.place.local for root in carried)
                or made.modules
                or not made.repeated()
            ):
                continue
            parameters = value.parameters_read
            if parameters and not _consumed(file, value):
                yield Accumulation(value, str(d.place), parameters)


def _may_accumulate(body: hir.Body, assignment: hir.Assign, reads_here: bool) -> bool:
    """Whether an assignment may be one of those, without types: it may be repeated, and parameters are read in the
    function, or in one that is called with the old value."""
    if not isinstance(assignment.target, hir.LocalRef) or not _may_repeat(body, assignment):
        return False
    local = assignment.target.local
    call = assignment.value if isinstance(assignment.value, hir.Call | hir.MethodCall) else None
    return reads_here or (call is not None and any(e.local is local for e in _locals(call)))


def _may_repeat(body: hir.Body, e: hir.Expr) -> bool:
    at = body.parents[e.id]
    while at >= 0 and not isinstance(body.exprs[at], hir.For | hir.While | hir.Loop | hir.Closure):
        at = body.parents[at]
    return at >= 0


def _locals(call: hir.Call | hir.MethodCall) -> Iterator[hir.LocalRef]:
    return (e for e in descendants(call) if isinstance(e, hir.LocalRef))


def _consumed(file: FileView, value: Expr) -> bool:
    """Whether a `backward` of the same function walks through a value, in whichever round."""
    for event in file.backwards:
        if event.call.fn is value.fn:
            walked = tape.tape_of(event.root, event.call).operations
            made = {key.site for key in value.tape.operations}
            if any(key.site in made for key in walked):
                return True
    return False
