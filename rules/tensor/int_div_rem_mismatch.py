"""`a / d` beside `a % d` on an Int tensor: the one rounds toward zero, the other down, so negative values come apart wrongly.

## Why
`-7 / 3` is -2 and `-7 % 3` is 2 on Int tensors: `(a / d) * d + a % d` is -4, not -7. Row and column, block and offset, page and
slot of a negative number do not belong together, and nothing fails. For numbers from zero on both agree.

## PyTorch
`a // d` and `a % d` both round down there. `torch.div(a, d, rounding_mode="trunc")` is burn's `/`.

## Fires
    # use burn::tensor::{Int, Tensor};
    # fn parts(position: Tensor<1, Int>, centre: Tensor<1, Int>) -> (Tensor<1, Int>, Tensor<1, Int>) {
    let offset = position - centre;
    let block = offset.clone() / 4;
    let inside = offset % 4;
    # (block, inside)
    # }

## Clean
    # use burn::tensor::{Int, Tensor};
    # fn parts(position: Tensor<1, Int>, centre: Tensor<1, Int>) -> (Tensor<1, Int>, Tensor<1, Int>) {
    let offset = position - centre;
    let inside = offset.clone() % 4;
    let block = (offset - inside.clone()) / 4;
    # (block, inside)
    # }

## Known gaps
A difference whose operands are ordered is not negative, and burnlint does not see it: confidence medium. Of a parameter nothing
is known: a note of low confidence. Indices (`argmax`, `topk`), positions from zero, counts and absolute values are never
reported.

## References
burn-tensor 0.22.1, src/tensor/api/numeric.rs (`div`, `remainder`).
Run on 0.22.1 and 0.21.0: fixtures/tensor/int-div-rem-mismatch/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL101",
    "int-div-rem-mismatch",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("P1",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("Int", "int", "argmax", "argmin", "argsort", "arange", "from_ints"),
)

_DIVISION = re.compile(rb"/|\bdiv")
_REMAINDER = re.compile(rb"%|\bremainder")


def check(file: FileView) -> Iterator[Finding]:
    divisions = _on_ints(file, "/", _REMAINDER, "div", "div_scalar")
    remainders = _on_ints(file, "%", _DIVISION, "remainder", "remainder_scalar") if divisions else []
    for division in divisions:
        numerator, divisor = division.operands
        for remainder in remainders:
            same = remainder.fn is division.fn and divisor.same_number(remainder.operands[1])
            if same and numerator.same_as(remainder.operands[0]):
                yield from _judged(division, remainder)
                break


def _on_ints(file: FileView, operator: str, other: re.Pattern[bytes], *methods: str) -> list[Expr]:
    """The operations on Int tensors in functions that spell the other operation too."""
    calls = (call for call in file.calls(*methods, near=other) if call.key.startswith("Tensor::"))
    found = [*file.operators(operator, near=other), *calls]
    return [each for each in found if len(each.operands) == 2 and each.operands[0].kind == "Int"]


def _judged(division: Expr, remainder: Expr) -> Iterator[Finding]:
    numerator, divisor = division.operands
    sign = numerator.negative()
    if sign == "never":
        return
    name = numerator.named_or("the numerator")
    finding = Finding(
        division.place,
        f"`/` rounds toward zero and `%` rounds down: where {name} is negative, quotient and remainder do not belong together",
        help="take the remainder first and divide the rest exactly: `(a - a % d) / d`",
    ).with_because(remainder.place, "the remainder is taken here")
    if sign == "unknown":
        finding = finding.lowered(severity="note", confidence="low")
    elif sign == "difference":
        finding = finding.lowered(confidence="medium")
    if numerator.owner.is_place:
        a, d = numerator.owner.text, divisor.text
        finding = finding.with_fix(
            "divide exactly", division.replaced(f"({a}.clone() - {a}.clone() % {d}) / {d}"), safe=False
        )
    yield finding
