"""A device constructor stands behind a feature that nothing turns on: the code does not compile.

## Why
`Device::cuda`, `Device::flex` and the others exist only with the back end's feature. The compiler says "no
function or associated item named `cuda` found for struct `Device`" and suggests `Device::new`; it does not
name the feature.

## Fires
    # fn main() {
    let device = burn::tensor::Device::cuda(0);
    # println!("{device:?}");
    # }

## Clean
    # fn main() {
    let device = burn::tensor::Device::default();
    # println!("{device:?}");
    # }

## Known gaps
A feature that any of the package's own features, a test, an example or another member of the workspace can
turn on is taken as meant.

## References
burn-tensor 0.22.1, src/device.rs (each constructor's `#[cfg(feature = …)]`). Compiled on burn 0.22.1
without the feature, E0599: tests/why/explained.txt (`rustc-cuda`).
"""

from __future__ import annotations

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

_FEATURES = {
    "capture": "capture",
    "cpu": "cpu",
    "cuda": "cuda",
    "rocm": "rocm",
    "flex": "flex",
    "ndarray": "ndarray",
    "libtorch": "tch",
    "libtorch_cuda": "tch",
    "libtorch_mps": "tch",
    "libtorch_vulkan": "tch",
    "wgpu": "wgpu",
    "vulkan": "vulkan",
    "metal": "metal",
    "webgpu": "webgpu",
}
"""The constructors of `Device` and the feature of burn-tensor that each stands behind."""

RULE = Rule(
    "BL702",
    "device-constructor-without-feature",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B3",),
    burn=">=0.22",
    proven=("0.22.0", "0.22.1"),
    listens=tuple(_FEATURES),
    messages=(r"no function or associated item named `\w+` found for struct `(?:burn::tensor::)?Device`",),
)


def check(file: FileView) -> Iterator[Finding]:
    spelt = [name for name in _FEATURES if file.source.calls(name)]
    for call in file.calls(*(name for name in spelt if file.never_on("burn-tensor", _FEATURES[name]))):
        feature = _FEATURES[call.name]
        if call.key == f"Device::{call.name}":
            yield Finding(
                call.place,
                f"`Device::{call.name}` does not exist here: nothing turns burn's feature `{feature}` on",
                f'add "{feature}" to the features of `burn` in Cargo.toml',
            )
