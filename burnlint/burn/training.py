"""What training is made of: where gradients and modules meet an optimizer, and which optimizer that is.

Rows are read in burn-optim and burn-train, src/**: the operand (receiver first) that takes the gradients or
the module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnlint.burn.calls import called_name
from burnlint.rust import hir
from burnlint.rust.glance import AnyOf
from burnlint.rust.visit import descendants

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.values import Site
    from burnlint.burn.view import FileView

TAKES_GRADIENTS: Mapping[str, int] = {
    "GradientsParams::from_grads": 0,
    "GradientsParams::from_module": 0,
    "GradientsParams::from_params": 0,
    "TrainOutput::new": 1,
}
TAKES_MODULE: Mapping[str, int] = {
    "GradientsParams::from_grads": 1,
    "GradientsParams::from_module": 1,
    "GradientsParams::from_params": 1,
    "TrainOutput::new": 0,
    "Learner::new": 0,
    "LearnerBuilder::build": 1,
    "SupervisedTraining::launch": 1,
}
_SPELT = (
    rb"from_(?:grads|module|params)\b",
    rb"GradientsParams",
    rb"TrainOutput\s*::",
    rb"Learner\s*::",
    rb"step(?<!\wstep)(?:_multi)?\s*(?:\(|::)",
    rb"build(?<!\wbuild)\s*(?:::|\(\s*[^\s)])",
    rb"launch(?<!\wlaunch)\s*(?:\(|::)",
    rb"grad(?<=[\s,_]grad)\w*\s*,?\s*\)",
)
SPELT = AnyOf(*_SPELT)
"""What is spelt where a module is trained: one of these, or a step, of whatever name, that is given gradients."""
SPELT_NEAR = AnyOf(*_SPELT, rb"step\w*\s*\(")
"""What a function spells that trains a module itself or by a helper that is called `train_step` or the like."""
SCALE_INVARIANT = frozenset({"AdamConfig", "AdamWConfig", "AdanConfig", "RmsPropConfig", "AdaGradConfig"})
"""Optimizers that divide by a running size of the gradient: a constant factor cancels (proof: one Adam step
with a factor of 32 differs by 0.2 %)."""
_SIZES = frozenset({"Tensor::dims", "Tensor::shape", "Shape::num_elements"})
MAX_ORIGINS = 20
"""Origins of a module that are looked at."""
KEEPS_MODULE = frozenset({"Module::fork", "Module::to_device"})
"""Operations on a module whose result is no leaf again if the operand's parameters were none."""


@dataclass(frozen=True, slots=True)
class Optimizers:
    """The optimizers that gradients reach, as far as they are in sight: the configurations that made them."""

    configs: frozenset[str]
    complete: bool
    rate_divided: bool = False
    """Whether a learning rate is divided by what is computed from the sizes of a tensor or a list."""

    @property
    def must_be_scale_invariant(self) -> bool:
        """Whether all of them are known to divide a constant factor of the gradients out again."""
        return self.complete and bool(self.configs) and self.configs <= SCALE_INVARIANT


def optimizers_of(gradients: Expr) -> Optimizers | None:
    """The optimizers that the gradients of a `backward` reach; None if they are collected for no module in
    sight.
    """
    configs: set[str] = set()
    complete, collected, divided = True, False, False
    for carrier in (each.call for each in gradients.carriers()):
        for reach in carrier.reaches(lambda site, operand: _collects(gradients, site, operand)):
            if reach.kind != "operand":
                continue
            call = carrier.at(reach.site)
            if TAKES_GRADIENTS.get(call.key) == reach.index:
                collected = True
            elif call.stepped_module is not None and reach.index == 3:
                made = _config(call.operands[0])
                configs.add(made or "")
                complete = complete and made is not None
                divided = divided or _is_divided_by_sizes(call.operands[1])
    return Optimizers(frozenset(configs), complete, divided) if collected else None


def _collects(expr: Expr, site: Site, operand: int) -> bool:
    return TAKES_GRADIENTS.get(expr.at(site).key) == operand


def _is_divided_by_sizes(rate: Expr) -> bool:
    division = rate if rate.is_division else rate.operation
    if division is None or not division.is_division:
        return False
    todo, seen = [division.operands[1]], 0
    while todo and seen < MAX_ORIGINS:
        value = todo.pop()
        seen += 1
        for origin in value.origins().items:
            made = value.at(origin)
            if made.key in _SIZES or made.name == "len":
                return True
            if origin.kind == "operation" and not made.key:
                todo += made.operands
    return False


