"""`require_grad().to_device(..)` keeps the copy and loses the leaf: its gradient is never found.

## Why
`to_device` is a recorded operation: what it gives is computed from the leaf and is none. With the leaf itself
gone, `grad` on the moved tensor answers `None` and an optimisation of it does nothing. On burn 0.22.1 this
holds even if the device is the same.

## PyTorch
`torch.zeros(3, requires_grad=True).to(device)` is the same trap.

## Fires
    # use burn::tensor::{Device, Tensor};
    # fn leaf(start: Tensor<2>, gpu: &Device) -> Tensor<2> {
    start.require_grad().to_device(gpu)
    # }

## Clean
    # use burn::tensor::{Device, Tensor};
    # fn leaf(start: Tensor<2>, gpu: &Device) -> Tensor<2> {
    start.to_device(gpu).require_grad()
    # }

## Known gaps
Only the chain, or a leaf whose one use is the move, is reported: a leaf that is kept may still be asked.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs (`to_device`). Run on 0.21.0 and 0.22.1:
fixtures/autodiff/require-grad-before-to-device/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL225",
    "require-grad-before-to-device",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B15",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("to_device",),
)


def check(file: FileView) -> Iterator[Finding]:
    for move in file.calls("to_device", tests=False):
        if move.key != "Tensor::to_device":
            continue
        leaf = move.operands[0].operation
        if leaf is None or not leaf.requires_grad:
            continue
        if not all(reach.use == move.operands[0].site for reach in leaf.reaches()):
            continue
        finding = Finding(
            move.name_place,
            "`to_device` gives a tensor computed from the leaf, which is lost: its gradient is never found",
            help="call `require_grad()` last: `.to_device(..).require_grad()`",
        ).with_because(leaf.name_place, "the leaf")
        chained = leaf.call_place
        if chained is not None and move.operands[0].expr is leaf.expr and leaf.name == "require_grad":
            finding = finding.with_fix(
                "call `require_grad()` last",
                Edit(chained, ""),
                Edit(move.end_place, ".require_grad()"),
                safe=False,
            )
        yield finding
