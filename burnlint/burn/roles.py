"""What a call or a type is to burn, read off signatures and facts: an optimizer's step, a module.

No name is taken for what it sounds like: `step` belongs to schedulers, environments and samplers too.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnlint.burn.api import Api
from burnlint.burn.calls import Target
from burnlint.burn.terms import Declared, Generic, Named, Ref, Term, Tuple

_CRATES = frozenset({"burn-optim", "burn-core"})
"""Where optimizers are declared (up to burn 0.18 in burn-core)."""
_GRADIENTS = frozenset({"GradientsParams", "MultiGradientsParams"})


def stepped_module(target: Target | None, operands: Sequence[Term | None]) -> int | None:
    """The index of the module among the operands (receiver first) of an optimizer's step; None for any other
    call.

    A step takes a learning rate, a module by value and its gradients (or what computes them), and gives a
    module of the same type, alone or first in a tuple. Where the types do not tell what is called, gradients
    of burn in the last place of three arguments do.
    """
    if target is None:
        return 2 if len(operands) == 4 and _is_gradients(operands[3]) else None
    signature = target.signature
    if (
        signature is None
        or signature.crate not in _CRATES
        or not signature.self_mode
        or len(signature.params) != 3
    ):
        return None
    result = signature.result
    if isinstance(result, Tuple) and result.items:
        result = result.items[0]
    return 2 if isinstance(result, Generic) and signature.params[1].term == result else None


def _is_gradients(term: Term | None) -> bool:
    while isinstance(term, Ref):
        term = term.target
    return isinstance(term, Named) and term.name.rpartition("::")[2] in _GRADIENTS


def is_module(term: Term | None, api: Api) -> bool:
    """Whether a type is known to be a module."""
    if isinstance(term, Declared):
        return term.item.derives("Module")
    return isinstance(term, Named) and api.implements(term.name, "Module")


def is_device(term: Term | None) -> bool:
    """Whether a type is a device of burn, up to 0.21 `B::Device`."""
    return isinstance(term, Named) and term.name.rpartition("::")[2] == "Device"


def is_parameter(term: Term | None) -> bool:
    """Whether a type is a `Param`."""
    return isinstance(term, Named) and term.name == "Param"
