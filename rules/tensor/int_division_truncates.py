"""`/` on an Int tensor rounds toward zero, so that negative numbers are rounded up.

## Why
`-7 / 3` is -2 and `-1 / 3` is 0 on Int tensors. Buckets of relative positions and cells of coordinates are twice as wide around
zero. Where that is meant, nothing is wrong.

## PyTorch
`a // d` rounds down there. `torch.div(a, d, rounding_mode="trunc")` is burn's `/`.

## Fires
    # use burn::tensor::{Int, Tensor};
    # fn bucket(key: Tensor<1, Int>, query: Tensor<1, Int>) -> Tensor<1, Int> {
    let distance = key - query;
    distance / 8
    # }

## Clean
    # use burn::tensor::{Int, Tensor};
    # fn bucket(key: Tensor<1, Int>, query: Tensor<1, Int>) -> Tensor<1, Int> {
    let distance = key - query;
    let rest = distance.clone() % 8;
    (distance - rest) / 8
    # }

## Known gaps
Only differences, turned signs and negative numbers in sight are looked at. A difference whose operands are ordered is not
negative, and truncation may be meant: a note.

## References
burn-tensor 0.22.1, src/tensor/api/numeric.rs (`div`). Run on 0.22.1 and 0.21.0:
fixtures/tensor/int-division-truncates/proof.rs and proof_021.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL102",
    "int-division-truncates",
    symptom="silent",
    severity="note",
    confidence="medium",
    pitfalls=("P1",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("Int", "int", "arange", "from_ints"),
)


def check(file: FileView) -> Iterator[Finding]:
    for division in file.int_divisions():
        numerator, divisor = division.operands
        if (
            numerator.negative() not in ("difference", "shown")
            or divisor.number() == 1
            or numerator.is_without_rest
        ):
            continue
        if _has_remainder(file, division):
            continue  # That is int-div-rem-mismatch.
        name = numerator.named_or("the numerator")
        yield Finding(
            division.place,
            f"{name} can be negative, and `/` on integers rounds toward zero, not down",
            help="to round down, divide exactly: `(a - a % d) / d`",
        )


def _has_remainder(file: FileView, division: Expr) -> bool:
    numerator, divisor = division.operands
    return any(
        remainder.fn is division.fn
        and remainder.is_remainder
        and bool(numerator.same_as(remainder.operands[0]))
        and divisor.same_number(remainder.operands[1])
        for remainder in (*file.operators("%"), *file.calls("remainder", "remainder_scalar"))
    )
