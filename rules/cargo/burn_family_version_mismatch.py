"""Crates of burn's family stand at different minor versions, so that the program has two copies of burn's
core.

## Why
`burn` and its crates are released together, and a minor version is a breaking one before 1.0. Two of them
in one manifest give two copies of burn-core and burn-tensor: their tensors, traits and records are
different types with the same names, and the compiler says "expected `Tensor`, found `Tensor`" or that a
trait is not implemented. Code that burn-onnx or burn-import generates is written for one minor version too.

## Fires
    [dependencies]
    burn = { version = "0.22", features = ["flex"] }
    burn-store = { version = "0.21", features = ["safetensors"] }

## Clean
    [dependencies]
    burn = { version = "0.22", features = ["flex"] }
    burn-store = { version = "0.22", features = ["safetensors"] }

## Known gaps
Crates of other people that depend on another minor version are not seen, nor is a crate from git beside one
from the registry. CubeCL has versions of its own and is left out.

## References
burn 0.22.1, Cargo.toml: every crate of the family is required at the same minor version. A program with 0.22.1
and 0.21.0 was compiled, E0277: tests/why/messages.txt (`shown-member-of-old-trait`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from burnlint import (
    RELEASED,
    At,
    Dependency,
    Edit,
    Finding,
    ManifestView,
    Package,
    Place,
    Rule,
    Version,
    releases,
)

RULE = Rule(
    "BL712",
    "burn-family-version-mismatch",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    proven=RELEASED,
    messages=(
        r"there are multiple different versions of crate `burn(_\w+)?` in the dependency graph",
        r"two different versions of crate `burn(_\w+)?` are being used",
    ),
)

Lines = frozenset[tuple[int, int]]


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    for package, entry, at in manifest.declared:
        anchor = _anchor(package)
        if anchor is None or entry is anchor or entry.name == "burn" or not entry.name.startswith("burn-"):
            continue
        lines, wanted = _lines(package, entry), _lines(package, anchor)
        if lines and wanted and not lines & wanted:
            yield _finding(manifest, entry, at, anchor, lines, wanted)


def _anchor(package: Package) -> Dependency | None:
    """The entry that says which burn the package is written for."""
    entries = sorted(package.entries("burn"), key=lambda e: e.kind != "normal")
    return next((e for e in entries if e.requirement is not None), None)


def _lines(package: Package, entry: Dependency) -> Lines:
    """The minor versions that an entry may take; empty where that is not known."""
    local = package.workspace.local_package(entry)
    if local is not None:
        return frozenset({local.version.line}) if local.version is not None else frozenset()
    if entry.requirement is None or package.workspace.source_of(entry).kind != "registry":
        return frozenset()
    return frozenset(v.line for v in releases().admitted(entry.name, entry.requirement))


def _finding(
    manifest: ManifestView, entry: Dependency, at: At, anchor: Dependency, lines: Lines, wanted: Lines
) -> Finding:
    ours, theirs = _spelt(max(lines)), _spelt(max(wanted))
    finding = Finding(
        Place(manifest.path, *_version(at).value),
        f"`{entry.key}` {ours} brings a second copy of burn's crates beside `burn` {theirs}, "
        "whose tensors and traits are other types",
        f'write `{entry.key}` with version "{theirs}", as `burn` has',
    )
    other = _version(anchor.workspace_at or anchor.at)
    finding = finding.with_because(Place(other.file, *other.value), f"`burn` is at {theirs} here")
    text = anchor.requirement.text if anchor.requirement is not None else theirs
    if isinstance(_version(at).get(), str) and _exists(entry, anchor):
        edit = Edit(Place(manifest.path, *_version(at).value), json.dumps(text))
        finding = finding.with_fix(f'write version "{text}"', edit, safe=False)
    return finding


def _version(at: At) -> At:
    """The version's place in an entry of either form."""
    return at if isinstance(at.get(), str) else at / "version"


def _exists(entry: Dependency, anchor: Dependency) -> bool:
    return anchor.requirement is not None and bool(releases().admitted(entry.name, anchor.requirement))


def _spelt(line: tuple[int, int]) -> str:
    return str(Version(*line, 0)).removesuffix(".0")
