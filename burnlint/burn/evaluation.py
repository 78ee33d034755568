"""What only evaluates: passes through a module whose outputs go to the host.

What may reach a `backward`, a return value or a place out of sight is not known to only evaluate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn import absence, ops, tape, terms, training
from burnlint.burn.calls import Target
from burnlint.burn.values import Origin
from burnlint.rust import hir
from burnlint.rust.flow import Step

if TYPE_CHECKING:
    from burnlint.burn.values import Reach, Site
    from burnlint.burn.view import Expr, FileView
    from burnlint.rust.flow import Scope

_ENDS = frozenset({"dropped", "ignored", "shown", "tested", "cloned", "iterated"})
_TRAINS = frozenset({"Tensor::backward", *training.TAKES_GRADIENTS, *training.TAKES_MODULE})


@dataclass(frozen=True)
class Use:
    """What an output is used for: only read on the host; `flag` is the index of the `bool` parameter under
    which alone it is trained on (None: it never is)."""

    flag: int | None


def passes(file: FileView) -> Iterator[Expr]:
    """The passes through a module in a file: calls named `forward…` of a module, outside of tests."""
    names = sorted(set(re.findall(r"\bforward\w*", file.source.content.decode(errors="replace"))))
    for call in file.calls(*names) if names else ():
        if not call.in_test and call.operands and call.operands[0].is_module:
            yield call


def host_use(output: Expr) -> Use | None:
    """What an output is used for if it only goes through tensor operations and losses until it is read as
    data, shown or thrown away; None if it is used for anything else, or that is not known."""
    flags: set[int] = set()

    def through(site: Site, operand: int) -> bool:
        call = output.at(site)
        return isinstance(call.term, terms.Tensor) and (
            tape.is_tensor_operation(call) or tape.is_forward(call)
        )

    def ends(reach: Reach) -> bool:
        if reach.kind in _ENDS:
            return True
        if reach.kind != "operand":
            return False
        call = output.at(reach.site)
        if call.key == "Tensor::backward":
            flag = _flag_around(call) if call.site.frame is output.site.frame else None
            flags.update(() if flag is None else (flag,))
            return flag is not None
        signature = call.target.signature if call.target is not None else None
        if signature is None:
            return call.runs_in_sight
        return through(reach.site, reach.index) or (
            signature.owner == "Tensor" and ops.elements(signature) == ops.HOST
        )

    values = output.file.analysis.values
    parts: list[tuple[Step, ...]] = [()]
    if isinstance(output.term, terms.Tuple):
        parts = [(Step("field", str(number)),) for number in range(len(output.term.items))]
    origins = [Origin("operation", output.site, part) for part in parts]
    reaches = [reach for origin in origins for reach in values.reaches_of(origin, through)]
    if not reaches or not all(map(ends, reaches)) or len(flags) > 1:
        return None
    return Use(flags.pop() if flags else None)


def _flag_around(call: Expr) -> int | None:
    """The `bool` parameter that a call stands under: `if training { .. }`."""
    flow = call.flow
    at: hir.Expr | None = call.expr
    inner: hir.Expr | None = None
    while at is not None:
        if isinstance(at, hir.If) and at.then is inner:
            for d in flow.parameters:
                if d.kind == "param" and not d.steps and at.condition in flow.uses(d):
                    return d.index
        parent = call.site.frame.body.parents[at.id]
        inner, at = at, call.site.frame.body.exprs[parent] if parent >= 0 else None
    return None


def trains(target: Target) -> bool:
    """Whether a function of burn is part of training."""
    return target.key in _TRAINS or target.key.endswith("::step")


def loop_without_training(call: Expr) -> Scope | None:
    """The innermost loop around a call if nothing that is seen in it trains."""
    loop = call.loop
    if loop is None or loop.kind == "closure":
        return None
    found = absence.absent(call.file.analysis.values, trains, call.site.frame.body, loop.expr)
    return loop if found.absent is not False else None
