"""`MomentumConfig` dampens the gradient by 0.1 unless told otherwise; PyTorch's SGD does not dampen.

## Why
Each step after the first takes in only nine tenths of the new gradient, so that with PyTorch's momentum and
learning rate the training is slower and reproduces no published curve. Nothing says so.

## PyTorch
`torch.optim.SGD(params, momentum=0.9, dampening=0)`.

## Fires
    # use burn::optim::{ModuleOptimizer, SgdConfig, momentum::MomentumConfig};
    # fn optimizer() -> ModuleOptimizer {
    SgdConfig::new().with_momentum(Some(MomentumConfig::new())).init()
    # }

## Clean
    # use burn::optim::{ModuleOptimizer, SgdConfig, momentum::MomentumConfig};
    # fn optimizer() -> ModuleOptimizer {
    SgdConfig::new().with_momentum(Some(MomentumConfig::new().with_dampening(0.0))).init()
    # }

## Known gaps
A config that a function returns without a caller in sight is not followed. A struct literal
(`MomentumConfig { dampening: 0., .. }`) says what it wants.

## References
burn-optim 0.22.1, src/optim/momentum.rs (`#[config(default = 0.1)]`); the default of each version is taken from
its sources. Run on 0.22.1 and 0.21.0: fixtures/parity/sgd-momentum-default-dampening/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule, differences

RULE = Rule(
    "BL902",
    "sgd-momentum-default-dampening",
    symptom="silent",
    severity="note",
    confidence="high",
    pitfalls=("P18",),
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("MomentumConfig",),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in differences(file, "dampening", "MomentumConfig"):
        yield Finding(
            each.call.place,
            f"`MomentumConfig` dampens by {each.burn}: every step but the first takes in less of the gradient than one "
            f"of PyTorch's SGD, which dampens by {each.torch}",
            "add `.with_dampening(0.0)` for PyTorch's steps",
            confidence=None if each.certain else "medium",
        ).with_fix("switch the dampening off", Edit(each.call.end_place, ".with_dampening(0.0)"), safe=False)
