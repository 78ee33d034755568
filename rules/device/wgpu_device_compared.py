"""A device is compared with a newly made wgpu device: two names of one graphics card are different devices, and the answer is no.

## Why
`Device::default()`, `Device::wgpu(..)`, `Device::vulkan(..)`, `Device::metal(..)` and `Device::webgpu(..)` may all run on the same
card and still differ: the first two choose their graphics API themselves, the others pin one, and the kind counts too. A check like
`device == Device::default()` is false on a device that was made another way. Autodiff makes no difference.

## Fires
    # use burn::tensor::{Device, DeviceKind};
    # // burnlint: ignore-file[device-constructor-without-feature] -- the back ends are the reader's
    # #[cfg(feature = "vulkan")]
    # fn on_the_gpu(device: &Device) -> bool {
    *device == Device::vulkan(DeviceKind::DefaultDevice)
    # }

## Clean
    # use burn::tensor::Device;
    # fn the_same(device: &Device, other: &Device) -> bool {
    device == other
    # }

## Known gaps
Test code is left alone. `Device::default()` counts only where one of the wgpu back ends is among those that the package may be
built with, and where the other device, or some device of the same file, is made in another way. A device that was
made the same way, but elsewhere, is equal: hence confidence medium.

## References
burn-tensor 0.22.1, src/device.rs (`PartialEq`, `wgpu`, `vulkan`); burn-dispatch 0.22.1, src/device.rs.
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/wgpu-device-compared/gpu/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL603",
    "wgpu-device-compared",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("B5",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("Device",),
)

_COMPARED = re.compile(rb"[=!]=|assert_(?:eq|ne)\b")
_WGPU = ("wgpu", "vulkan", "metal", "webgpu")
_MADE = ("Device::default", *(f"Device::{name}" for name in _WGPU))


def check(file: FileView) -> Iterator[Finding]:
    if not file.source.holds(file.device_spelling):
        return
    for made in file.calls(*_MADE, near=_COMPARED, tests=False):
        if made.device is None:
            continue
        if made.name == "default" and not file.backends & set(_WGPU):
            continue
        for other in made.compared_with():
            # "Is it the default one?" is a fair question where no device is made in another way.
            asked = made.name == "default" and other.device is None
            if not _is_equal(made, other) and not (asked and not _pins(file)):
                yield Finding(
                    made.place,
                    f"`{made.spelling}` is not equal to a device that was made in another way, even on the same card",
                    help="compare with the device that was made at the start, or ask the device itself",
                ).with_because(other.place, "compared with this")


def _pins(file: FileView) -> bool:
    """Whether the program in this file makes a device of a certain graphics API."""
    return any(True for _ in file.calls(*_MADE[1:], tests=False))


def _is_equal(made: Expr, other: Expr) -> bool:
    """Whether the other device was made by the same call."""
    found = other.device
    return found is not None and found.name == made.name
