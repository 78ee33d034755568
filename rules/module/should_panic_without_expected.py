"""`#[should_panic]` without a text on a test with tensors passes on any panic, also on that of a wrong shape.

## Why
Nearly every operation of burn panics on shapes that do not fit, inside of burn-tensor and not in the code under
test. A test that expects a panic and says not which passes as well when the set-up itself is wrong.

## PyTorch
`pytest.raises(RuntimeError)` without `match` has the same flaw.

## Fires
    # use burn::tensor::{Device, Tensor};
    #[test]
    #[should_panic]
    fn refuses_another_width() {
        let device = Device::default();
        let x = Tensor::<2>::ones([2, 3], &device);
        x.matmul(Tensor::ones([4, 2], &device));
    }

## Clean
    # use burn::tensor::{Device, Tensor};
    #[test]
    #[should_panic(expected = "inner dimension of matmul")]
    fn refuses_another_width() {
        let device = Device::default();
        let x = Tensor::<2>::ones([2, 3], &device);
        x.matmul(Tensor::ones([4, 2], &device));
    }

## Known gaps
Pedantic: many a test has a single line that can panic. Tensors behind helpers of the test are not seen.

## References
burn-tensor 0.22.1, src/tensor/api/check.rs. Run on 0.22.1 and 0.21.0: fixtures/module/should-panic-without-expected/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL323",
    "should-panic-without-expected",
    symptom="diagnosis",
    severity="note",
    confidence="medium",
    group="pedantic",
    pitfalls=("B9",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("should_panic",),
)


def check(file: FileView) -> Iterator[Finding]:
    for test, place in file.panic_tests():
        yield Finding(
            place,
            f"`{test.name}` passes on any panic, also on that of a tensor whose shape is wrong by mistake",
            help='name a part of the text: `#[should_panic(expected = "..")]`',
        )
