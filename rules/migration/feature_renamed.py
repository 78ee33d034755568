"""A feature of burn that 0.22 renamed, removed or deprecated: Cargo refuses to build, or the back end is on its way out.

## Why
With 0.22 `server` became `remote-server`, and `candle`, `router`, `collective` and others went: "package depends on `burn`
with feature `server` but `burn` does not have that feature". `ndarray` still builds, with a warning for each use, and is
gone in 0.23; `flex` takes its place.

## Fires
    [dependencies]
    burn = { version = "0.22", features = ["flex", "server"] }

## Clean
    [dependencies]
    burn = { version = "0.22", features = ["flex", "remote-server"] }

## Known gaps
`remote` exists in both, and speaks another protocol in 0.22 (`remote-websocket` is the old one): it is not reported, as
the old one may be meant or the new one.

## References
The features of every release: burnlint/burn/data/features.txt, from the registry's index. The table:
burnlint/burn/data/migration.toml.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from burnlint import Edit, Finding, ManifestView, Place, Replacement, Rule, feature_successor, remove_element

RULE = Rule(
    "BL811",
    "feature-renamed",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.0", "0.22.1"),
    supersedes=("unknown-burn-feature",),
)


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    for entry, ref in manifest.feature_strings:
        found = feature_successor(entry.name, ref.feature or "")
        if found is None or ref.at.file != manifest.path:
            continue
        successor, deprecated = found
        others = [each.feature for each in entry.features]
        if successor and successor not in others:
            help, text = f"write `{successor}`", ref.text.removesuffix(ref.feature or "") + successor
            change = Replacement(*ref.at.value, json.dumps(text))
        else:
            help = "remove it"
            change = remove_element(manifest.manifest, ref.at.path[:-1], int(ref.at.path[-1]))
        message = (
            f"feature `{ref.feature}` is deprecated in burn 0.22 and gone in 0.23"
            if deprecated
            else f"burn 0.22 has no feature `{ref.feature}`, and Cargo refuses to build"
        )
        finding = Finding(
            Place(manifest.path, *ref.at.value), message, help, severity="warning" if deprecated else None
        )
        edit = Edit(Place(manifest.path, change.start, change.end), change.text)
        yield finding.with_fix(help, edit, safe=not deprecated)
