"""Optimizers, schedulers or autodiff are used, and nothing turns burn's feature `optim` on: the code does not compile.

## Why
From 0.22 on `burn::optim`, `burn::lr_scheduler`, `burn::grad_clipping` and `Device::autodiff` stand behind the features
`optim` and `autodiff`. Both are on by default: `default-features = false` takes them away together with what it was
written for. rustc says "unresolved import" or, of a method, names no feature at all.

## Fires
    // Cargo.toml: burn = { version = "0.22", default-features = false, features = ["std", "flex"] }
    use burn::optim::{AdamConfig, ModuleOptimizer};

    pub fn optimizer() -> ModuleOptimizer {
        AdamConfig::new().init()
    }

## Clean
    // Cargo.toml: burn = { version = "0.22", default-features = false, features = ["std", "flex", "simd", "rayon", "optim"] }
    use burn::optim::{AdamConfig, ModuleOptimizer};

    pub fn optimizer() -> ModuleOptimizer {
        AdamConfig::new().init()
    }

## Known gaps
A module that is reached through another name (`use burn as b; b::optim::..`, a re-export of another crate) is not seen.
A feature that any of the package's own features, a test, an example or another member of the workspace can turn on is
taken as meant.

## References
burn 0.22.1, src/lib.rs and Cargo.toml (`optim` turns `autodiff` on, `train` turns `optim` on); burn-tensor 0.22.1,
src/device.rs. The gates of modules are those of burn's API facts. Compiled on 0.22.1 without the feature, E0432:
tests/why/messages.txt (`shown-optim-off`).
"""

import re
from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL707",
    "optim-feature-missing",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B4",),
    burn=">=0.22",
    proven=("0.22.0", "0.22.1"),
    listens=("optim", "lr_scheduler", "grad_clipping", "autodiff"),
    messages=(r"the item is gated behind the `optim` feature",),
)


_SPELT = re.compile(rb"\b(?:optim|lr_scheduler|grad_clipping)\s*(?:::|[,;}])|\bautodiff\s*\(")
"""The modules on a path or in an import, and calls: asked before what Cargo builds."""


def check(file: FileView) -> Iterator[Finding]:
    if file.package is None or not _SPELT.search(file.source.content):
        return
    if any(entry.default_features for entry in file.package.entries("burn")):
        return  # Both features are among the default ones.
    if file.never_on("burn", "optim"):
        for each in file.gated("optim"):
            finding = Finding(
                each.place,
                f"`{each.module}` does not exist here: nothing turns burn's feature `optim` on",
                'add "optim" to the features of `burn` in Cargo.toml',
            )
            yield finding.with_fix('add "optim"', *file.with_feature("optim"), safe=False)
    if b"autodiff" in file.source.content and file.never_on("burn-tensor", "autodiff"):
        for call in file.calls("autodiff"):
            if call.key == "Device::autodiff":
                finding = Finding(
                    call.name_place,
                    "`Device::autodiff` does not exist here: nothing turns burn's feature `autodiff` on",
                    'add "optim", or "autodiff" alone, to the features of `burn` in Cargo.toml',
                )
                yield finding.with_fix('add "autodiff"', *file.with_feature("autodiff"), safe=False)
