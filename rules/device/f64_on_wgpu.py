"""F64 is asked for on a device that has none: `configure` gives an error, and the first kernel panics.

## Why
Of the wgpu devices only those on Vulkan can compute in 64 bits. Metal, WebGPU, DirectX 12 and OpenGL cannot: `configure` gives
`DeviceError::UnsupportedDType`, and a tensor that is made or cast with the dtype fails in its first kernel.

## PyTorch
The MPS device refuses float64 too: "Cannot convert a MPS Tensor to float64".

## Fires
    # use burn::tensor::{Device, DeviceKind, FloatDType};
    # // burnlint: ignore-file[device-constructor-without-feature] -- the back ends are the reader's
    # #[cfg(feature = "metal")]
    # fn run() {
    let mut device = Device::metal(DeviceKind::DefaultDevice);
    device.configure(FloatDType::F64).unwrap();
    # }

## Clean
    # use burn::tensor::{Device, DeviceKind, FloatDType};
    # // burnlint: ignore-file[device-constructor-without-feature] -- the back ends are the reader's
    # #[cfg(feature = "metal")]
    # fn run() {
    let mut device = Device::metal(DeviceKind::DefaultDevice);
    if device.supports_dtype(FloatDType::F64) {
        device.configure(FloatDType::F64).unwrap();
    }
    # }

## Known gaps
Only devices that are made with `Device::metal` or `Device::webgpu` in sight count: what `Device::wgpu` and `Device::default` run on
is decided on the machine.

## References
cubecl-wgpu 0.11.3, src/backend/{metal,wgsl,vulkan}.rs (types that are registered); wgpu-hal 29.0.4, src/vulkan/adapter.rs. It takes
such a GPU to run: not run where burnlint is tested.
"""

import re
from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL610",
    "f64-on-wgpu",
    symptom="panic",
    severity="warning",
    confidence="medium",
    pitfalls=("B8",),
    burn=">=0.22",
    proven=(),
    listens=("F64",),
)

_DEVICES = re.compile(rb"\bDevice::(?:metal|webgpu)\b")
_ASKED = re.compile(rb"supports_dtype")
_CREATES = ("empty", "eye", "from_data", "from_floats", "full", "ones", "random", "zeros")


def check(file: FileView) -> Iterator[Finding]:
    if not file.source.holds(_DEVICES):
        return
    for call in file.calls("configure", "cast", *_CREATES):
        if call.in_branch or call.error_tested:
            continue
        made = next((found for run in call.runs() if (found := _lacks_f64(run)) is not None), None)
        if made is not None:
            shown = "gives an error" if call.name == "configure" else "panics"
            yield Finding(
                call.name_place,
                f"`{made.spelling}` has no F64: `{call.name}` {shown}",
                help="ask first: `device.supports_dtype(FloatDType::F64)`",
            ).with_because(made.place, "the device is made here")


def _lacks_f64(run: Expr) -> Expr | None:
    """The call that makes the device which a call asks to hold F64, if it has none; None for any other call, and for one
    in another function that only some paths get to."""
    device = _device_for_f64(run)
    made = device.device if device is not None else None
    caller = run.called_by
    decided = _asks(run) or (caller is not None and (caller.in_branch or caller.in_test or _asks(caller)))
    return made.call if made is not None and made.name in ("metal", "webgpu") and not decided else None


def _asks(call: Expr) -> bool:
    """Whether the function around a call asks what the device supports."""
    return call.source.holds(_ASKED, call.fn.span)


def _device_for_f64(call: Expr) -> Expr | None:
    """What a call asks to hold F64: a device, or a tensor on it."""
    if call.key == "Device::configure":
        config = call.operands[-1]
        asked = config.operation
        return (
            call.operands[0] if config.spells("F64") or (asked is not None and asked.spells("F64")) else None
        )
    if not call.key.startswith("Tensor::") or call.dtype() != "F64":
        return None
    return call.operands[0] if call.name == "cast" else call.created_on
