"""burn comes from a branch that moves or from any version there is, so that the code breaks without a change.

## Why
A git entry without `rev`, `tag` or `branch` follows burn's main branch, and `version = "*"` follows every
release. burn changes its API with each minor version (0.22 removed the backend parameter from every
tensor): the next `cargo update`, or the first build on another machine, takes code that this project was
not written for.

## Fires
    [dependencies]
    burn = { git = "https://github.com/tracel-ai/burn", features = ["flex"] }

## Clean
    [dependencies]
    burn = { git = "https://github.com/tracel-ai/burn", tag = "v0.22.1", features = ["flex"] }

## Known gaps
A lock file that is committed pins the source too; with one beside the manifest the finding is a note. A
`branch` is taken as wanted.

## References
The Cargo book, "Specifying dependencies from git repositories".
"""

from __future__ import annotations

from collections.abc import Iterator

from burnlint import RELEASED, Dependency, Finding, ManifestView, Place, Rule, locked_version

RULE = Rule(
    "BL713",
    "unpinned-burn-source",
    symptom="compile",
    severity="warning",
    confidence="high",
    pitfalls=("B1",),
    burn=">=0.1",
    proven=RELEASED,
)


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    for package, entry, at in manifest.declared:
        source = _moving(entry)
        if source is None:
            continue
        locked = locked_version(package, entry) is not None
        yield Finding(
            Place(manifest.path, *at.value),
            f"`{entry.key}` is taken from {source}, so that its API changes without a change of this project",
            'name the commit with `rev = "…"`'
            if entry.source.kind == "git"
            else "name the minor version, as in `0.22`",
            severity="note" if locked else None,
        )


def _moving(entry: Dependency) -> str | None:
    """What an entry follows, where that moves."""
    if entry.source.kind == "git" and entry.source.reference is None:
        return "whatever the default branch of its repository holds"
    if (
        entry.source.kind == "registry"
        and entry.requirement is not None
        and not entry.requirement.comparators
    ):
        return "any version there is"
    return None
