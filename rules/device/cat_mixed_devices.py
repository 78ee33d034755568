"""`cat`, `stack`, `select` and their like get tensors of different devices: a panic that names no device, or a failure at the read.

## Why
Only arithmetic, comparisons, `matmul` and `cross` compare the devices of their operands. `cat`, `stack`, indices and masks do not:
between a CPU and a GPU they panic at once with `.. is on the wrong backend`, between two devices of the GPU back ends nothing is
said until the result is read.

## PyTorch
There the message says that all tensors have to be on the same device.

## Fires
    # use burn::tensor::{Device, Tensor};
    # // burnlint: ignore-file[device-constructor-without-feature] -- the back ends are the reader's
    # #[cfg(feature = "cuda")]
    # fn run() -> Tensor<1> {
    let a = Tensor::<1>::ones([2], &Device::flex());
    let b = Tensor::<1>::ones([2], &Device::cuda(0));
    Tensor::cat(vec![a, b], 0)
    # }

## Clean
    # use burn::tensor::{Device, Tensor};
    # // burnlint: ignore-file[device-constructor-without-feature] -- the back ends are the reader's
    # #[cfg(feature = "cuda")]
    # fn run() -> Tensor<1> {
    let gpu = Device::cuda(0);
    let a = Tensor::<1>::ones([2], &Device::flex());
    let b = Tensor::<1>::ones([2], &gpu);
    Tensor::cat(vec![a.to_device(&gpu), b], 0)
    # }

## Known gaps
Both devices have to be in sight, as calls of `Device::..`, where the tensors meet, and the list of `cat` and `stack` has to be
written out. Test code is left alone. A plain tensor beside one on autodiff of the same hardware is right (run on 0.22.1).

## References
burn-tensor 0.22.1, src/tensor/api/check.rs (no check of devices in `cat`, `stack`, `select`, `gather`); burn-dispatch 0.22.1,
src/macros.rs. fixtures/device/cat-mixed-devices/proof.rs runs what is right.
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/cat-mixed-devices/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL605",
    "cat-mixed-devices",
    symptom="panic",
    severity="warning",
    confidence="medium",
    pitfalls=("B6",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("Device",),
)

_LISTS = ("cat", "stack")
_METHODS = (
    "select",
    "select_assign",
    "gather",
    "gather_nd",
    "scatter",
    "scatter_nd",
    "mask_where",
    "mask_fill",
    "slice_assign",
)


def check(file: FileView) -> Iterator[Finding]:
    if not file.spells_two_devices:
        return
    for call in file.calls(*_LISTS, *_METHODS, near=file.device_spelling, tests=False):
        if not call.key.startswith("Tensor::"):
            continue
        parts = (
            call.operands[0].items
            if call.name in _LISTS
            else [o for o in call.operands if o.kind is not None]
        )
        for part in parts[1:]:
            if (finding := _judged(call, parts[0], part)) is not None:
                yield finding
                break


def _judged(call: Expr, first: Expr, part: Expr) -> Finding | None:
    found = first.on_another_device(part)
    if found is None:
        return None
    one, other = found
    finding = Finding(
        call.name_place,
        f"`{call.name}` does not check devices: it panics on `{one.call.spelling}` and `{other.call.spelling}`, or the read fails",
        help="move one first: `.to_device(&device)`",
    )
    return finding.with_because(one.call.place, "one device").with_because(other.call.place, "another device")
