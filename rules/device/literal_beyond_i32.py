"""A number beyond 32 bits is given to an Int tensor that holds 32 bits: it panics, or wraps to another number.

## Why
`from_ints` converts to `i32` first, whatever the device holds, and panics for a larger number. `from_data` converts to the
device's default for Int, I32 on most devices, and panics too. `full`, `mask_fill`, `arange`, arithmetic and comparisons with a
number cast it without a check: on Flex `full([1], 3_000_000_000i64, &device)` is -1294967296, and `x.lower_elem(3_000_000_000i64)`
is false for every `x`.

## PyTorch
Integer tensors are int64 there.

## Fires
    # use burn::tensor::{Device, Int, Tensor};
    # fn stamps(device: &Device) -> Tensor<1, Int> {
    Tensor::<1, Int>::from_ints([3_000_000_000i64], device)
    # }

## Clean
    # use burn::tensor::{DType, Device, Int, Tensor};
    # fn stamps(device: &Device) -> Tensor<1, Int> {
    Tensor::<1, Int>::from_data([3_000_000_000i64], (device, DType::I64))
    # }

## Known gaps
Only numbers that are spelt out in decimal count, no constants and no data that a program reads. Where the package spells `I64`
and the tensor's own dtype is not in sight, nothing is said. Up to burn 0.21 only `from_ints` is looked at: the rest hangs on the
backend's type.

## References
burn-tensor 0.22.1 and 0.21.0, src/tensor/api/int.rs (`from_ints`); burn-std 0.22.1, src/element/cast.rs.
Run on 0.22.1 and 0.21.0: fixtures/device/literal-beyond-i32/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL611",
    "literal-beyond-i32",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B8",),
    burn=">=0.14",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("Int", "from_ints"),
)

_LARGE = re.compile(rb"\b\d(?:_?\d){9}")
"""The smallest number beyond 32 bits has ten digits."""
_CREATES = ("from_data", "full", "full_like")
_SCALARS = (
    "add_scalar",
    "sub_scalar",
    "mul_scalar",
    "remainder_scalar",
    "mask_fill",
    "slice_fill",
    "greater_elem",
    "greater_scalar",
    "greater_equal_elem",
    "greater_equal_scalar",
    "lower_elem",
    "lower_scalar",
    "lower_equal_elem",
    "lower_equal_scalar",
)
_PANIC = frozenset({"from_ints", "from_data", "slice_fill"})


def check(file: FileView) -> Iterator[Finding]:
    if _LARGE.search(file.source.content) is None:
        return
    for call in file.calls("from_ints"):
        if call.key == "Tensor::from_ints":
            yield from _found(call, call.written_numbers(), "high")
    if not file.burn_at_least("0.22"):
        return
    for call in file.calls(*_CREATES, *_SCALARS):
        if call.key.startswith("Tensor::") and call.kind is not None:
            yield from _judged(file, call, call.name in _CREATES)
    for call in file.operators("+", "-", "*", "%", near=_LARGE):
        yield from _judged(file, call, created=False)


def _judged(file: FileView, call: Expr, created: bool) -> Iterator[Finding]:
    held = call if created else call.operands[0]
    if held.kind != "Int":
        return
    if call.name == "from_data":
        numbers = call.written_numbers()
    else:
        last = call.operands[1 if call.name != "mask_fill" else 2]
        numbers = [number] if (number := last.spelt_number) is not None else []
    if not any(map(_is_beyond, numbers)):
        return
    dtype = held.dtype()
    if dtype not in ("", "default", "I32") or (dtype != "I32" and _may_be_wide(file)):
        return
    yield from _found(call, numbers, "high" if dtype else "medium")


def _may_be_wide(file: FileView) -> bool:
    return file.only_wide_ints or file.package_spells("I64")


def _is_beyond(number: float) -> bool:
    return not -(2**31) <= number < 2**31


def _found(call: Expr, numbers: list[float], confidence: str) -> Iterator[Finding]:
    number = next(filter(_is_beyond, numbers), None)
    if number is None:
        return
    shown = f"{number:.0f}"
    if call.name in _PANIC:
        where = "into `i32`" if call.name == "from_ints" else "into the 32 bits of most devices"
        message = f"{shown} does not fit {where}: `{call.name}` panics"
    else:
        wrapped = (int(number) + 2**31) % 2**32 - 2**31
        message = f"{shown} does not fit into the 32 bits of most devices: it becomes {wrapped} there, or a read fails later"
    finding = Finding(
        call.name_place,
        message,
        help="name the type where the tensor is made: `(&device, DType::I64)`"
        if call.name != "from_ints"
        else "write `Tensor::from_data(.., (&device, DType::I64))`",
    )
    yield finding if confidence == "high" else finding.lowered(confidence="medium")
