"""A back end downloads a prebuilt LLVM when it is built for the first time: without a network the build fails.

## Why
The feature `cpu` (CubeCL's CPU runtime, not Flex) compiles kernels with LLVM, and a build script fetches
the archive of the host. Without a network, behind a proxy, or on a host without a prebuilt archive the
build ends in a panic of tracel-llvm-bundler. From 0.22 on `cuda` and `rocm` need it as well; that is said
where the project's Cargo configuration is offline or vendored. Flex came with burn 0.21; before it, the back
end for a CPU without LLVM is `ndarray`.

## Fires
    [dependencies]
    burn = { version = "0.22", features = ["cpu"] }

## Clean
    [dependencies]
    burn = { version = "0.22", features = ["flex"] }

## Known gaps
A network that is cut off outside of the project (a container, a CI runner) is not seen.

## References
tracel-llvm-bundler 23.1.0-4, build.rs; cubecl-cuda 0.11.3 and cubecl-hip 0.11.3, Cargo.toml (cubecl-llvm is
not optional). Run with the network cut off: "failed to run custom build command for `tracel-llvm-bundler`".
With which features of which version cargo builds the bundler: tests/cargo/llvm_bundler.tsv.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from burnlint import At, Build, Edit, Finding, Lack, ManifestView, Place, Rule, config_files, offline_settings

RULE = Rule(
    "BL709",
    "backend-needs-llvm-download",
    symptom="compile",
    severity="note",
    confidence="high",
    pitfalls=("B2",),
    burn=">=0.19",
    proven=("0.19.1", "0.20.0", "0.20.1", "0.21.0", "0.22.0", "0.22.1"),
    messages=(
        r"failed to run custom build command for `tracel-llvm-bundler",
        r"failed to run custom build command for `cubecl-llvm",
        r"Unsupported (?:target architecture|operating system) for tracel-llvm-bundler",
    ),
)

_LLVM = ("cubecl-llvm", "tracel-llvm")
_ONLY_OFFLINE = ("burn-cuda", "burn-rocm")
"""Whoever has the toolkit of such a card has a network as a rule: said only where the project says
otherwise."""


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    folder = manifest.path.rpartition("/")[0]
    offline = next(offline_settings(config_files(manifest.workspace.files, folder)), None)
    for lack in manifest.lacking(_downloads, "burn-cpu", *_ONLY_OFFLINE):
        if offline is not None or lack.crate not in _ONLY_OFFLINE:
            yield _finding(manifest, lack, offline)


def _downloads(build: Build, crate: str) -> list[str]:
    if crate in _ONLY_OFFLINE and build.burn.line < (0, 22):
        return []
    if build.plain is not None and _downloads(build.plain, crate) and build.plain.has(crate):
        return []
    return [name for name in _LLVM if build.has(name)][:1]


def _finding(manifest: ManifestView, lack: Lack, offline: At | None) -> Finding:
    origin = lack.origin
    feature = origin.feature or lack.crate.removeprefix("burn-")
    finding = Finding(
        Place(manifest.path, *origin.at.value),
        f"`{feature}` downloads a prebuilt LLVM on the first build of {lack.program}",
        f"use `{_without_llvm(lack)}` for a CPU back end without LLVM"
        if lack.crate == "burn-cpu"
        else "build once with a network, or bring the archive along (`~/.local/share/tracel`)",
        confidence=None if lack.certain else "medium",
    )
    if offline is not None:
        finding = finding.with_because(Place(offline.file, *offline.value), "builds have no network here")
    ref = origin.ref
    if (
        lack.crate == "burn-cpu"
        and ref is not None
        and ref.feature == "cpu"
        and _known(lack, origin.entry.name, "flex")
    ):
        text = json.dumps(ref.text.removesuffix("cpu") + "flex")
        edit = Edit(Place(manifest.path, *ref.at.value), text)
        finding = finding.with_fix("use `flex` in place of `cpu`", edit, safe=False)
    return finding


def _without_llvm(lack: Lack) -> str:
    """Flex came with burn 0.21."""
    return "flex" if _known(lack, "burn", "flex") else "ndarray"


def _known(lack: Lack, crate: str, feature: str) -> bool:
    return all(build.knows(crate, feature) for build in lack.builds)
