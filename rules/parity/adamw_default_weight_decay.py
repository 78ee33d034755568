"""`AdamWConfig` decays weights a hundred times less than PyTorch's AdamW unless told otherwise.

## Why
Weight decay is what AdamW is chosen for. With burn's 1e-4 in place of 1e-2 a model that is ported from PyTorch
overfits, although optimizer and learning rate bear the same names and numbers.

## PyTorch
`torch.optim.AdamW(params, weight_decay=1e-2)`.

## Fires
    # use burn::optim::{AdamWConfig, ModuleOptimizer};
    # fn optimizer() -> ModuleOptimizer {
    AdamWConfig::new().with_epsilon(1e-8).init()
    # }

## Clean
    # use burn::optim::{AdamWConfig, ModuleOptimizer};
    # fn optimizer() -> ModuleOptimizer {
    AdamWConfig::new().with_epsilon(1e-8).with_weight_decay(1e-2).init()
    # }

## Known gaps
A config that is returned from its function, or kept in a struct that derives no `Config`, is not followed; one
that another config takes counts with confidence medium.

## References
burn-optim 0.22.1, src/optim/adamw.rs (`#[config(default = 1e-4)]`); the default of each version is taken from its
sources. Run on 0.22.1 and 0.21.0: fixtures/parity/adamw-default-weight-decay/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule, differences

RULE = Rule(
    "BL904",
    "adamw-default-weight-decay",
    symptom="silent",
    severity="note",
    confidence="high",
    group="parity",
    pitfalls=("P18",),
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("AdamWConfig",),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in differences(file, "weight_decay", "AdamWConfig"):
        setter = f".with_weight_decay({each.torch})"
        yield Finding(
            each.call.place,
            f"`AdamWConfig` decays weights by {each.burn}: with PyTorch's AdamW it is {each.torch}, and a "
            "ported model is regularised less here",
            f"add `{setter}` for PyTorch's decay",
            confidence=None if each.certain else "medium",
        ).with_fix("take PyTorch's weight decay", Edit(each.call.end_place, setter), safe=False)
