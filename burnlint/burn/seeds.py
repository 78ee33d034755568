"""Random numbers of a device: what draws them, and whether a seed comes too late for it.

Source: burn-core 0.22.1, src/module/param/base.rs: a parameter draws when it is first used, not in `init`
(run: fixtures/training/seed-after-use/proof.rs).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import builders, terms
from burnlint.rust import hir
from burnlint.rust.items import Fn

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

_FIXED = re.compile(r"Norm|PRelu")
"""Modules whose parameters start at constants. Source: burn-nn 0.22.1, src/modules/norm, src/activation/prelu.rs."""
_COMPARES = re.compile(rb"assert_approx_eq")
_DRAWS = re.compile(rb"\b(?:random|forward)\b")
_RANDOM = re.compile(rb"\brandom\b")
_SEEDS = re.compile(rb"\bseed\s*\(")


def _is_seed(call: Expr) -> bool:
    """Whether a call seeds a device: `device.seed(1)`, and up to burn 0.21 `B::seed(&device, 1)`."""
    if len(call.operands) != 2 or not call.operands[0].is_device:
        return False
    return call.key == "Device::seed" or (call.target is None and call.arity == 2)


def late_seeds(file: FileView) -> Iterator[tuple[Expr, Expr]]:
    """The calls that seed a device after something has drawn from it on every path, with the first such draw. A
    function that seeds the device before, itself or by what it calls, in a loop or in a closure is left alone."""
    if not file.source.holds(_DRAWS):
        return
    seeds = [call for call in file.calls("seed", near=_SEEDS, tests=False) if _is_seed(call)]
    for seed in seeds:
        device, order = seed.operands[0], seed.flow.order
        in_closure = any(isinstance(each.expr, hir.Closure) for each in seed.around)
        if seed.loop is not None or in_closure or not _is_steady(device) or _is_seeded_before(seed, seeds):
            continue
        for run, draw, drawn_on in _draws(file, seed):
            if order.on_every_path_before(run.expr, seed.expr) and _is_same(drawn_on, device):
                yield seed, draw
                break


def _is_steady(device: Expr) -> bool:
    """Whether it is a binding, a field of one, or the device of a tensor."""
    return device.owner.is_place or _holder(device) is not None


def _holder(device: Expr) -> Expr | None:
    """Of `x.device()` the tensor."""
    made = device.operation
    return made.operands[0] if made is not None and made.key == "Tensor::device" else None


def _is_same(one: Expr, other: Expr) -> bool:
    """Whether two devices are certainly the same."""
    if one.same_as(other):
        return True
    holders = _holder(one), _holder(other)
    return holders[0] is not None and holders[1] is not None and holders[0].same_as(holders[1]) is True


def _is_seeded_before(seed: Expr, seeds: list[Expr]) -> bool:
    order = seed.flow.order
    if any(other.fn is seed.fn and order.before(other.expr, seed.expr) for other in seeds):
        return True
    helpers = {other.fn for other in seeds if other.fn is not seed.fn}
    return any(
        call.fn is seed.fn and call.target is not None and call.target.fn in helpers
        for call in seed.file.calls(*sorted({helper.name for helper in helpers}))
    )


def _draws(file: FileView, seed: Expr) -> Iterator[tuple[Expr, Expr, Expr]]:
    """The calls that draw random numbers and are run by the function around a seed: what runs them there, the call,
    and the device that it draws on."""
    for call in file.calls("random", "forward", tests=False):
        if call.key != "Tensor::random" and not call.key.endswith("::forward"):
            continue
        for at, draw in _runs_in(seed, call):
            thrown_away = any(each.flow.dropped(each.expr) for each in (at, draw))
            drawn_on = _drawn_on(draw) if draw.name == "forward" or not thrown_away else None
            if drawn_on is not None:
                yield at, call, drawn_on


def _runs_in(seed: Expr, call: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Where the function around a seed runs a call: itself, by a function that it calls, or by a closure of its own;
    each with the call as it comes to there."""
    for run in call.runs():
        at = run.called_by or run
        if at.fn is not seed.fn:
            continue
        closure = next((each for each in at.around if isinstance(each.expr, hir.Closure)), None)
        if closure is None:
            yield at, run
        elif not at.in_branch_within(closure.expr):
            for ran in map(_run_from_outside, closure.closure_calls):
                if ran is not None and ran.fn is seed.fn:
                    yield ran, run


def _run_from_outside(call: Expr) -> Expr | None:
    """The outermost call that runs a call; None where a function between them may go without it."""
    while (outer := call.called_by) is not None:
        if call.is_conditional:
            return None
        call = outer
    return call


def _drawn_on(draw: Expr) -> Expr | None:
    """The device that a call draws random numbers on; None if it draws none."""
    if draw.key == "Tensor::random":
        return draw.operands[2] if len(draw.operands) == 3 else None
    made = draw.operands[0].operation if draw.operands else None
    if made is None or not _draws_weights(made) or not draw.operands[0].contents.holds("parameter"):
        return None
    return made.operands[1]


def _draws_weights(made: Expr) -> bool:
    """Whether a call makes a module of burn whose weights are random numbers."""
    owner, _, name = made.key.rpartition("::")
    if name != "init" or not owner.endswith("Config") or len(made.operands) != 2 or _FIXED.search(owner):
        return False
    chain = builders.built(made.operands[0])
    initializer = chain.setter("with_initializer") if chain is not None else None
    return initializer is None or not any(map(initializer.spells, ("Zeros", "Ones", "Constant")))


def unseeded_tests(file: FileView) -> Iterator[Expr]:
    """The first draw of random numbers of each test that compares tensors up to a tolerance, in files that seed
    nothing."""
    if file.source.spells("seed("):
        return
    drawing = [
        fn
        for fn in file.source.items.functions
        if fn.result is not None and file.source.holds(_RANDOM, fn.span)
    ]
    seen = set()
    for call in file.calls("random", *sorted({fn.name for fn in drawing}), near=_COMPARES):
        if call.fn not in seen and call.in_test and _is_given_random(call, drawing):
            seen.add(call.fn)
            yield call


def _is_given_random(call: Expr, drawing: list[Fn]) -> bool:
    """Whether a call draws random numbers, or runs one of these functions that certainly does and gives tensors."""
    if call.key == "Tensor::random":
        return True
    helper = call.target.fn if call.target is not None else None
    result = call.term
    given = result.items if isinstance(result, terms.Tuple) else (result,)
    if helper not in drawing or not any(isinstance(each, terms.Tensor) for each in given):
        return False
    draws = (draw for draw in call.file.calls("random") if draw.fn is helper)
    return any(draw.key == "Tensor::random" and not draw.may_be_left_out and draw.used for draw in draws)
