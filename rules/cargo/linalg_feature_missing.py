"""`burn::linalg` or `burn::signal` is used, and nothing turns the feature of that name on: the code does not compile.

## Why
From 0.22 on linear algebra and signal processing are crates of their own behind features that are off by default, also
under their old paths `burn::tensor::linalg` and `burn::tensor::signal`.

## Fires
    // Cargo.toml: burn = { version = "0.22", features = ["flex"] }
    use burn::linalg::svd;
    use burn::tensor::Tensor;

    pub fn values(x: Tensor<2>) -> Tensor<1> {
        svd::<2, 1>(x, 30).1
    }

## Clean
    // Cargo.toml: burn = { version = "0.22", features = ["flex"] }
    use burn::tensor::Tensor;

    pub fn gram(x: Tensor<2>) -> Tensor<2> {
        x.clone().transpose().matmul(x)
    }

## Known gaps
A module that is reached through another name (`use burn::tensor; tensor::linalg::..`, a re-export of another crate) is
not seen. A feature that any of the package's own features, a test, an example or another member of the workspace can
turn on is taken as meant.

## References
burn 0.22.1, src/lib.rs and Cargo.toml. The gates are those of burn's API facts. Compiled on 0.22.1 without the feature,
E0433 and "the item is gated behind the `linalg` feature": tests/why/explained.txt (`rustc-linalg`).
"""

import re
from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

_FEATURES = ("linalg", "signal")
_SPELT = {name: re.compile(rb"\b%b\s*(?:::|[,;}])" % name.encode()) for name in _FEATURES}
"""The modules on a path or in an import: asked before what Cargo builds."""

RULE = Rule(
    "BL711",
    "linalg-feature-missing",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("P13",),
    burn=">=0.22",
    proven=("0.22.0", "0.22.1"),
    listens=_FEATURES,
    messages=(
        r"the item is gated behind the `(?:linalg|signal)` feature",
        r"cannot find `(?:linalg|signal)` in `(?:burn|tensor)`",
        r"could not find `(?:linalg|signal)` in `burn`",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for feature in _FEATURES:
        if not _SPELT[feature].search(file.source.content) or not file.never_on("burn", feature):
            continue
        for each in file.gated(feature):
            finding = Finding(
                each.place,
                f"`{each.module}` does not exist here: nothing turns burn's feature `{feature}` on",
                f'add "{feature}" to the features of `burn` in Cargo.toml',
            )
            yield finding.with_fix(f'add "{feature}"', *file.with_feature(feature), safe=False)
