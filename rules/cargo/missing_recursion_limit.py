"""A crate that uses burn's wgpu back end, up to 0.21, has no `recursion_limit`: a build may end with E0275.

## Why
Up to burn 0.21 the types of wgpu stand within those of the program. Whether they are `Send` and `Sync` takes rustc 130 to
150 steps, just above its limit of 128; it may work in one profile and fail in another ("overflow evaluating the
requirement").

## Fires
    // Cargo.toml: burn = { version = "=0.21.0", features = ["wgpu"] }
    # #[cfg(feature = "wgpu")]
    use burn::backend::Wgpu;
    use burn::tensor::Tensor;

    # #[cfg(feature = "wgpu")]
    pub fn ones() -> Tensor<Wgpu, 1> {
        Tensor::ones([8], &Default::default())
    }

## Clean
    // Cargo.toml: burn = { version = "=0.21.0", features = ["wgpu"] }
    #![recursion_limit = "256"]

    # #[cfg(feature = "wgpu")]
    use burn::backend::Wgpu;
    use burn::tensor::Tensor;

    # #[cfg(feature = "wgpu")]
    pub fn ones() -> Tensor<Wgpu, 1> {
        Tensor::ones([8], &Default::default())
    }

## Known gaps
Most programs build without it: hence a note that runs on request. Only crates whose own files spell the back end (`Wgpu`,
`WgpuDevice`, `Vulkan`, `Metal`, `WebGpu`) are looked at.

## References
burn 0.21.0 and burn-wgpu 0.21.0, README.md (the warning; gone in 0.22.0, where types have no back end); burn's issues
3060 ("overflow evaluating the requirement `naga::ir::ScalarKind: Sync`") and 2754, both in release builds only. Not built
here, hence `proven` is empty.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Place, Rule

_BACKENDS = ("Wgpu", "WgpuDevice", "Vulkan", "Metal", "WebGpu")

RULE = Rule(
    "BL714",
    "missing-recursion-limit",
    symptom="compile",
    severity="note",
    confidence="medium",
    group="pedantic",
    burn=">=0.13, <0.22",
    proven=(),
)


def check(file: FileView) -> Iterator[Finding]:
    if b"recursion_limit" in file.source.content or not file.is_root_of_crate_with(*_BACKENDS):
        return
    start = 3 if file.source.content.startswith(b"\xef\xbb\xbf") else 0
    if file.source.content.startswith(b"#!") and not file.source.content.startswith(b"#!["):
        start = file.source.content.find(b"\n") + 1
    end = file.source.content.find(b"\n", start)
    finding = Finding(
        Place(file.path, start, end if end >= 0 else len(file.source.content)),
        "this crate leaves rustc's recursion limit at 128: where a bound goes through all types of wgpu, the build ends "
        "with E0275",
        'write `#![recursion_limit = "256"]` at the top of this file',
        confidence="low",
    )
    edit = Edit(Place(file.path, start, start), '#![recursion_limit = "256"]\n')
    yield finding.with_fix("raise the limit", edit, safe=True)
