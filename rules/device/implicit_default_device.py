"""`Device::default()` with several back ends compiled in: Cargo's features decide which one it is, also those of other crates.

## Why
The default is the first back end that is on, in the order CUDA, Metal, ROCm, Vulkan, WebGPU, wgpu, CPU, LibTorch, Flex, Remote,
NdArray. Cargo unifies features: a crate elsewhere in the build that turns `cuda` on moves the program to CUDA, where there may be
no card. The environment variable `BURN_DEVICE` decides before all of them.

## Fires
    # // burnlint: ignore-file[device-constructor-without-feature] -- the back ends are the reader's
    # use burn::tensor::Device;
    # #[cfg(all(feature = "cuda", feature = "flex"))]
    # fn device(name: &str) -> Device {
    match name {
        "cpu" => Device::flex(),
        "cuda" => Device::cuda(0),
        _ => Device::default(),
    }
    # }

## Clean
    # // burnlint: ignore-file[device-constructor-without-feature] -- the back ends are the reader's
    # use burn::tensor::Device;
    # #[cfg(all(feature = "cuda", feature = "flex"))]
    # fn device(name: &str) -> Device {
    match name {
        "cuda" => Device::cuda(0),
        _ => Device::flex(),
    }
    # }

## Known gaps
Back ends count that the package may be built with, and those whose constructors its file calls. A program that leaves the choice to
the build on purpose does just this: hence pedantic. Test code is left alone.

## References
burn-dispatch 0.22.1, src/device.rs (`Default for DispatchDevice`).
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/implicit-default-device/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL604",
    "implicit-default-device",
    group="pedantic",
    symptom="panic",
    severity="note",
    confidence="medium",
    pitfalls=("B5",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("Device",),
)

_ON_WGPU = ("wgpu", "vulkan", "metal", "webgpu")


def check(file: FileView) -> Iterator[Finding]:
    found = {"wgpu" if name in _ON_WGPU else name for name in (*file.backends, *file.spelt_devices)} - {
        "default"
    }
    if len(found) < 2:
        return
    for made in file.calls("Device::default", tests=False):
        if made.device is None:
            continue
        names = ", ".join(f"`{name}`" for name in sorted(found))
        yield Finding(
            made.place,
            f"which of {names} this is hangs on the features of the whole build",
            help="name the device: `Device::wgpu(DeviceKind::DefaultDevice)`, `Device::flex()`",
        )
