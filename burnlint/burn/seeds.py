"""Random numbers of a device: what draws them, and whether a seed comes too late for it.

Source: burn-core 0.22.1, src/module/param/base.rs: a parameter draws when it is first used, not in `init`
(run: fixtures/training/seed-after-use/proof.rs).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import builders
from burnlint.rust import hir

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.view import FileView

_FIXED = re.compile(r"Norm|PRelu")
"""Modules whose parameters start at constants. Source: burn-nn 0.22.1, src/modules/norm, src/activation/prelu.rs."""
_COMPARES = re.compile(rb"assert_approx_eq")
_SEEDS_LATER = re.compile(rb"(?:random|forward)\b.*\bseed\s*\(", re.DOTALL)


def _is_seed(call: Expr) -> bool:
    """Whether a call seeds a device: `device.seed(1)`, and up to burn 0.21 `B::seed(&device, 1)`."""
    if len(call.operands) != 2 or not call.operands[0].is_device:
        return False
    return call.key == "Device::seed" or (call.target is None and call.arity == 2)


def late_seeds(file: FileView) -> Iterator[tuple[Expr, Expr]]:
    """The calls that seed a device after something has drawn from it on every path, with the first such draw. A
    function that seeds the device before, in a loop or in a closure is left alone."""
    seeds = [
        call
        for call in file.calls("seed", near=_SEEDS_LATER)
        if not call.in_test and _is_seed(call) and call.loop is None
    ]
    for seed in seeds:
        device, order = seed.operands[0], seed.flow.order
        earlier = [other for other in seeds if other.fn is seed.fn and order.before(other.expr, seed.expr)]
        in_closure = any(isinstance(each.expr, hir.Closure) for each in seed.around)
        if earlier or in_closure or not device.is_place:
            continue
        for draw, drawn_on in _draws(file, seed):
            if order.on_every_path_before(draw.expr, seed.expr) and drawn_on.same_as(device):
                yield seed, draw
                break


def _draws(file: FileView, seed: Expr) -> Iterator[tuple[Expr, Expr]]:
    """The calls of the function around a seed that draw random numbers, with the device that they draw on."""
    end = seed.expr.span[0]
    for call in file.calls("random", "forward"):
        if call.fn is not seed.fn or call.expr.span[0] >= end:
            continue
        if call.key == "Tensor::random" and len(call.operands) == 3:
            if call.dropped is None:
                yield call, call.operands[2]
        elif call.key.endswith("::forward") and call.operands:
            made = call.operands[0].operation
            lazy = made is not None and _draws_weights(made)
            if lazy and made is not None and call.operands[0].contents.holds("parameter"):
                yield call, made.operands[1]


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
    seen = set()
    for call in file.calls("random", near=_COMPARES):
        if call.fn not in seen and call.in_test and call.key == "Tensor::random":
            seen.add(call.fn)
            yield call
