"""Operands of different dtypes: burn converts neither, and panics.

## Why
A tensor gets another dtype by `(&device, DType::F64)` where it is made, by `cast`, or from a record. An operation with a tensor
of the device's default then panics, on burn 0.22.1 with `dtype mismatch` or `storage: dtype mismatch`. `.int().float()` gives
the default again, also of a tensor that was F64.

## PyTorch
The lower dtype is converted to the higher one there.

## Fires
    # use burn::tensor::{DType, Device, Tensor};
    # fn mix(device: &Device) -> Tensor<1> {
    let a = Tensor::<1>::ones([4], device);
    let b = Tensor::<1>::ones([4], (device, DType::F64));
    a + b
    # }

## Clean
    # use burn::tensor::{DType, Device, Tensor};
    # fn mix(device: &Device) -> Tensor<1> {
    let a = Tensor::<1>::ones([4], device);
    let b = Tensor::<1>::ones([4], (device, DType::F64));
    let dtype = a.dtype();
    a + b.cast(dtype)
    # }

## Known gaps
The default of a device can be set in the program, so that it may be the same dtype: confidence medium. Dtypes of records are not
known, and of parameters only what calls in sight hand on. Operators in test code are not looked at: the test says it.

## References
burn-flex 0.22.1, src/ops/{binary,comparison,matmul,gather_scatter,slice}.rs.
Run on 0.22.1: fixtures/tensor/mixed-dtype-operands/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL106",
    "mixed-dtype-operands",
    symptom="panic",
    severity="error",
    confidence="medium",
    pitfalls=("P4",),
    burn=">=0.22",
    listens=("DType", "FloatDType", "IntDType"),
    messages=(
        r"(?:int_)?binary_op: dtype mismatch",
        r"compare: dtype mismatch",
        r"(?:int_)?matmul: dtype mismatch",
        r"cat: dtype mismatch: expected \w+, got \w+",
        r"storage: dtype mismatch \(expected \w+, got \w+\)",
    ),
)

_METHODS = [
    "add",
    "sub",
    "mul",
    "div",
    "remainder",
    "matmul",
    "equal",
    "not_equal",
    "greater",
    "greater_equal",
    "lower",
    "lower_equal",
    "max_pair",
    "min_pair",
]

_WRITES = {"slice_assign": 2, "scatter": 3, "select_assign": 3}
"""Methods that write values into a tensor, and which operand those are."""

_DTYPE = re.compile(rb"DType|\bcast\b|\bB?F(?:16|32|64)\b|\bf(?:16|64)\b|\b[IU](?:8|16|32|64)\b")
"""What a file spells in which a dtype is in sight: no other file is typed for this rule."""


def check(file: FileView) -> Iterator[Finding]:
    if not file.source.holds(_DTYPE):
        return
    for operation in file.operators("+", "-", "*", "/", "%", tests=False, both=True):
        yield from _first(operation)
    for call in file.calls(*_METHODS, "mask_where", *_WRITES, tests=False):
        at = _WRITES.get(call.name, -1)
        if call.key.startswith("Tensor::") and len(call.operands) > max(at, 1):
            yield from _first(call, at)


def _first(operation: Expr, at: int = -1) -> Iterator[Finding]:
    """What is wrong with it as it stands, or as a call of the function around it runs it."""
    for run in operation.runs():
        found = list(_judged(run, run.operands[0], run.operands[at]))
        if found:
            caller = run.called_by
            yield found[0].with_because(caller.place, "as called here") if caller is not None else found[0]
            return


def _judged(operation: Expr, left: Expr, right: Expr) -> Iterator[Finding]:
    if left.kind is None or left.kind != right.kind or left.kind == "Bool":
        return
    one, other = left.dtype(), right.dtype()
    if (
        not one
        or not other
        or one == other
        or {one, other} == {"default", "F32" if left.kind == "Float" else "I32"}
    ):
        return
    shown = ["the device's default" if each == "default" else each for each in (one, other)]
    yield (
        Finding(
            operation.name_place,
            f"{shown[0]} meets {shown[1]}: burn converts neither and panics",
            help="cast one side: read `a.dtype()` first, then `b.cast(dtype)`",
        )
        .with_because(left.place, f"this is {shown[0]}")
        .with_because(right.place, f"this is {shown[1]}")
    )
