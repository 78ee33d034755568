"""A device is configured after a tensor was made on it, or a second time: `configure` gives an error and changes nothing.

## Why
The first tensor on a device settles its default types for the whole program, also with a dtype of its own, and so does the first
`configure`. A later call gives `DeviceError::AlreadyInitialized`, and panics where it is unwrapped. The settings belong to the
hardware: `Device::default()`, a clone and `.autodiff()` share them. Reading `settings()` settles nothing, nor does a module whose
parameters are made when it is first used.

## Fires
    # use burn::tensor::{Device, FloatDType, Tensor};
    # fn run() -> Tensor<1> {
    let mut device = Device::default();
    let mean = Tensor::<1>::zeros([3], &device);
    device.configure(FloatDType::F64).unwrap();
    # mean
    # }

## Clean
    # use burn::tensor::{Device, FloatDType, Tensor};
    # fn run() -> Tensor<1> {
    let mut device = Device::default();
    device.configure(FloatDType::F64).unwrap();
    let mean = Tensor::<1>::zeros([3], &device);
    # mean
    # }

## Known gaps
Tensors made on the same hardware through another variable, by other functions of the program, or by a `forward` are not seen. A
tensor that is made on some paths only, or in a function that is called before, has confidence medium.

## References
burn-tensor 0.22.1, src/device.rs (`configure`) and src/tensor/api/options.rs (`resolve_dtype`).
Run on 0.22.1: fixtures/device/configure-after-use/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL608",
    "configure-after-use",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B8",),
    burn=">=0.22",
    listens=("configure",),
)

_HELP = "call `configure` once, before anything is made on the device"


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("configure", tests=False):
        # A test that calls it too late looks at the error.
        if call.key == "Device::configure":
            yield from _judged(call)


def _judged(call: Expr) -> Iterator[Finding]:
    device = call.operands[0]
    again = next((each for each in device.changes_before if each.key == "Device::configure"), None)
    if again is not None and again.error_tested:
        return  # A `configure` that failed has settled nothing.
    if again is not None:
        yield Finding(
            call.name_place,
            "the device is configured already: this `configure` gives an error and changes nothing",
            help=_HELP,
        ).with_because(again.name_place, "configured here first")
        return
    used = device.first_used()
    if used is not None:
        finding = Finding(
            call.name_place,
            "a tensor was made on the device before: `configure` gives an error and changes nothing",
            help=_HELP,
        ).with_because(used[0].place, "this settles the types of the device")
        yield finding if used[1] else finding.lowered(severity="warning", confidence="medium")
    elif (
        (loop := call.loop) is not None
        and not device.declared_in(loop)
        and not call.error_tested
        and not call.in_branch_within(loop.expr)  # In the first round alone, perhaps.
        and call.comes_again
    ):
        yield Finding(
            call.name_place,
            "from the second round of the loop on, `configure` gives an error and changes nothing",
            help=_HELP,
        ).lowered(severity="warning", confidence="medium")
