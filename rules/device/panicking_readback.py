"""A function that returns a `Result` reads a tensor with a method that panics: the caller never sees the error.

## Why
`into_data`, `to_data` and `into_scalar` panic when an operation before them failed on the device, which shows only where the result
is read. Their twins `try_into_data`, `try_to_data` and `try_into_scalar` give the error.

## Fires
    # use burn::tensor::Tensor;
    # fn mean(x: Tensor<1>) -> Result<f32, Box<dyn std::error::Error>> {
    let mean = x.mean().into_scalar::<f32>();
    # Ok(mean)
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn mean(x: Tensor<1>) -> Result<f32, Box<dyn std::error::Error>> {
    let mean = x.mean().try_into_scalar::<f32>()?;
    # Ok(mean)
    # }

## Known gaps
Most programs cannot go on after such an error, and burn's examples read this way: hence pedantic. Closures and test code are left
alone, and packages that can only be built with Flex or NdArray, where an operation fails at once.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs (`into_data`, `try_into_data`).
Run on 0.22.1: fixtures/device/panicking-readback/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL617",
    "panicking-readback",
    group="pedantic",
    symptom="panic",
    severity="note",
    confidence="medium",
    pitfalls=("B24",),
    burn=">=0.22",
    listens=(
        "into_data",
        "to_data",
        "into_scalar",
        "into_data_as",
        "to_data_as",
        "into_data_dtype",
        "to_data_dtype",
    ),
)

_FALLIBLE = re.compile(rb"->[^;{]*\bResult\b")
_ANY_ERROR = re.compile(r"\bdyn\s+(?:\w+::)*Error\b|\banyhow\b|\beyre\b")
"""Return types that take any error by `?`."""


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    for read in file.calls(*RULE.listens, near=_FALLIBLE, tests=False):
        if "Result" not in read.spelt_result or read.key != f"Tensor::{read.name}":
            continue
        finding = Finding(
            read.name_place,
            f"`{read.name}` panics when something failed on the device, and the function returns a `Result`",
            help=f"read with `try_{read.name}(..)?`",
        )
        if read.call_place is not None and _ANY_ERROR.search(read.spelt_result):
            edits = (Edit(read.method_name, f"try_{read.name}"), Edit(read.end_place, "?"))
            finding = finding.with_fix(f"`try_{read.name}` and `?`", *edits, safe=False)
        yield finding
