"""`/` of Int tensors rounds toward zero; PyTorch's `//` rounds down.

## Why
-7 / 2 is -3 here and -4 there. Bucket indices, relative positions and strides that can be negative come out one
too high, and nothing fails. (`%` is the same in both: it follows the divisor's sign.)

## PyTorch
`a // b` and `torch.div(a, b, rounding_mode="floor")` round down; `rounding_mode="trunc"` is what burn does. `a / b`
of integers gives a Float there.

## Fires
    # use burn::tensor::{Int, Tensor};
    # fn bucket(position: Tensor<1, Int>) -> Tensor<1, Int> {
    position / 2
    # }

## Clean
    # use burn::tensor::{Int, Tensor};
    # fn bucket(position: Tensor<1, Int>) -> Tensor<1, Int> {
    (position.clone() - position % 2) / 2
    # }

## Known gaps
Unless it is seen that the numerator cannot be negative it is reported, with confidence medium where no negative number
is in sight either: this rule is for the comparison with PyTorch, line by line.
`int-division-truncates` and `int-div-rem-mismatch` look for a sign that matters, and run by default.

## References
burn-tensor 0.22.1, src/tensor/api/numeric.rs (`div`, `div_scalar`). Run on 0.22.1 and 0.21.0:
fixtures/tensor/int-div-rem-mismatch/proof.rs, fixtures/tensor/int-div-rem-mismatch/proof_021.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL907",
    "truncating-int-division",
    symptom="silent",
    severity="note",
    confidence="high",
    group="parity",
    pitfalls=("P1",),
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("Int", "int", "arange", "from_ints", "argmax", "argmin", "argsort"),
)


def check(file: FileView) -> Iterator[Finding]:
    for division in file.int_divisions():
        numerator, divisor = division.operands
        if numerator.negative() == "never" or divisor.number() == 1 or numerator.is_without_rest:
            continue
        name = f"`{division.spelling}`" if len(division.spelling) < 40 else "the quotient"
        finding = Finding(
            division.place,
            f"{name} is rounded toward zero: below zero the result is one more than that of PyTorch's `//` "
            "where a rest is left",
            "to round down, divide exactly: `(a - a % d) / d`",
            confidence=None if numerator.negative() == "shown" else "medium",
        )
        if division.is_division and numerator.is_place and divisor.written_number is not None:
            tensor, by = numerator.text, divisor.text
            exact = division.replaced(f"({tensor}.clone() - {tensor}.clone() % {by}) / {by}")
            finding = finding.with_fix("divide exactly", exact, safe=False)
        yield finding
