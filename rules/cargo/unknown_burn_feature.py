"""A feature is asked of burn that this version does not have, and Cargo refuses to build.

## Why
burn's features come and go with its minor versions: `rayon` came with 0.22, `persistence` with 0.22.1,
`candle`, `server` and others went. Cargo says "`burn` does not have that feature" only after it has updated
its index, and names one package at a time.

## Fires
    [dependencies]
    burn = { version = "0.21", features = ["flex", "rayon"] }

## Clean
    [dependencies]
    burn = { version = "0.22", features = ["flex", "rayon"] }

## Known gaps
Entries from git and versions newer than burnlint's tables are left to Cargo.

## References
The features of every release: burnlint/burn/data/features.txt, generated from the registry's index. Run
with cargo 1.95 on seven versions: tests/cargo/effective_features.tsv (rows "refused").
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator

from burnlint import (
    RELEASED,
    Dependency,
    Edit,
    FeatureRef,
    Finding,
    ManifestView,
    Place,
    Replacement,
    Rule,
    Version,
    releases,
    remove_element,
)

RULE = Rule(
    "BL708",
    "unknown-burn-feature",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1", "B4"),
    proven=RELEASED,
    messages=(r"depends on `burn[\w-]*` with feature `[^`]+` but `burn[\w-]*` does not have that feature",),
)


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    for entry, ref in manifest.feature_strings:
        if ref.feature is None or ref.feature == "default" or ref.at.file != manifest.path:
            continue
        versions = _versions(manifest, entry)
        known = [release.features for v in versions if (release := releases().get(entry.name, v)) is not None]
        if known and len(known) == len(versions) and not any(ref.feature in features for features in known):
            yield _finding(manifest, entry, ref, ref.feature, versions)


def _versions(manifest: ManifestView, entry: Dependency) -> list[Version]:
    """What the requirement admits: Cargo leaves the lock file for another version when a feature needs it."""
    if entry.requirement is None or manifest.workspace.source_of(entry).kind != "registry":
        return []
    return releases().admitted(entry.name, entry.requirement)


def _finding(
    manifest: ManifestView, entry: Dependency, ref: FeatureRef, feature: str, versions: list[Version]
) -> Finding:
    known = releases().get(entry.name, versions[-1])
    close = difflib.get_close_matches(feature, sorted(known.features) if known else (), 1, 0.8)
    line = f"{versions[-1].major}.{versions[-1].minor}"
    if close:
        help, text = f"write `{close[0]}`", ref.text.removesuffix(feature) + close[0]
        change = Replacement(*ref.at.value, json.dumps(text))
    else:
        help = f"remove it{_elsewhere(entry.name, feature, versions[-1])}"
        change = remove_element(manifest.manifest, ref.at.path[:-1], int(ref.at.path[-1]))
    finding = Finding(
        Place(manifest.path, *ref.at.value),
        f"`{entry.key}` {line} has no feature `{feature}`, and Cargo refuses to build",
        help,
    )
    edit = Edit(Place(manifest.path, change.start, change.end), change.text)
    return finding.with_fix(help, edit, safe=True)


def _elsewhere(name: str, feature: str, version: Version) -> str:
    """Which versions do have it."""
    having = [
        v for v in releases().versions(name) if (r := releases().get(name, v)) and feature in r.features
    ]
    later = [v for v in having if v > version and not v.pre]
    earlier = [v for v in having if v < version and not v.pre]
    if later:
        return f" or take `{name}` {later[0]}, which has it"
    return f": `{name}` had it up to {earlier[-1]}" if earlier else ""
