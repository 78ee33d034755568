"""The lock file pairs a release of burn with a dependency that it does not build with.

## Why
A patch release of another crate can break burn without a change of burn or of this project, and Cargo takes
the newest one. burn-train 0.22.1 does not compile with systemstat 0.2.8: "`RefCell<Option<File>>` cannot be
shared between threads safely" in its CPU temperature metric, in a crate that nobody here has written. With
systemstat 0.2.7 it builds.

## Fires
    [dependencies]
    burn = { version = "=0.22.1", features = ["train"] }
    systemstat = "=0.2.8"

## Clean
    [dependencies]
    burn = { version = "=0.22.1", features = ["train"] }
    systemstat = "=0.2.7"

## Known gaps
Only the pairs of the table in this module are known. Without a lock file nothing is said: what Cargo takes
is not known then.

## References
burn-train 0.22.1, src/metric/cpu_temp.rs and Cargo.toml (`systemstat = "0.2.7"`). Run: E0277 with 0.2.8
(tests/why/messages.txt, `shown-systemstat`), builds with 0.2.7.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from burnlint import (
    Build,
    Edit,
    Finding,
    Lack,
    ManifestView,
    Place,
    Requirement,
    Rule,
    Version,
    Workspace,
    add_entry_beside,
)

RULE = Rule(
    "BL722",
    "known-bad-dependency",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    burn=">=0.22",
    messages=(
        r"could not compile `burn-train`",
        r"`RefCell<[\w:]*Option<[\w:]*File>>` cannot be shared between threads safely",
    ),
)


class Pair(NamedTuple):
    """`crate` at one of `versions` with its feature `feature` does not build with `dependency` at `bad`."""

    crate: str
    versions: Requirement
    feature: str
    dependency: str
    bad: Requirement
    good: str


_PAIRS = (
    Pair(
        "burn-train",
        Requirement.parse("=0.22.1"),
        "systemstat",
        "systemstat",
        Requirement.parse("=0.2.8"),
        "=0.2.7",
    ),
)


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    for pair in _PAIRS:
        if _taken(manifest.workspace, pair) is None:
            continue
        for lack in manifest.lacking(_bad_dependencies, pair.crate):
            yield _finding(manifest, lack, pair)


def _bad_dependencies(build: Build, crate: str) -> list[str]:
    """The dependencies of a crate that the lock file has at a version it does not build with."""
    workspace, version = build.program.package.workspace, build.features.version(crate)
    return [
        pair.dependency
        for pair in _PAIRS
        if pair.crate == crate
        and version is not None
        and pair.versions.matches(version)
        and build.has(crate, pair.feature)
        and _taken(workspace, pair) is not None
    ]


def _taken(workspace: Workspace, pair: Pair) -> tuple[Version, str] | None:
    """The bad version, where a manifest pins it or the lock file has it, and which of the two says so.

    A lock file that a manifest contradicts is older than that, and says nothing.
    """
    entries = [e.requirement for p in workspace.local.values() for e in p.entries(pair.dependency)]
    asked = [requirement for requirement in entries if requirement is not None]
    pinned = next((r.pinned for r in asked if r.pinned is not None and pair.bad.matches(r.pinned)), None)
    if pinned is not None:
        return pinned, "which is pinned here"
    locked = [p.version for p in workspace.lock.named(pair.dependency)] if workspace.lock is not None else []
    bad = next((version for version in locked if pair.bad.matches(version)), None)
    if bad is None or not all(requirement.matches(bad) for requirement in asked):
        return None
    return bad, "which the lock file has"


def _finding(manifest: ManifestView, lack: Lack, pair: Pair) -> Finding:
    entry, version = lack.origin.entry, lack.build.features.version(pair.crate)
    bad, where = _taken(manifest.workspace, pair) or (None, "")
    update = f"run `cargo update {pair.dependency} --precise {pair.good[1:]}`"
    pin = f'{pair.dependency} = "{pair.good}"'
    finding = Finding(
        Place(manifest.path, *lack.origin.at.value),
        f"`{pair.crate}` {version} does not compile with `{pair.dependency}` {bad}, {where}",
        f"write `{pin}`, or {update}",
    )
    declared = any(p.entries(pair.dependency) for p in manifest.workspace.local.values())
    if declared or entry.at.file != manifest.path:
        return finding
    change = add_entry_beside(manifest.manifest, entry.at.path, pair.dependency, pair.good)
    edit = Edit(Place(manifest.path, change.start, change.end), change.text)
    return finding.with_fix(f"add `{pin}`", edit, safe=True)
