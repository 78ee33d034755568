"""A program uses the CPU back end without burn's features `rayon` and `simd`, so that it computes on one
thread.

## Why
`default-features = false` switches off more than it says: burn's default features turn on those of the back
ends, and with them threads and vector kernels. Nothing fails and nothing warns; the program is slow. On
burn 0.22.1 with two cores a 1024 x 1024 matrix product of Flex took 1.8 times as long without `rayon`, a
sum 13 times as long without `simd`. The loss of `rayon` grows with the number of cores.

## Fires
    [dependencies]
    burn = { version = "0.22", default-features = false, features = ["std", "flex"] }

## Clean
    [dependencies]
    burn = { version = "0.22", default-features = false, features = ["std", "flex", "simd", "rayon"] }

## Known gaps
Only builds of programs count (binaries, examples, `cdylib` and `staticlib` libraries): a library leaves
features to the program that uses it. Programs for the web and those with `#![no_std]` are left out. A
package from elsewhere that depends on burn may turn the features on: then the confidence is medium, and so it is
for NdArray on 0.22, where it was not run. Up to 0.21 burn has no feature `rayon`; it takes an entry for
`burn-flex` (or `burn-ndarray` with `multi-threads`), and there is no fix.

## References
burn-flex 0.22.1, Cargo.toml (`default = ["std", "simd", "rayon"]`); burn-dispatch 0.22.1, Cargo.toml
(`rayon`, `simd`); burn-train 0.22.1, Cargo.toml (it turns Flex on with its default features, so that
`train` repairs the set). What cargo resolves for each version: tests/cargo/effective_features.tsv. Time and
sums measured on burn 0.22.1; that a matrix product starts threads with the features and none without:
fixtures/cargo/flex-single-threaded/threads.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnlint import Build, Edit, Finding, Lack, ManifestView, Place, Rule, for_the_web, without_std

RULE = Rule(
    "BL704",
    "flex-single-threaded",
    symptom="slow",
    severity="warning",
    confidence="high",
    pitfalls=("P23", "B4"),
    proven=("0.20.1", "0.21.0", "0.22.0", "0.22.1"),
)

_NEEDED = {"burn-flex": ("simd", "rayon"), "burn-ndarray": ("simd", "multi-threads")}
_EFFECT = {"simd": "without SIMD kernels", "rayon": "on one thread", "multi-threads": "on one thread"}
_OF_BURN = {"multi-threads": "rayon"}
"""What a feature of the back end's crate is called on `burn`."""
_BLAS = ("blas-accelerate", "blas-netlib", "blas-openblas", "blas-openblas-system")
"""Features of burn-ndarray that leave matrix products to a library with threads of its own."""


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    if not manifest.plan.defaults_off:
        return
    for lack in manifest.lacking(_lacking, *_NEEDED):
        yield _finding(manifest, lack)


def _lacking(build: Build, crate: str) -> list[str]:
    if for_the_web(build.program.package) or without_std(build.program.package):
        return []
    if any(build.has(crate, feature) for feature in _BLAS):
        return []
    lacking = [name for name in _NEEDED[crate] if build.knows(crate, name) and not build.has(crate, name)]
    # What the default build lacks already is said there.
    return lacking if build.plain is None else [n for n in lacking if n not in _lacking(build.plain, crate)]


def _finding(manifest: ManifestView, lack: Lack) -> Finding:
    entry = lack.origin.entry
    names = [_OF_BURN.get(name, name) if entry.name != lack.crate else name for name in lack.names]
    fixable = all(b.knows(entry.name, name) for b in lack.builds for name in names)
    # Up to 0.21 there is no `rayon` of burn: there it is the back end's own feature that is missing.
    lacking, owner = (names, entry.key) if fixable or entry.name == lack.crate else (lack.names, lack.crate)
    words = " and ".join(f"`{name}`" for name in lacking)
    effect = " and ".join(_EFFECT[name] for name in reversed(lack.names))
    backend = lack.crate.removeprefix("burn-")
    strings = ", ".join(f'"{name}"' for name in names)
    if fixable:
        help = f"add {strings} to the features of `{entry.key}`, or leave its default features on"
    elif entry.source.kind != "registry":
        help = f"leave the default features of `{entry.key}` on"
    else:
        direct = ", ".join(f'"{name}"' for name in lack.names)
        version = f"{lack.build.burn.major}.{lack.build.burn.minor}"
        help = (
            f'add `{lack.crate} = {{ version = "{version}", features = [{direct}] }}`, '
            f"or leave the default features of `{entry.key}` on"
        )
    offered = all(manifest.offers(lack.origin, name) for name in names)
    run = lack.crate == "burn-flex" or lack.build.burn.line < (0, 22)
    finding = Finding(
        Place(manifest.path, *lack.origin.at.value),
        f"`{backend}` computes {effect} in {lack.program}: nothing turns {words} of `{owner}` on",
        help,
        confidence=None if lack.certain and run and not offered else "medium",
        severity="note" if offered else None,
    )
    off = entry.default_features_at
    if off is not None and not entry.default_features:
        place = Place(off.file, off.key[0], off.value[1])
        finding = finding.with_because(
            place, "the default features, and the back end's with them, are off here"
        )
    if fixable:
        changes = manifest.with_features(lack.origin, names)
        edits = [Edit(Place(manifest.path, c.start, c.end), c.text) for c in changes]
        finding = finding.with_fix(f"add {strings}", *edits, safe=False)
    return finding
