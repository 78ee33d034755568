"""`require_grad()` or `backward` on values of a device without autodiff panics.

## Why
From burn 0.22 on autodiff is a property of the device a value is created on. On a device without it nothing is
recorded: `require_grad()` panics with "Tensor::require_grad requires autodiff; call Tensor::autodiff first", and
`backward` with "Tensor::backward requires a tracked autodiff tensor". Moving a tensor or a module to an autodiff
device does not change that.

## PyTorch
Every tensor can require a gradient there. In burn it is `Device::autodiff()` where values are made, or
`Tensor::autodiff()` on a single one.

## Fires
    # use burn::tensor::{Device, Gradients, Tensor};
    # fn slope() -> Gradients {
    let device = Device::default();
    let w = Tensor::<1>::ones([3], &device).require_grad();
    w.square().sum().backward()
    # }

## Clean
    # use burn::tensor::{Device, Gradients, Tensor};
    # fn slope() -> Gradients {
    let device = Device::default().autodiff();
    let w = Tensor::<1>::ones([3], &device).require_grad();
    w.square().sum().backward()
    # }

## Known gaps
Only devices whose making is in sight. A model that comes from `valid()` is backward-on-untracked-model, one that is
moved to an autodiff device is plain-module-sent-to-autodiff.

## References
burn-tensor 0.22.1, src/tensor/api/float.rs (`set_require_grad`), src/tensor/api/autodiff.rs (`backward`). Run on
0.22.1: fixtures/autodiff/backward-without-autodiff-device/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL220",
    "backward-without-autodiff-device",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B11",),
    burn=">=0.22",
    listens=("require_grad", "set_require_grad", "backward"),
    messages=(
        r"Tensor::require_grad requires autodiff; call Tensor::autodiff first",
        r"Tensor::backward requires a tracked autodiff tensor",
    ),
)
REPORTED = ("Module::valid", "Module::fork", "Module::to_device")
"""Where a plain model comes from that other rules report."""


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("require_grad", "set_require_grad", "backward", tests=False):
        if not (call.requires_grad or call.key == "Tensor::backward"):
            continue
        tensor = call.operands[0]
        if tensor.autodiff() != "plain" or (not call.requires_grad and _is_reported(tensor)):
            continue
        name = tensor.named_or("the tensor")
        finding = Finding(
            call.name_place,
            f"{name} is not on autodiff, and nothing it is computed from is: `{call.name}` panics",
            help="make the values, or the model, on `device.autodiff()`",
        )
        for made in tensor.devices_behind:
            finding = finding.with_because(made.place, "a device without autodiff")
        yield finding


def _is_reported(loss: Expr) -> bool:
    """Whether a `require_grad()` on the way panics first, or the model is another rule's finding."""
    tape = loss.tape
    if not tape.complete or any(loss.at(leaf.site).requires_grad for leaf in tape.leaves):
        return True
    made = (module.operation for module in tape.modules)
    return any(operation is not None and operation.key in REPORTED for operation in made)
