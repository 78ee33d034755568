"""The profile of development or tests leaves out line numbers, so that a failed tensor check does not say
which line it was.

## Why
burn's checks of shapes and devices panic within burn-tensor; the line of this project stands in the
backtrace alone. A profile with `debug = false` or with `strip` names functions there and no lines.

## Fires
    [profile.dev]
    debug = false

    [dependencies]
    burn = { version = "0.22", features = ["flex"] }

## Clean
    [profile.dev]
    debug = "line-tables-only"

    [dependencies]
    burn = { version = "0.22", features = ["flex"] }

## Known gaps
Profiles that come from the environment or from `.cargo/config.toml` are not read. Release profiles are left
alone.

## References
The Cargo book, "Profiles" (`debug`, `strip`); burn-tensor 0.22.1, src/tensor/api/check.rs.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnlint import RELEASED, Finding, ManifestView, Place, Rule

RULE = Rule(
    "BL721",
    "backtrace-without-lines",
    symptom="diagnosis",
    severity="note",
    confidence="medium",
    group="pedantic",
    pitfalls=("B9",),
    proven=RELEASED,
)

_PROFILES = ("dev", "test")
_WITHOUT_LINES = {"debug": (0, "none"), "strip": (True, "symbols", "debuginfo")}


def check_manifest(manifest: ManifestView) -> Iterator[Finding]:
    if manifest.manifest is not manifest.workspace.manifest:
        return  # Cargo reads the profiles of a workspace's root only.
    for profile in _PROFILES:
        for key, values in _WITHOUT_LINES.items():
            at = manifest.manifest.at("profile", profile, key)
            if at.get() is not None and at.get() in values:
                yield Finding(
                    Place(manifest.path, at.key[0], at.value[1]),
                    f"`{key}` of the {profile} profile takes the lines out of backtraces: a failed check of "
                    "a tensor names none of this project's",
                    'write `debug = "line-tables-only"`'
                    if key == "debug"
                    else "leave `strip` to the release profile",
                )
