"""What a loss takes, logits or probabilities, and what a tensor visibly is.

Source: burn-nn 0.22.1, src/loss/{cross_entropy,binary_cross_entropy}.rs; burn-tensor 0.22.1,
src/tensor/loss/mod.rs. Whether the loss squashes its input hangs on its configuration's `logits`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from burnlint.burn import builders, ops

if TYPE_CHECKING:
    from burnlint.burn.expr import Expr

Scale = Literal["probabilities", "log-probabilities", "raw"]

_SCALES: dict[str, Scale] = {
    "softmax": "probabilities",
    "quiet_softmax": "probabilities",
    "sigmoid": "probabilities",
    "Sigmoid::forward": "probabilities",
    "log_softmax": "log-probabilities",
    "log_sigmoid": "log-probabilities",
    "Linear::forward": "raw",
    "Conv1d::forward": "raw",
    "Conv2d::forward": "raw",
}
_PARTS = frozenset({"Tensor::slice", "Tensor::narrow", "Tensor::select"})
_LOSSES = frozenset({"CrossEntropyLoss", "BinaryCrossEntropyLoss"})
MAX_STEPS = 20
"""Operations that only move elements which are gone back over."""


def input_of(call: Expr) -> Expr | None:
    """Of a call that computes a cross entropy what it computes it from; None for any other call."""
    owner, _, name = call.key.rpartition("::")
    if not owner and name == "cross_entropy_with_logits" and call.operands:
        return call.operands[0]
    return call.operands[1] if owner in _LOSSES and name == "forward" and len(call.operands) == 3 else None


def takes_logits(call: Expr) -> bool | None:
    """Whether such a call squashes its input itself; None where its configuration is not in sight."""
    if not call.key.partition("::")[2]:
        return True
    made = call.operands[0].operation
    if made is None:
        return None
    if made.key == "CrossEntropyLoss::new":
        return True
    if made.key.endswith("LossConfig::init") and made.operands:
        chain = builders.built(made.operands[0])
        return chain.flag("logits") if chain is not None else None
    return None


def scale_of(tensor: Expr) -> tuple[Scale, Expr] | None:
    """What the elements of a tensor are, with the call that made them so; None where that is not in sight."""
    call = tensor.operation
    for _ in range(MAX_STEPS):
        if call is None or call.signature is None:
            return None
        scale = _SCALES.get(call.key)
        if scale is not None:
            return scale, call
        if call.key not in _PARTS and ops.elements(call.signature) != ops.MOVED:
            return None
        call = call.operands[0].operation
    return None
