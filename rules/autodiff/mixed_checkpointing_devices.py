"""An operation between tensors of a device with gradient checkpointing and of one without panics.

## Why
`gradient_checkpointing()` makes another autodiff device of it. What was made on `device.autodiff()` and what was made
on `device.autodiff().gradient_checkpointing()` cannot meet in one operation: burn 0.22 panics with "Gradient
checkpointing strategy mismatch". Plain tensors mix with both.

## Fires
    # use burn::tensor::{Device, Tensor};
    # fn sum() -> Tensor<1> {
    let device = Device::default().autodiff();
    let saving = device.clone().gradient_checkpointing();
    Tensor::<1>::ones([3], &device) + Tensor::<1>::ones([3], &saving)
    # }

## Clean
    # use burn::tensor::{Device, Tensor};
    # fn sum() -> Tensor<1> {
    let device = Device::default().autodiff().gradient_checkpointing();
    Tensor::<1>::ones([3], &device) + Tensor::<1>::ones([3], &device)
    # }

## Known gaps
Both devices have to be made in the function, or in one that it calls.

## References
burn-dispatch 0.22.1, src/tensor.rs. Run on 0.22.1: fixtures/autodiff/mixed-checkpointing-devices/proof.rs.
"""

import re
from collections.abc import Iterator
from itertools import chain

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL228",
    "mixed-checkpointing-devices",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B6",),
    burn=">=0.22",
    listens=("gradient_checkpointing",),
    messages=(r"Gradient checkpointing strategy mismatch: ",),
)
NEAR = re.compile(rb"gradient_checkpointing")


def check(file: FileView) -> Iterator[Finding]:
    operators = file.operators("+", "-", "*", "/", near=NEAR, tests=False)
    for operation in chain(
        operators, file.calls("matmul", "add", "sub", "mul", "div", "forward", tests=False)
    ):
        found = {each.checkpointing: each for each in operation.operands}
        if "Balanced" not in found or "Disabled" not in found:
            continue
        finding = Finding(
            operation.place if operation.key == "" else operation.name_place,
            "one side is on a device with gradient checkpointing, the other on one without: this panics",
            help="make both on one device",
        )
        finding = finding.with_because(found["Balanced"].place, "with gradient checkpointing")
        yield finding.with_because(found["Disabled"].place, "without")
