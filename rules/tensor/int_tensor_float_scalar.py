"""A fractional number that meets an Int tensor loses its fraction first: `index * 0.5` is zero everywhere.

## Why
burn converts the scalar to the type of the tensor before the operation. `[1, 2, 3, 4] * 0.5` is `[0, 0, 0, 0]`, `+ 0.9` changes
nothing, `/ 0.5` divides by zero and panics. Comparisons move by one: `lower_scalar(2.5)` asks for less than 2. Nothing else fails.
`greater_scalar(2.5)` and `lower_equal_scalar(2.5)` give what they should, since for integers they mean the same as with 2.

## PyTorch
An integer tensor times a Python float becomes a float tensor there.

## Fires
    # use burn::tensor::{Int, Tensor};
    # fn halve(index: Tensor<1, Int>) -> Tensor<1, Int> {
    index * 0.5
    # }

## Clean
    # use burn::tensor::{Int, Tensor};
    # fn halve(index: Tensor<1, Int>) -> Tensor<1> {
    index.float() * 0.5
    # }

## Known gaps
Only numbers that are spelt out, there or where they are bound: of a parameter or a constant it is not known whether it has a
fraction. Data that is written into an Int tensor is not looked at.

## References
burn-tensor 0.22.1, src/tensor/api/numeric.rs (`Scalar::new(other, &self.dtype())`); burn-std 0.22.1, src/element/scalar.rs.
Run on 0.22.1 and 0.21.0: fixtures/tensor/int-tensor-float-scalar/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL105",
    "int-tensor-float-scalar",
    symptom="silent",
    severity="error",
    confidence="high",
    pitfalls=("P3",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("Int", "int", "argmax", "argmin", "argsort", "argtopk", "arange", "from_ints"),
    messages=(
        r"attempt to divide by zero",
        r"attempt to calculate the remainder with a divisor of zero",
        r"Float cannot be represented in the target (?:un)?signed int type",
    ),
)

# Nothing else makes a finding, and most functions spell none: their types need not be known.
_FRACTION = re.compile(rb"\d\.[\d_]*[1-9]|\d[eE]_*-")
_ARITHMETIC = {"+": "added", "-": "subtracted", "*": "multiplied", "/": "divided", "%": "divided"}
_ALWAYS = frozenset(
    [
        "add_scalar",
        "sub_scalar",
        "mul_scalar",
        "div_scalar",
        "remainder_scalar",
        "full",
        "full_like",
        "mask_fill",
        "slice_fill",
    ]
)
_EQUALITY = frozenset(["equal_scalar", "equal_elem", "not_equal_scalar", "not_equal_elem"])
_UP = frozenset(["lower_scalar", "lower_elem", "greater_equal_scalar", "greater_equal_elem", "clamp_min"])
"""Wrong with a positive fraction: for integers they would have to round up."""
_STORED = frozenset(["full_like", "mask_fill", "slice_fill", "clamp_min", "clamp_max"])
"""What puts the number itself into the tensor: an Int tensor cannot hold it."""
_DOWN = frozenset(["greater_scalar", "greater_elem", "lower_equal_scalar", "lower_equal_elem", "clamp_max"])
"""Wrong with a negative fraction, which truncation moves up."""


def check(file: FileView) -> Iterator[Finding]:
    for operation in file.operators(
        *_ARITHMETIC, near=_FRACTION, where=lambda found: all(map(_may_be_fraction, found.operands))
    ):
        for tensor, scalar in (operation.operands, operation.operands[::-1]):
            if tensor.kind == "Int" and scalar.kind is None:
                yield from _judged(operation, tensor, scalar)
    for call in file.calls(*_ALWAYS, *_EQUALITY, *_UP, *_DOWN, near=_FRACTION):
        at = 1 if call.name == "full" else -1
        if len(call.operands) < 2 or not _may_be_fraction(call.operands[at]):
            continue
        if not call.key.startswith("Tensor::"):
            continue
        tensor = call if at == 1 else call.operands[0]
        if tensor.kind == "Int":
            yield from _judged(call, None if tensor is call else tensor, call.operands[at])


def _may_be_fraction(value: Expr) -> bool:
    """Whether a value is no whole number that is spelt out there."""
    number = value.written_number
    return number is None or number != number.to_integral_value()


def _judged(operation: Expr, tensor: Expr | None, scalar: Expr) -> Iterator[Finding]:
    number, name = scalar.spelt_number, operation.name
    if (
        number is None
        or number == int(number)
        or (name in _UP and number < 0)
        or (name in _DOWN and number > 0)
    ):
        return
    becomes = int(number)
    if becomes == 0 and (operation.divides or name in ("div_scalar", "remainder_scalar")):
        effect = "which divides by zero and panics"
    else:
        effect = "before the Int tensor meets it"
    finding = Finding(
        scalar.place,
        f"`{scalar.spelling}` is converted to an integer and becomes `{becomes}`, {effect}",
        help="convert the tensor first: `.float()`, and back with `.int()` if need be",
    )
    if tensor is None:
        yield finding.with_because(operation.method_name, "this makes an Int tensor")
        return
    finding = finding.with_because(tensor.place, "this is an Int tensor")
    as_float = tensor.wrapped("", ".float()")
    if operation.kind != "Int":
        yield finding.with_fix("convert the tensor to Float", as_float, safe=False)
    elif name in _STORED or tensor.place != operation.operands[0].place:
        # Of `1.5 - x.float()` rustc does not know the type soon enough for `.int()`.
        yield finding
    else:
        yield finding.with_fix(
            "compute in Float, and round the result toward zero",
            operation.wrapped_with(as_float, ".int()"),
            safe=False,
        )
