"""A program uses a GPU back end without burn's features `fusion` and `autotune`: it is slow, and nothing says so.

## Why
`default-features = false` switches off more than it says: burn's default features turn on those of the back
ends. Without `fusion` every operation launches a kernel of its own and writes its result to memory; without
`autotune` each kernel runs with a fixed strategy in place of the fastest one for the shapes at hand.
Nothing fails and nothing warns; the program is slow.

## Fires
    [dependencies]
    burn = { version = "0.22", default-features = false, features = ["std", "wgpu"] }

## Clean
    [dependencies.burn]
    version = "0.22"
    default-features = false
    features = ["std", "wgpu", "fusion", "autotune", "persistence"]

## Known gaps
Only builds of programs count (binaries, examples, `cdylib` and `staticlib` libraries): a library leaves
features to the program that uses it. Programs for the web and those with `#![no_std]` are left out. A
package from elsewhere that depends on burn may turn the features on: then the confidence is medium. Kernels
that are slow for other reasons are not seen. Programs that ask for `template` or `extension` have kernels
of their own, which fusion does not take as they are: there only `autotune` is asked for.

## References
burn-wgpu 0.22.1, src/lib.rs and Cargo.toml (`default = ["std", "fusion", "autotune", …]`); burn-cubecl
0.22.1, src/kernel (fixed strategies without `autotune`). burn-rocm turned burn-cubecl's default features on
up to 0.21 and does not from 0.22 on. What cargo resolves for each version:
tests/cargo/effective_features.tsv.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnlint import Build, Edit, Finding, Lack, ManifestView, Place, Rule, for_the_web, without_std

RULE = Rule(
    "BL705",
    "cube-without-fusion-autotune",
    symptom="slow",
    severity="warning",
    confidence="high",
    pitfalls=("B4",),
    proven=("0.18.0", "0.19.1", "0.20.0", "0.20.1", "0.21.0", "0.22.0", "0.22.1"),
)

_BACKENDS = ("burn-wgpu", "burn-cuda", "burn-rocm", "burn-hip", "burn-cpu")
_KERNELS = ("burn-cubecl", "burn-jit")
"""The crate that holds the kernels, and decides about autotune whatever the back end's crate says."""
_CUSTOM_KERNELS = ("template", "extension")
"""Features for kernels of one's own, which have to be written for fusion before it may be on."""
_EFFECT = {"fusion": "launches one kernel per operation", "autotune": "runs kernels with fixed strategies"}


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    if not manifest.plan.defaults_off:
        return
    for lack in manifest.lacking(_lacking, *_BACKENDS):
        yield _finding(manifest, lack)


def _lacking(build: Build, crate: str) -> list[str]:
    if for_the_web(build.program.package) or without_std(build.program.package):
        return []
    kernels = next((name for name in _KERNELS if build.has(name)), crate)
    lacking = [
        feature
        for feature, owner in (("fusion", crate), ("autotune", kernels))
        if build.knows(owner, feature) and not build.has(owner, feature)
    ]
    if any(build.has("burn", feature) for feature in _CUSTOM_KERNELS):
        lacking = [name for name in lacking if name != "fusion"]
    # What the default build lacks already is said there.
    return lacking if build.plain is None else [n for n in lacking if n not in _lacking(build.plain, crate)]


def _finding(manifest: ManifestView, lack: Lack) -> Finding:
    origin, entry = lack.origin, lack.origin.entry
    words = " and ".join(f"`{name}`" for name in lack.names)
    effect = " and ".join(_EFFECT[name] for name in lack.names)
    backend = origin.feature or lack.crate.removeprefix("burn-")
    strings = ", ".join(f'"{name}"' for name in lack.names)
    offered = all(manifest.offers(origin, name) for name in lack.names)
    finding = Finding(
        Place(manifest.path, *origin.at.value),
        f"`{backend}` {effect} in {lack.program}: nothing turns {words} of `{entry.key}` on",
        f"add {strings} to the features of `{entry.key}`, or leave its default features on",
        confidence=None if lack.certain and not offered else "medium",
        severity="note" if offered else None,
    )
    off = entry.default_features_at
    if off is not None and not entry.default_features:
        place = Place(off.file, off.key[0], off.value[1])
        finding = finding.with_because(
            place, "the default features, and the back end's with them, are off here"
        )
    if all(b.knows(entry.name, name) for b in lack.builds for name in lack.names):
        changes = manifest.with_features(origin, lack.names)
        edits = [Edit(Place(manifest.path, c.start, c.end), c.text) for c in changes]
        finding = finding.with_fix(f"add {strings}", *edits, safe=False)
    return finding
