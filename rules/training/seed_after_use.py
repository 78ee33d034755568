"""The device is seeded after random numbers were drawn from it: what was drawn before differs in every run.

## Why
A seed counts for what is drawn afterwards. Parameters are drawn when they are first used, so a forward pass before
`device.seed(..)` fixes the weights without it: on burn 0.22.1 they keep their values, and two runs differ. `init` alone
draws nothing; a seed between `init` and the first use is in time.

## PyTorch
`torch.manual_seed` belongs before the model is built, for there `__init__` draws.

## Fires
    # use burn::tensor::{Device, Distribution, Tensor};
    # fn noise(device: &Device) -> Tensor<1> {
    let noise = Tensor::<1>::random([8], Distribution::Default, device);
    device.seed(42);
    # noise }

## Clean
    # use burn::tensor::{Device, Distribution, Tensor};
    # fn noise(device: &Device) -> Tensor<1> {
    device.seed(42);
    let noise = Tensor::<1>::random([8], Distribution::Default, device);
    # noise }

## Known gaps
Confidence medium: a caller may have seeded the device before, and what is drawn before may be random on purpose. Seeds
in loops and tests are left alone.

## References
burn-core 0.22.1, src/module/param/base.rs; burn-tensor 0.22.1, src/device.rs (`seed`). Run on 0.21.0 and 0.22.1:
fixtures/training/seed-after-use/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL416",
    "seed-after-use",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("B20",),
    burn=">=0.19",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("seed",),
)


def check(file: FileView) -> Iterator[Finding]:
    for seed, draw in file.late_seeds():
        what = "the weights are drawn by" if draw.name == "forward" else "numbers are drawn by"
        yield Finding(
            seed.name_place,
            f"this seed comes too late: {what} `{draw.name}` before it, and differ in every run",
            help="seed the device first",
        ).with_because(draw.name_place, "drawn here")
