"""A method that this version of burn deprecates: it still works, and is on its way out.

## Why
burn says in its sources which methods go next and what takes their place: `TensorData::to_vec` and `into_vec` are
`try_to_vec` and `try_into_vec` from 0.22 on, `Device::ndarray()` is `Device::flex()`.

## Fires
    use burn::tensor::{Tensor, TensorData};

    pub fn values(x: Tensor<1>) -> Vec<f32> {
        let data: TensorData = x.into_data();
        data.to_vec::<f32>().unwrap()
    }

## Clean
    use burn::tensor::{Tensor, TensorData};

    pub fn values(x: Tensor<1>) -> Vec<f32> {
        let data: TensorData = x.into_data();
        data.try_to_vec::<f32>().unwrap()
    }

## Known gaps
Where the type of the receiver is not known, nothing is said: slices have a `to_vec` too.

## References
What burn marks as deprecated, in its own words: burnlint/burn/data/api.txt (`#deprecated`). Compiled on 0.22.1 with
`#![deny(deprecated)]`: fixtures/migration/deprecated-api/compile_fail.
"""

import re
from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL814",
    "deprecated-api",
    symptom="diagnosis",
    severity="warning",
    confidence="high",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.0", "0.22.1"),
    listens=("to_vec", "into_vec", "ndarray", "libtorch", "libtorch_cuda", "libtorch_mps", "libtorch_vulkan"),
)

_RENAMED = {"to_vec": "try_to_vec", "into_vec": "try_into_vec"}


def check(file: FileView) -> Iterator[Finding]:
    names = RULE.listens if re.search(rb"Data\b|_data\b|\bDevice::", file.source.content) else ()
    for call in file.calls(*names) if names else ():
        signature = call.signature
        if signature is None or signature.deprecated is None:
            continue
        finding = Finding(
            call.method_name,
            f"burn deprecates `{call.key}`, and a later version will not have it",
            help=signature.deprecated,
        )
        successor = _RENAMED.get(call.name)
        if successor and call.key.startswith("TensorData::"):
            finding = finding.with_fix(f"write `{successor}`", Edit(call.method_name, successor), safe=False)
        yield finding
