"""Data of an Int tensor is read as another integer type than the device stores: the read fails.

## Why
`to_vec`, `into_vec`, `as_slice` and their `try_` twins convert nothing: they give an error where the elements have another type.
The width of an Int tensor is the device's default, unless a dtype is spelt out where it is made: 32 bits on Flex, wgpu, CUDA and
the other CubeCL devices, 64 bits on NdArray and LibTorch. So `to_vec::<i64>()` that was right on one of these panics on a GPU:
`Expected data type I64, but got I32`.

## PyTorch
Integer tensors are int64 there, on every device.

## Fires
    # use burn::tensor::{Device, Int, Tensor};
    # fn ids(device: &Device) -> Vec<i64> {
    let ids = Tensor::<1, Int>::arange(0..8, device);
    ids.into_data().try_into_vec::<i64>().unwrap()
    # }

## Clean
    # use burn::tensor::{Device, Int, Tensor};
    # fn ids(device: &Device) -> Vec<i64> {
    let ids = Tensor::<1, Int>::arange(0..8, device);
    ids.into_data().try_into_vec_as::<i64>().unwrap()
    # }

## Known gaps
Of a tensor whose origin is not in sight only reads as `i64` are reported, with confidence medium, and only where nothing in the
package spells `I64`. Reads as `i32` on NdArray and LibTorch fail too and are not reported. Up to burn 0.21 the width is a part of
the backend's type, so that it can be known: the rule holds from 0.22 on.

## References
burn-std 0.22.1, src/data/tensor/conversion.rs; burn-backend 0.22.1, src/lib.rs (default types of a device).
Run on 0.22.1: fixtures/device/hardcoded-int-readback/proof.rs.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from burnlint import Edit, Expr, FileView, Finding, Rule

RULE = Rule(
    "BL607",
    "hardcoded-int-readback",
    symptom="panic",
    severity="warning",
    confidence="high",
    pitfalls=("B8",),
    burn=">=0.22",
    listens=("to_vec", "into_vec", "as_slice", "as_mut_slice", "try_to_vec", "try_into_vec"),
)

_INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
_DATA = re.compile(rb"TensorData|(?:to|into)_data")
_READS = re.compile(rb"(?:to_vec|into_vec|_slice)\s*(?:\(|::\s*<[^>]*\b[iu]\d)")
"""Reads of integers, or of what is not spelt there."""
_CONVERTING = {"to": "try_to_vec_as", "into": "try_into_vec_as"}


def check(file: FileView) -> Iterator[Finding]:
    if not file.source.holds(_DATA):
        return
    for read in file.calls(*RULE.listens, near=_READS):
        spelt = read.turbofish
        if (spelt and spelt[0] not in _INTEGERS) or (not spelt and read.is_argument):
            continue  # What a function takes is seldom a Result: it is a `to_vec` of a slice.
        if not read.key.startswith("TensorData::"):
            continue
        wanted = read.element_type
        tensor = read.operands[0].read_from if wanted in _INTEGERS else None
        if tensor is None or tensor.kind != "Int" or _takes_either(file, read):
            continue
        stored = tensor.dtype()
        if stored not in ("", "default"):
            if stored != wanted.upper():
                yield _finding(read, wanted, stored).with_because(tensor.place, f"this tensor is {stored}")
        elif wanted == "i32" or _may_be_wide(file, wanted):
            continue
        elif stored:
            yield _finding(read, wanted, "").with_because(
                tensor.place, "made with the device's default for Int"
            )
        elif wanted == "i64":
            yield (
                _finding(read, wanted, "")
                .with_because(tensor.place, "nothing in sight makes it 64 bits wide")
                .lowered(confidence="medium")
            )


def _takes_either(file: FileView, read: Expr) -> bool:
    """Whether the function looks at the type of the data, or reads another type where one fails."""
    if read.in_branch and read.function_spells("dtype"):
        return True
    reads = (
        other for other in file.calls(*RULE.listens) if other.fn is read.fn and other.expr is not read.expr
    )
    others = [other for other in reads if other.element_type not in ("", read.element_type)]
    return bool(others) and any(each.error_tested for each in (read, *others))


def _may_be_wide(file: FileView, wanted: str) -> bool:
    """Whether the default of the devices, or of a tensor that comes from elsewhere, may be the type wanted."""
    return file.only_wide_ints or file.package_spells(wanted.upper())


def _finding(read: Expr, wanted: str, stored: str) -> Finding:
    call = f"`{read.name}` as `{wanted}`"
    finding = Finding(
        read.name_place,
        f"{call} fails: the tensor holds {stored}, and nothing is converted"
        if stored
        else f"{call} fails on most devices: an Int tensor holds I32 there, and nothing is converted",
    )
    converting = _CONVERTING.get(read.name.removeprefix("try_").partition("_")[0])
    if converting is None:
        return replace(finding, help=f"convert first: `data.convert::<{wanted}>()`")
    finding = replace(finding, help=f"read with `{converting}`, which converts")
    if read.call_place is None:
        return finding
    return finding.with_fix(f"read with `{converting}`", Edit(read.method_name, converting), safe=True)
