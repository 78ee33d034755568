"""The program's burn has no execution back end, and the first device panics.

## Why
From 0.22 on no back end is among burn's default features. Everything compiles without one; the first
`Device::default()`, or a tensor or layer made on the default device, panics with "No execution backend is
enabled."

## Fires
    [dependencies]
    burn = "0.22"

## Clean
    [dependencies]
    burn = { version = "0.22", features = ["flex"] }

## Known gaps
A program that offers a back end behind one of its own features is left to `backend-only-behind-feature`. A
package whose sources name neither a device nor a tensor is left alone. A package from elsewhere that
depends on burn may bring a back end: then nothing is said.

## References
burn-dispatch 0.22.1, build.rs (`executing_backend`) and src/device.rs (the panic). Run on burn 0.22.1:
`Device::default()`, `Tensor::<1>::from(…)` and `LinearConfig::init(&Device::default())` panic without a
back end, and run with `flex`. burn-train 0.22.1 turns Flex on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from burnlint import (
    Dependency,
    Edit,
    Finding,
    ManifestView,
    Package,
    Place,
    Rule,
    Text,
    with_local_dependencies,
)

RULE = Rule(
    "BL701",
    "no-backend-feature",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B3",),
    burn=">=0.22",
    proven=("0.22.0", "0.22.1"),
    messages=(r"No execution backend is enabled\.",),
)

_DEVICE = re.compile(rb"\b(?:Device|Tensor|Learner|SupervisedTraining)\b")


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    package = manifest.package
    entry = _entry(manifest)
    if package is None or entry is None:
        return
    builds = [b for b in manifest.plan.builds if b.program.package is package]
    if not builds or not all(b.certain and b.has("burn-dispatch") for b in builds):
        return
    used = _use_of_devices(package)
    if used is False or any(build.executes for build in builds):
        return
    name = builds[-1].name
    finding = Finding(
        Place(manifest.path, *entry.at.value),
        f"{name} is built without any back end of `{entry.key}`, and the first device or tensor panics",
        'turn one on, as in `features = ["flex"]` (or "wgpu", "cuda" …)',
        confidence=None if used else "medium",
    )
    changes = manifest.features_added(entry, ["flex"])
    edits = [Edit(Place(manifest.path, c.start, c.end), c.text) for c in changes]
    yield finding.with_fix('add "flex"', *edits, safe=False)


def _entry(manifest: ManifestView) -> Dependency | None:
    """The package's own entry of burn that its binaries are built with."""
    entries = [e for e in manifest.entries if e.name == "burn" and not e.optional]
    return min(entries, key=lambda e: ("normal", "dev", "build").index(e.kind), default=None)


def _use_of_devices(package: Package) -> bool | None:
    """Whether a source of the program, or of a local package it uses, names a device or a tensor.

    `None` where no source names burn at all: a program that is about to be written.
    """
    texts = [text.content for local in with_local_dependencies(package) for text in _sources(local)]
    if any(_DEVICE.search(text) for text in texts):
        return True
    return False if any(b"burn" in text for text in texts) else None


def _sources(package: Package) -> Iterator[Text]:
    files = package.workspace.files
    paths = {t.path for t in package.targets if t.kind != "build"}
    for folder in ("src", "examples"):
        paths.update(files.below(f"{package.root}/{folder}", ".rs"))
    for path in sorted(paths):
        text = files.text(path)
        if text is not None:
            yield text
