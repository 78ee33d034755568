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

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

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


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    for call in file.calls("sync"):
        # `Drop::drop` can hand nothing on, and must not panic.
        if call.asks_device == "sync" and call.error_ignored and call.fn.name != "drop":
            yield Finding(
                call.name_place,
                "the result of `sync` is thrown away: a kernel that failed goes unnoticed until some tensor is read",
                help="append `?` where the function returns a `Result`, else `.expect(..)`",
            )
