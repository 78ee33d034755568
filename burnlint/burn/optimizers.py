"""How an optimizer was put together: its configuration, its groups of parameters, where its state was loaded.

Source: burn-optim 0.22.1, src/optim/module/module_optimizer.rs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from burnlint.burn import builders
from burnlint.rust.flow_defs import place_of

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr
    from burnlint.burn.values import Origin
    from burnlint.burn.view import FileView
    from burnlint.rust.flow import Scope

CLIPPING = ("with_grad_clipping", "with_gradient_clipping")
"""Setters of the clipping: that of `SgdConfig` has a name of its own."""
LOADS = frozenset(
    {
        "ModuleOptimizer::load",
        "ModuleOptimizer::load_record",
        "ModuleOptimizer::from_bytes",
        "Optimizer::load_record",
        "OptimizerAdaptor::load_record",
    }
)
MAX_ORIGINS = 20
"""Origins of a module that are looked at."""
_KEEPS_STATE = frozenset({"ModuleOptimizer::with_group", "ModuleOptimizer::with_grad_clipping"})


def clipping_of(config: Expr) -> Expr | None:
    """The clipping that the configuration of an optimizer visibly sets (`x` of `with_grad_clipping(Some(x))`);
    None if it sets none, or that is not known."""
    chain = builders.built(config)
    setter = chain.setter(*CLIPPING) if chain is not None else None
    return setter.operands[1].payload if setter is not None and len(setter.operands) == 2 else None


def takes_algorithm(call: Expr) -> bool:
    """Whether a call makes an optimizer of modules of what `build()` gives (`ModuleOptimizer::from(..)`)."""
    return call.name in ("from", "into") and call.type_name == "ModuleOptimizer"


def loaded_before(optimizer: Expr) -> Expr | None:
    """The load that an optimizer comes from on every path, through what keeps its state; None if there is none
    in sight."""
    made = optimizer.source_call
    while made is not None and made.key in _KEEPS_STATE:
        made = made.operands[0].source_call
    return made if made is not None and made.key in LOADS else None


def loaded_into(optimizer: Expr) -> bool:
    """Whether a state may be loaded into what a call gives, in the function around it."""
    return any(
        reach.kind == "operand" and reach.index == 0 and optimizer.at(reach.site).key in LOADS
        for reach in optimizer.reaches()
    )


def rebuilt(file: FileView) -> Iterator[tuple[Expr, Expr, Expr]]:
    """The optimizers with a state that are made anew for each step of a module which goes from round to round:
    where one is made, the step, and the call in the loop."""
    for step in file.calls("step", "step_multi", tests=False):
        if step.stepped_module is None:
            continue
        made = _stateful(step.operands[0])
        if made is None:
            continue
        if step.loop is not None:
            module = step.operands[2]
            if _is_of_round(made, step, step.loop) and _goes_on(module) and not module.fixed_in(step.loop):
                yield made, step, step
            continue
        call = next(_calls_in_loops(step), None)
        if call is not None:
            yield made, step, call


def _calls_in_loops(step: Expr) -> Iterator[Expr]:
    """The calls in loops of the function around a step, where its module goes from round to round: returned by
    the function, or put back into what a parameter refers to."""
    for carrier in step.carriers():
        module = carrier.call.module_operand
        if (
            carrier.call is not step
            and carrier.call.loop is not None
            and module is not None
            and _goes_on(module)
            and not module.fixed_in(carrier.call.loop)
        ):
            yield carrier.call
    module = step.operands[2].owner
    place = place_of(module.expr)
    taken = [d.place for d in step.flow.takers(step.expr) if d.kind == "assign"]
    if place is None or place[0] not in taken or module.parameter is None:
        return
    for call, given in step.operands[2].given_to(module.parameter):
        if call.loop is not None and not call.in_test and not given.declared_in(call.loop):
            yield call


def _stateful(optimizer: Expr) -> Expr | None:
    """The `init` that an optimizer with moments comes from on every path; plain SGD keeps nothing."""
    made = optimizer.source_call
    if made is None or not made.key.endswith("Config::init") or not made.operands:
        return None
    return made if _has_moments(made) else None


def makes_stateful(call: Expr) -> bool:
    """Whether a call makes an optimizer of modules that keeps something from step to step."""
    return (
        call.key.endswith("Config::init")
        and call.type_name in ("ModuleOptimizer", "OptimizerAdaptor")
        and _has_moments(call)
    )


def _has_moments(made: Expr) -> bool:
    if made.key != "SgdConfig::init":
        return True
    chain = builders.built(made.operands[0])
    momentum = chain.setter("with_momentum") if chain is not None else None
    return momentum is not None and momentum.operands[1].payload is not None


def _is_of_round(made: Expr, step: Expr, loop: Scope) -> bool:
    """Whether an optimizer is made in the innermost loop around its step."""
    body = step.site.frame.body
    site = made.site
    while site.frame.body is not body:
        if site.frame.call is None:
            return False
        site = site.frame.call
    return made.at(site).loop is loop


def _is_accumulator(module: Expr, origin: Origin) -> bool:
    """Whether a value is what a `fold` hands from round to round."""
    if origin.kind != "closure_param" or origin.index != 0:
        return False
    around = next(module.at(origin).around, None)
    return around is not None and around.name in ("fold", "try_fold")


def _goes_on(module: Expr) -> bool:
    """Whether a module may be what an earlier round made of it."""
    pending = list(module.origins().items)
    for origin in pending:
        if origin.carried or _is_accumulator(module, origin):
            return True
        if origin.kind == "changed" and origin.before is not None and len(pending) < MAX_ORIGINS:
            pending += module.at(origin.before).origins().items
    return False