def _config(optimizer: Expr) -> str | None:
    """The name of the configuration that an optimizer was made from; None if it is not known, or clips
    gradients.
    """
    made = optimizer.operation
    if made is None or not made.key.endswith("Config::init"):
        return None
    setter = made.operands[0].operation
    while setter is not None and setter.operands and setter.key.partition("::")[2].startswith("with_"):
        if "clip" in setter.name:
            return None
        setter = setter.operands[0].operation
    return made.key.partition("::")[0]


def trainings_of(module: Expr) -> Iterator[Expr]:
    """The calls that train a module, as it is or held by another value: where gradients are collected for
    it, where it is stepped, where a trainer takes it."""
    for carrier in (each.call for each in module.carriers()):
        for reach in carrier.reaches(
            lambda site, operand: module.at(site).key in KEEPS_MODULE and operand == 0
        ):
            if reach.kind == "operand":
                call = carrier.at(reach.site)
                stepped = call.stepped_module
                if TAKES_MODULE.get(call.key) == reach.index or (stepped is not None and reach.index == 2):
                    yield call


def is_only_passed_through(parameter: Expr) -> bool:
    """Whether a new parameter, or a module made of it, is neither kept nor trained: a gradient goes through it to what it
    is computed from, as with tied weights."""
    return not parameter.kept and next(trainings_of(parameter), None) is None


def outlives_backward(parameter: Expr) -> bool:
    """Whether a `backward` in a loop may run on a value in more rounds than the one in which it was made."""
    order = parameter.flow.order
    made_in = order.loops_of(parameter.expr)
    uses = (reach.use for reach in parameter.reaches())
    loops = {loop for use in uses if use.frame is parameter.site.frame for loop in order.loops_of(use.expr)}
    return any(
        called_name(e) == "backward"
        for loop in loops.difference(made_in)
        if loop.expr is not None
        for e in descendants(loop.expr)
    )


def is_trained(module: Expr) -> bool:
    """Whether a module, or one that holds it, is visibly trained: gradients are collected for it, an
    optimizer steps it, a trainer takes it. False: not known."""
    pending = list(module.origins().items)
    for origin in pending:
        if origin.kind == "changed" and origin.before is not None and len(pending) < MAX_ORIGINS:
            # Changed in place (by a function that trains it, as a rule), it is the module that it was.
            pending += module.at(origin.before).origins().items
        if origin.kind in ("changed", "unknown"):
            continue
        if origin.kind == "operation" and module.at(origin).stepped_module is not None:
            return True
        for reach in module.reaches_of(origin):
            if reach.kind != "operand":
                continue
            call = module.at(reach.site)
            stepped = call.stepped_module
            if TAKES_MODULE.get(call.key) == reach.index or (stepped is not None and reach.index == 2):
                return True
    return False


def later_trainings(module: Expr) -> Iterator[Expr]:
    """The calls of the same function that train what a place held or holds, themselves or in the function that
    they call, after it is read here."""
    order = module.flow.order
    for origin in module.origins().items:
        if origin.kind in ("changed", "unknown"):
            continue
        for reach in module.reaches_of(origin):
            call = module.at(reach.site)
            if reach.kind != "operand":
                continue
            trains = TAKES_MODULE.get(call.key) == reach.index or (
                reach.index == 2 and call.stepped_module is not None
            )
            here = call.run_in(module)
            if trains and here.fn is module.fn and order.may_follow(module.expr, here.expr):
                yield here


def runs_backward(file: FileView) -> bool:
    """Whether anything in the crates around a file runs `backward` outside of tests."""
    return any(
        call.key == "Tensor::backward"
        for view in file.around()
        for call in view.calls("backward", tests=False)
    )


def freezes_modules(file: FileView) -> bool:
    """Whether anything in the crates around a file freezes a module by `no_grad()`. A copy that one `forward` uses up
    is none: what it was copied from goes on as it was."""
    if not file.package_spells("no_grad()"):
        return False
    return any(
        not (call.operands[:1] and call.operands[0].is_tensor) and not _is_used_up(call)
        for view in file.around()
        for call in view.calls("no_grad")
    )


def _is_used_up(frozen: Expr) -> bool:
    """Whether a module is a copy that nothing but a `forward` has: `model.clone().no_grad().forward(x)`."""
    sink = frozen.flow.sink(frozen.expr)
    holder = sink.role.holder
    runs = (
        sink.kind == "receiver" and isinstance(holder, hir.MethodCall) and holder.name.startswith("forward")
    )
    return runs and frozen.operands[0].copied is not None
