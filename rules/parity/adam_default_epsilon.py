"""Adam, AdamW, AdaGrad and RMSprop divide with a larger epsilon than PyTorch's, which slows small gradients down.

## Why
These optimizers divide a gradient by its own size plus epsilon. Below burn's 1e-5 epsilon decides the step: at a
gradient of 1e-6 Adam took steps eleven times shorter than with PyTorch's 1e-8. Fine-tuning and embeddings that
are seldom met live in that range.

## PyTorch
`eps` is 1e-8 for Adam, AdamW and RMSprop, 1e-10 for Adagrad.

## Fires
    # use burn::optim::{AdamConfig, ModuleOptimizer};
    # fn optimizer() -> ModuleOptimizer {
    AdamConfig::new().init()
    # }

## Clean
    # use burn::optim::{AdamConfig, ModuleOptimizer};
    # fn optimizer() -> ModuleOptimizer {
    AdamConfig::new().with_epsilon(1e-8).init()
    # }

## Known gaps
As for every rule of this group: a config in a struct that derives no `Config` is not followed out of the function
that makes it, as others may set the field; one that another config takes counts with confidence medium. In half
precision 1e-8 is zero: keep burn's value there.

## References
burn-optim 0.22.1, src/optim/adam.rs, adamw.rs, adagrad.rs, rmsprop.rs (`#[config(default = 1e-5)]`); the default of
each version is taken from its sources. Run on 0.22.1 and 0.21.0: fixtures/parity/adam-default-epsilon/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule, differences

_CONFIGS = ("AdamConfig", "AdamWConfig", "AdaGradConfig", "RmsPropConfig")

RULE = Rule(
    "BL903",
    "adam-default-epsilon",
    symptom="silent",
    severity="note",
    confidence="high",
    group="parity",
    pitfalls=("P18",),
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=_CONFIGS,
)


def check(file: FileView) -> Iterator[Finding]:
    for each in differences(file, "epsilon", *_CONFIGS):
        setter = f".with_epsilon({each.torch})"
        yield Finding(
            each.call.place,
            f"`{each.config}` has an epsilon of {each.burn}: smaller gradients are followed in shorter steps "
            f"than with the {each.torch} of `{each.name}`",
            f"add `{setter}` for PyTorch's steps",
            confidence=None if each.certain else "medium",
        ).with_fix("take PyTorch's epsilon", Edit(each.call.end_place, setter), safe=False)
