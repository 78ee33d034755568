"""How an optimizer was put together: its configuration, its groups of parameters, where its state was loaded.

Source: burn-optim 0.22.1, src/optim/module/module_optimizer.rs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn import builders

if TYPE_CHECKING:
    from burnlint.burn.view import Expr

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
