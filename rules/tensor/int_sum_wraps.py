"""A sum or product of an Int tensor is computed in 32 bits on most devices, and wraps before it is read as 64 bits.

## Why
`sum` and `prod` keep the width of the tensor, which is I32 by default on burn's CPU and GPU devices. `into_scalar::<i64>()`
converts the result, after it has wrapped: the sum of two thousand millions is -294967296, and nothing fails.

## PyTorch
`sum` and `prod` of any integer tensor give 64 bits there.

## Fires
    # use burn::tensor::{Int, Tensor};
    # fn total(pixels: Tensor<2, Int>) -> i64 {
    pixels.sum().into_scalar::<i64>()
    # }

## Clean
    # use burn::tensor::{Int, IntDType, Tensor};
    # fn total(pixels: Tensor<2, Int>) -> i64 {
    pixels.cast(IntDType::I64).sum().into_scalar::<i64>()
    # }

## Known gaps
How large the values are is not visible: the 64 bits that are asked for say that large sums are expected. Counts of truth values
and one-hot vectors are never reported. Sums that are read as data (`into_data`) are not looked at. Up to burn 0.21 the width
belongs to the backend's type.

## References
burn-tensor 0.22.1, src/tensor/api/numeric.rs (`sum`); burn-backend 0.22.1, src/lib.rs (default types of a device).
Run on 0.22.1: fixtures/tensor/int-sum-wraps/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL104",
    "int-sum-wraps",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P2",),
    burn=">=0.22",
    listens=("into_scalar",),
    messages=(r"attempt to add with overflow", r"attempt to multiply with overflow"),
)

_WIDE = ("i64", "u64", "usize", "isize")
_SUMS = (
    "Tensor::sum",
    "Tensor::prod",
    "Tensor::sum_dim",
    "Tensor::prod_dim",
    "Tensor::sum_dims",
    "Tensor::prod_dims",
)
_SMALL = (
    "Tensor::cast",
    "Tensor::one_hot",
    "Tensor::ones",
    "Tensor::zeros",
    "Tensor::ones_like",
    "Tensor::zeros_like",
)


def check(file: FileView) -> Iterator[Finding]:
    for read in file.calls("into_scalar"):
        spelt = read.turbofish
        if spelt and spelt[0].islower() and spelt[0] not in _WIDE:
            continue
        wide = read.type_name
        if read.key != "Tensor::into_scalar" or wide not in _WIDE or read.operands[0].kind != "Int":
            continue
        made = read.operands[0].derived_by()
        total = next((each for each in made if each.key in _SUMS), None)
        if total is None or any(each.key in _SMALL or _counts(each) for each in made):
            continue
        tensor = total.operands[0]
        near = total.fn is read.fn
        finding = Finding(
            (total if near else read).name_place,
            f"`{total.name}` is computed in the tensor's own width, 32 bits on most devices: it wraps before it is `{wide}`",
            help=f"cast first: `.cast(IntDType::I64).{total.name}(..)`",
        ).with_because(
            (read if near else total).method_name, f"read as `{wide}` here" if near else "computed here"
        )
        if near:
            yield finding.with_fix(
                "cast to 64 bits first", tensor.wrapped("", ".cast(burn::tensor::IntDType::I64)"), safe=False
            )
        else:
            yield finding


def _counts(operation: Expr) -> bool:
    return operation.key == "Tensor::int" and operation.operands[0].kind == "Bool"
