"""Tensors that were made on different devices meet in one operation: burn panics.

## Why
Nothing is moved for you. `Device::default()` is the device that chooses its graphics API itself, so it is another one than
`Device::vulkan(..)`, `Device::metal(..)` and `Device::webgpu(..)`, which pin theirs, even on the same graphics card. With several
back ends compiled in it is the first of them, and Cargo may turn one on for another crate's sake. `+`, `matmul` and their like
panic with `The provided tensors are not on the same device.`

## PyTorch
The same fault: "Expected all tensors to be on the same device".

## Fires
    # use burn::tensor::{Device, DeviceKind, Tensor};
    # // burnlint: ignore-file[device-constructor-without-feature] -- the back ends are the reader's
    # #[cfg(feature = "vulkan")]
    # fn run() -> Tensor<1> {
    let device = Device::vulkan(DeviceKind::DefaultDevice);
    let x = Tensor::<1>::ones([4], &device);
    let bias = Tensor::<1>::zeros([4], &Device::default());
    x + bias
    # }

## Clean
    # use burn::tensor::{Device, DeviceKind, Tensor};
    # // burnlint: ignore-file[device-constructor-without-feature] -- the back ends are the reader's
    # #[cfg(feature = "vulkan")]
    # fn run() -> Tensor<1> {
    let device = Device::vulkan(DeviceKind::DefaultDevice);
    let x = Tensor::<1>::ones([4], &device);
    let bias = Tensor::<1>::zeros([4], &device);
    x + bias
    # }

## Known gaps
Both devices have to be in sight, as calls of `Device::..`, where the tensors meet. `BURN_DEVICE` can make the default any device
when the program runs. Test code is left alone. Tensors without
a device (`Tensor::from([1.0])`) are on the default one and not looked at.

## References
burn-dispatch 0.22.1, src/device.rs (`Default for DispatchDevice`); burn-tensor 0.22.1, src/tensor/api/check.rs.
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/mixed-device-constructors/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL601",
    "mixed-device-constructors",
    symptom="panic",
    severity="warning",
    confidence="medium",
    pitfalls=("B5",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("Device",),
)

_CHECKED = (
    "add",
    "sub",
    "mul",
    "div",
    "matmul",
    "cross",
    "equal",
    "not_equal",
    "greater",
    "greater_equal",
    "lower",
    "lower_equal",
)
"""Methods that compare the devices of their operands (burn-tensor 0.22.1, src/tensor/api/check.rs)."""


def check(file: FileView) -> Iterator[Finding]:
    if not file.spells_two_devices:
        return
    for operation in file.operators("+", "-", "*", "/", near=file.device_spelling, tests=False):
        yield from _judged(operation, *operation.operands)
    for call in file.calls(*_CHECKED, "forward", near=file.device_spelling, tests=False):
        if len(call.operands) < 2:
            continue
        if call.key.startswith("Tensor::") or (call.name == "forward" and call.operands[0].is_module):
            yield from _judged(call, *call.operands[:2])


def _judged(operation: Expr, left: Expr, right: Expr) -> Iterator[Finding]:
    found = left.on_another_device(right)
    if found is None:
        return
    one, other = found
    yield (
        Finding(
            operation.name_place,
            f"one side is on `{one.call.spelling}`, the other on `{other.call.spelling}`: it panics",
            help="make one device and pass it on, or move one side: `.to_device(&device)`",
        )
        .with_because(one.call.place, "one device")
        .with_because(other.call.place, "another device")
    )
