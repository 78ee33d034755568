"""The result of `sync` is thrown away: a kernel that failed before goes unnoticed until some tensor is read.

## Why
`Device::sync` gives an error where the device is in a bad state. Thrown away, the program goes on, and panics later at a place that
has nothing to do with it.

## Fires
    # use burn::tensor::{Device, Tensor};
    # fn run(device: &Device, x: Tensor<1>) -> Tensor<1> {
    let y = x.exp();
    let _ = device.sync();
    # y
    # }

## Clean
    # use burn::tensor::{Device, Tensor};
    # fn run(device: &Device, x: Tensor<1>) -> Tensor<1> {
    let y = x.exp();
    device.sync().expect("the device works");
    # y
    # }

## Known gaps
That `sync` is fine does not mean that all results are: from burn 0.22.1 on some errors stay with the tensor until it is read.
Packages that can only be built with Flex or NdArray are left alone: `sync` does nothing there.

## References
burn-tensor 0.22.1, src/device.rs (`sync`). Run on 0.22.1: fixtures/device/sync-result-ignored/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL616",
    "sync-result-ignored",
    group="pedantic",
    symptom="silent",
    severity="note",
    confidence="high",
    pitfalls=("B24",),
    burn=">=0.20",
    listens=("sync",),
)

_ANY_ERROR = re.compile(r"\bdyn\s+(?:\w+::)*Error\b|\banyhow\b|\beyre\b")
"""Return types that take any error by `?`."""


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    for call in file.calls("sync"):
        # `Drop::drop` can hand nothing on, and must not panic.
        if call.asks_device == "sync" and call.error_ignored and call.fn.name != "drop":
            finding = Finding(
                call.name_place,
                "the result of `sync` is thrown away: a kernel that failed goes unnoticed until some tensor is read",
                help="append `?` where the function returns a `Result`, else `.expect(..)`",
            )
            if not call.returns_result:
                taken = Edit(call.end_place, '.expect("the device works")')
                finding = finding.with_fix("panic on an error", call.without_let, taken, safe=False)
            elif _ANY_ERROR.search(call.spelt_result):
                passed_on = Edit(call.end_place, "?")
                finding = finding.with_fix("pass the error on", call.without_let, passed_on, safe=False)
            yield finding
