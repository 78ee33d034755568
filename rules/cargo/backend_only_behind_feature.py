"""A plain build of the program has no back end: it takes one of the package's own features to run.

## Why
The package offers its back ends as features and turns none on by default. `cargo run` without `--features
…` compiles from 0.22 on, and panics at the first device with "No execution backend is enabled."

## Fires
    [features]
    gpu = ["burn/wgpu"]

    [dependencies]
    burn = "0.22"

## Clean
    [features]
    default = ["cpu"]
    cpu = ["burn/flex"]
    gpu = ["burn/wgpu"]

    [dependencies]
    burn = "0.22"

## Known gaps
Binaries with `required-features` are built with these. A `compile_error!` for a build without a back end is
not seen: then the choice is forced, and well made.

## References
burn-dispatch 0.22.1, build.rs and src/device.rs. Run on burn 0.22.1 without a back end: the panic above.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnlint import Finding, ManifestView, Place, Rule

RULE = Rule(
    "BL703",
    "backend-only-behind-feature",
    symptom="panic",
    severity="note",
    confidence="medium",
    group="pedantic",
    pitfalls=("B3",),
    burn=">=0.22",
    proven=("0.22.0", "0.22.1"),
    messages=(r"No execution backend is enabled\.",),
)


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    entry = next((e for e in manifest.entries if e.name == "burn" and e.kind == "normal"), None)
    own = [b for b in manifest.plan.builds if b.program.package is manifest.package and not b.program.dev]
    plain = [build for build in own if build.asked is None]
    if entry is None or not plain or any(b.executes or not b.certain for b in plain):
        return
    offering = sorted({b.asked for b in own if b.asked is not None and b.executes})
    if offering:
        yield Finding(
            Place(manifest.path, *entry.at.value),
            f"a plain build of {plain[-1].name} has no back end, and its first device panics",
            f"run it with `{offering[0]}`, or put a back end into its default features",
        )
