"""Which gradient-checkpointing strategy the values of an operation have: tensors of two strategies do not mix.

A value has the strategy of the device that it was made on (burn-dispatch 0.22.1, src/tensor.rs; run on 0.22.1:
fixtures/autodiff/mixed-checkpointing-devices/proof.rs).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnlint.burn import ops, tape

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr

MAX_DEPTH = 12


def strategy(value: Expr, depth: int = 0) -> str | None:
    """ "Balanced" (`gradient_checkpointing()`) or "Disabled" of a device, tensor or module that is certainly on
    autodiff; None where that is not known, or it is on no autodiff at all."""
    made = value.operation
    if made is None or depth > MAX_DEPTH:
        return None
    if made.key == "Device::gradient_checkpointing":
        return "Balanced"
    if made.key == "Device::autodiff":
        # On a device that is on autodiff already it changes nothing.
        return "Disabled" if made.operands[0].autodiff() == "plain" else strategy(made.operands[0], depth + 1)
    operands = made.operands
    devices = [each for each in operands if each.is_device]
    if made.key.endswith("Config::init") or (tape.is_tensor_operation(made) and devices):
        return strategy(devices[0], depth + 1) if devices and made.name != "to_device" else None
    if tape.is_tensor_operation(made) and tape.graph_effect(made) != ops.LEAVES:
        return _joined([each for each in operands if each.is_tensor], depth)
    if tape.is_forward(made):
        return _joined([each for each in operands if each.is_module or each.is_tensor], depth)
    return None


def _joined(operands: list[Expr], depth: int) -> str | None:
    """That of the first operand of which it is known: the others are plain, or fail."""
    found = (strategy(each, depth + 1) for each in operands)
    return next((each for each in found if each is not None), None)
