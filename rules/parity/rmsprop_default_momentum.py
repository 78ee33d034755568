"""`RmsPropConfig` runs with a momentum of 0.9 unless told otherwise; PyTorch's RMSprop runs with none.

## Why
With the same learning rate the steps come out up to ten times as long once the momentum has built up. A
learning rate that was taken from PyTorch code makes the training swing or diverge, and nothing says why.

## PyTorch
`torch.optim.RMSprop(params, momentum=0)`.

## Fires
    # use burn::optim::{ModuleOptimizer, RmsPropConfig};
    # fn optimizer() -> ModuleOptimizer {
    RmsPropConfig::new().init()
    # }

## Clean
    # use burn::optim::{ModuleOptimizer, RmsPropConfig};
    # fn optimizer() -> ModuleOptimizer {
    RmsPropConfig::new().with_momentum(0.0).init()
    # }

## Known gaps
A config that is kept in a struct that derives no `Config` is not followed, nor is one that a function returns without
a caller in sight. One that another config takes may be replaced before it is used: the confidence is medium there.
Whoever wants the momentum writes `.with_momentum(0.9)`, which says so to the reader too.

## References
burn-optim 0.22.1, src/optim/rmsprop.rs (`#[config(default = 0.9)]`); the default of each version is taken from
its sources. Run on 0.22.1 and 0.21.0: fixtures/parity/rmsprop-default-momentum/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule, differences

RULE = Rule(
    "BL901",
    "rmsprop-default-momentum",
    symptom="silent",
    severity="note",
    confidence="high",
    pitfalls=("P18",),
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("RmsPropConfig",),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in differences(file, "momentum", "RmsPropConfig"):
        yield Finding(
            each.call.place,
            f"`RmsPropConfig` runs with a momentum of {each.burn}: its steps come out longer than those of "
            "PyTorch's RMSprop, which has none",
            "add `.with_momentum(0.0)` for PyTorch's steps",
            confidence=None if each.certain else "medium",
        ).with_fix("switch the momentum off", Edit(each.call.end_place, ".with_momentum(0.0)"), safe=False)
