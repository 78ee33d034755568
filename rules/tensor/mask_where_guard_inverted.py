"""A guard against division by zero (or log, or sqrt) takes the value exactly where it is infinite or NaN.

## Why
`mask_where` takes its argument where the mask is **true**. `x.mask_where(n.equal_scalar(0), x / n)` takes the quotient where
`n` is zero, and only there. A norm that is replaced by zero where it is positive divides everything by zero. Nothing fails; the
loss is NaN later.

## PyTorch
`torch.where(n == 0, x, x / n)` keeps `x` where the mask is true: in burn `(x / n).mask_where(n == 0, x)`.

## Fires
    # use burn::tensor::Tensor;
    # fn ratio(x: Tensor<2>, n: Tensor<2>) -> Tensor<2> {
    let zero = n.clone().equal_scalar(0.0);
    x.clone().mask_where(zero, x / n)
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn ratio(x: Tensor<2>, n: Tensor<2>) -> Tensor<2> {
    let zero = n.clone().equal_scalar(0.0);
    x.clone().mask_where(zero.bool_not(), x / n)
    # }

## Known gaps
The mask has to be a comparison of the very tensor with a number in sight.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs (`mask_where`).
Run on 0.22.1 and 0.21.0: fixtures/tensor/mask-where-guard-inverted/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL124",
    "mask-where-guard-inverted",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P8",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("mask_where", "mask_fill"),
)

_OPPOSITE = {
    "equal": "not_equal",
    "not_equal": "equal",
    "greater": "lower_equal",
    "lower_equal": "greater",
    "lower": "greater_equal",
    "greater_equal": "lower",
}
_SMALL = 1e-3
"""Below this a number that a tensor is compared with stands for zero."""


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("mask_where", "mask_fill"):
        if call.key not in ("Tensor::mask_where", "Tensor::mask_fill"):
            continue
        written, mask, value = call.operands
        test = _test(mask)
        if test is None:
            continue
        comparison, tested, number = test
        name = tested.named_or("the tensor")
        bad = _bad_operation(value, tested, comparison, number)
        if bad is not None:
            what = bad.name or "/"
            message = f"`{call.name}` takes the result of `{what}` exactly where {name} is what the guard was to avoid"
        elif _zeroed_divisor(call, written, tested, value, comparison, number):
            message = (
                f"`{call.name}` makes {name} zero exactly where it is not, and it is divided by afterwards"
            )
        else:
            continue
        yield (
            Finding(call.name_place, message, help="negate the mask with `bool_not()`")
            .with_because(mask.place, "the mask is true here")
            .with_fix("negate the mask", mask.wrapped("", ".bool_not()"), safe=False)
        )


def _test(mask: Expr) -> tuple[str, Expr, float] | None:
    """The comparison that a mask stems from, what it compares, and with which number."""
    operation, negated = mask.test_behind
    if operation is None or not operation.key.startswith("Tensor::") or len(operation.operands) != 2:
        return None
    name = operation.name.removesuffix("_scalar").removesuffix("_elem")
    number = operation.operands[1].spelt_number
    if name not in _OPPOSITE or name == operation.name or number is None:
        return None
    return (_OPPOSITE[name] if negated else name), operation.operands[0], number


def _bad_operation(value: Expr, tested: Expr, comparison: str, number: float) -> Expr | None:
    """The operation of a value that is infinite or NaN where the test holds."""
    zero = (
        (comparison == "equal" and number == 0)
        or (comparison == "lower_equal" and 0 <= number < _SMALL)
        or (comparison == "lower" and 0 < number < _SMALL)
    )
    negative = comparison in ("lower", "lower_equal") and 0 <= number < _SMALL
    for operation in value.derived_by():
        operands = operation.operands
        divisor = operands[1] if operation.is_division or operation.key == "Tensor::div" else None
        if operation.key == "Tensor::recip":
            divisor = operands[0]
        if divisor is not None and zero and divisor.same_as(tested):
            return operation
        if operation.key == "Tensor::log" and (zero or negative) and operands[0].same_as(tested):
            return operation
        if operation.key == "Tensor::sqrt" and negative and operands[0].same_as(tested):
            return operation
    return None


def _zeroed_divisor(
    call: Expr, written: Expr, tested: Expr, value: Expr, comparison: str, number: float
) -> bool:
    """Whether a tensor is set to zero where it is positive, or not zero, and divides afterwards."""
    if comparison not in ("greater", "not_equal") or number != 0 or not written.same_as(tested):
        return False
    made = value.operation
    zero = value.spelt_number == 0 or (
        made is not None and made.key in ("Tensor::zeros", "Tensor::zeros_like")
    )
    return zero and any(
        reach.kind == "operand" and reach.index == 1 and call.at(reach.site).is_division
        for reach in call.reaches()
    )
