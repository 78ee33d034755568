"""A test compares values that come from random numbers without a seed: when it fails, nobody sees that failure again.

## Why
Every run draws other numbers. A tolerance that holds for most of them fails now and then in CI, and the failing input is
gone. `device.seed(..)` before the first draw makes a test repeatable (up to burn 0.21 `B::seed(&device, ..)`).

## PyTorch
`torch.manual_seed`.

## Fires
    # use burn::tensor::{Device, Distribution, Tensor, Tolerance};
    #[test]
    fn halves_sum_up() {
        let x = Tensor::<1>::random([8], Distribution::Default, &Device::default());
        let sum = x.clone() / 2.0 + x.clone() / 2.0;
        sum.into_data().assert_approx_eq::<f32>(&x.into_data(), Tolerance::default());
    }

## Clean
    # use burn::tensor::{Device, Distribution, Tensor, Tolerance};
    #[test]
    fn halves_sum_up() {
        let device = Device::default();
        device.seed(42);
        let x = Tensor::<1>::random([8], Distribution::Default, &device);
        let sum = x.clone() / 2.0 + x.clone() / 2.0;
        sum.into_data().assert_approx_eq::<f32>(&x.into_data(), Tolerance::default());
    }

## Known gaps
Pedantic: two ways to one result may be compared on any numbers. A file that calls `seed` anywhere is left alone, and
random weights are not looked at. A function that draws for the test has to stand in its file, and draw in any case.

## References
burn-tensor 0.22.1, src/device.rs (`seed`). Run on 0.22.1: fixtures/training/seed-after-use/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL417",
    "unseeded-random-test",
    symptom="silent",
    severity="note",
    confidence="medium",
    pitfalls=("B20",),
    group="pedantic",
    burn=">=0.13",
    listens=("assert_approx_eq",),
)


def check(file: FileView) -> Iterator[Finding]:
    seed = "device.seed(42)" if file.burn_at_least("0.22") else "B::seed(&device, 42)"
    for draw in file.unseeded_tests():
        yield Finding(
            draw.name_place,
            "this test compares values that differ in every run: a failure cannot be seen again",
            help=f"seed the device first: `{seed}`",
        )
