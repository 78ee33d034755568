"""A program tunes its kernels anew in every run, since nothing keeps the results of autotune on disk.

## Why
From 0.22 on the disk cache of autotune hangs on the feature `persistence`, which burn's default features
turn on and `default-features = false` takes away, even where `autotune` is added back. Every start of the
program then measures the candidates of each kernel again, for the same result as the day before. `cache =
true` in a `cubecl.toml` is not read without it either.

## Fires
    [dependencies.burn]
    version = "0.22"
    default-features = false
    features = ["std", "wgpu", "fusion", "autotune"]

## Clean
    [dependencies.burn]
    version = "0.22.1"
    default-features = false
    features = ["std", "wgpu", "fusion", "autotune", "persistence"]

## Known gaps
Only builds of programs count (binaries, examples, `cdylib` and `staticlib` libraries). burn 0.22.0 has no
feature of that name: it takes an entry for `cubecl`, or the update to 0.22.1.

## References
cubecl-runtime 0.11.3, build.rs (alias `persistence`) and src/tune/tune_cache.rs; burn 0.22.1, Cargo.toml.
What cargo resolves for each version: tests/cargo/effective_features.tsv.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnlint import Build, Edit, Finding, Lack, ManifestView, Place, Rule, for_the_web, without_std

RULE = Rule(
    "BL706",
    "autotune-cache-not-persisted",
    symptom="slow",
    severity="note",
    confidence="high",
    pitfalls=("B4",),
    burn=">=0.22",
    proven=("0.22.0", "0.22.1"),
)

_BACKENDS = ("burn-wgpu", "burn-cuda", "burn-rocm", "burn-cpu")
_FEATURE = "persistence"


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    if not manifest.plan.defaults_off:
        return
    for lack in manifest.lacking(_lacking, *_BACKENDS):
        yield _finding(manifest, lack)


def _lacking(build: Build, crate: str) -> list[str]:
    if for_the_web(build.program.package) or without_std(build.program.package):
        return []
    if not build.has("burn-cubecl", "autotune") or not build.knows("cubecl-runtime", _FEATURE):
        return []
    if build.has("cubecl-runtime", _FEATURE) or (build.plain is not None and _lacking(build.plain, crate)):
        return []
    return [_FEATURE]


def _finding(manifest: ManifestView, lack: Lack) -> Finding:
    origin, entry = lack.origin, lack.origin.entry
    backend = origin.feature or lack.crate.removeprefix("burn-")
    offered = manifest.offers(origin, _FEATURE) is not None
    available = lack.build.knows(entry.name, _FEATURE)
    finding = Finding(
        Place(manifest.path, *origin.at.value),
        f"`{backend}` tunes its kernels anew in each run of {lack.program}: nothing turns `{_FEATURE}` on",
        f'add "{_FEATURE}" to the features of `{entry.key}`'
        if available
        else f'update `{entry.key}` to 0.22.1 and add "{_FEATURE}" to its features',
        confidence=None if lack.certain and not offered else "medium",
    )
    if available:
        changes = manifest.with_features(origin, [_FEATURE])
        edits = [Edit(Place(manifest.path, c.start, c.end), c.text) for c in changes]
        finding = finding.with_fix(f'add "{_FEATURE}"', *edits, safe=False)
    return finding
