"""A program decides by `sync` whether its work succeeded, and reads nothing: `sync` is fine although an operation failed.

## Why
From burn 0.22 on an operation that fails, as for lack of memory, leaves its error in the buffers that it should have written.
`Device::sync` waits for the queue and gives `Ok`; the error comes with the first read of such a tensor.

## Fires
    # use burn::tensor::{Device, Tensor};
    # fn fits(x: Tensor<2>, device: &Device) -> bool {
    let _product = x.clone().matmul(x);
    device.sync().is_ok()
    # }

## Clean
    # use burn::tensor::{Device, Tensor};
    # fn fits(x: Tensor<2>, device: &Device) -> bool {
    let product = x.clone().matmul(x);
    product.slice(0..1).try_into_data().is_ok()
    # }

## Known gaps
`device.sync()?` and `.expect(..)` are left alone: they are right for what `sync` does say. The work has to be queued in the same
function, with nothing read after the `sync` or handed on to who may read it.

## References
burn-tensor 0.22.1, src/device.rs (`sync`) and src/tensor/api/base.rs (`try_into_data`).
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/sync-as-error-check/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL625",
    "sync-as-error-check",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("B24",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("sync",),
)


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    for call in file.calls("sync", tests=False):
        if call.asks_device != "sync" or not call.error_tested:
            continue
        queued = call.queued_before
        if queued and not call.reads_later and not any(each.is_handed_on for each in queued):
            yield Finding(
                call.name_place,
                "`sync` is fine although an operation failed: the error comes with the first read of its result",
                help="read a part of the result with `try_into_data()`",
            ).with_because(queued[-1].name_place, "whether this succeeded is not known after `sync`")
