"""`default-features = false` beside `workspace = true` does nothing, since the workspace's entry decides.

## Why
A member may add to the entry that it inherits and take nothing away. Up to edition 2021 Cargo warns and
keeps burn's default features on; from edition 2024 on it refuses the manifest. Whoever wrote it expects a
build without std, threads, fusion or the optimizers, and gets all of them.

## Fires
    [workspace]

    [workspace.dependencies]
    burn = { version = "0.22", features = ["flex"] }

    [package]
    name = "member"
    version = "0.1.0"
    edition = "2021"

    [dependencies]
    burn = { workspace = true, default-features = false }

## Clean
    [workspace]

    [workspace.dependencies]
    burn = { version = "0.22", default-features = false }

    [package]
    name = "member"
    version = "0.1.0"
    edition = "2021"

    [dependencies]
    burn = { workspace = true, features = ["default", "flex"] }

## Known gaps
Entries of other crates than burn's are left to Cargo.

## References
The Cargo book, "Inheriting a dependency from a workspace". Run with cargo 1.95:
tests/cargo/test_against_cargo.py compares the inherited entries of generated workspaces.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnlint import RELEASED, Finding, ManifestView, Place, Rule

RULE = Rule(
    "BL710",
    "workspace-default-features-ignored",
    symptom="slow",
    severity="warning",
    confidence="high",
    pitfalls=("B4",),
    proven=RELEASED,
    messages=(
        r"`default-features` is ignored for burn[\w-]*, since `default-features` was",
        r"error inheriting `burn[\w-]*` from workspace[^\0]*?"
        r"`default-features = false` cannot override workspace's `default-features`",
    ),
)


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    for entry in manifest.entries:
        off, shared = entry.default_features_at, entry.workspace_at
        if not entry.default_features_ignored or off is None or shared is None:
            continue
        refused = manifest.package is not None and manifest.package.edition >= "2024"
        effect = (
            "makes Cargo refuse the manifest" if refused else "has no effect: the default features stay on"
        )
        finding = Finding(
            Place(off.file, off.key[0], off.value[1]),
            f"`default-features = false` of `{entry.key}` {effect}, since the workspace's entry has them on",
            "write `default-features = false` in `[workspace.dependencies]`, "
            'and `features = ["default"]` in the members that want them',
        )
        yield finding.with_because(Place(shared.file, *shared.value), "the entry that is inherited")
