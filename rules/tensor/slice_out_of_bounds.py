"""A bound beyond a size that is in sight: `slice` returns less than the range says, or nothing, and no error.

## Why
`slice` cuts both ends of a range to what is there. `[2..5]` of three rows is one row, an index of 7 is none, a negative index
beyond the start likewise. What follows broadcasts the one row, or takes the mean of nothing, which is NaN. `narrow` and
`select_dim` panic instead.

## PyTorch
An index out of range is an error there; ranges are cut as here.

## Fires
    # use burn::tensor::{Device, Tensor};
    # fn window(device: &Device) -> Tensor<2> {
    let table = Tensor::<2>::zeros([3, 2], device);
    table.slice([2..5])
    # }

## Clean
    # use burn::tensor::{Device, Tensor};
    # fn window(device: &Device) -> Tensor<2> {
    let table = Tensor::<2>::zeros([3, 2], device);
    table.slice([1..3])
    # }

## Known gaps
Sizes are seen where the tensor is made with numbers in sight, through reshapes, reductions,
slices and the like, and in what is called with such a tensor.

## References
burn-std 0.22.1, src/tensor/slice.rs (ends are clamped); burn-tensor 0.22.1, src/tensor/api/base.rs (`slice`).
Run on 0.22.1 and 0.21.0: fixtures/tensor/slice-out-of-bounds/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL115",
    "slice-out-of-bounds",
    symptom="silent",
    severity="error",
    confidence="high",
    pitfalls=("P7", "B10"),
    burn=">=0.18",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("slice", "slice_dim", "slice_fill"),
    messages=(r"InvalidShape \{ expected: 1, actual: 0 \}", r"(?:max_dim|argmax): dimension \d+ has size 0"),
)


def check(file: FileView) -> Iterator[Finding]:
    # Tests of burn itself ask for just this (clean.rs, of_the_edge).
    for call in file.calls(*RULE.listens, tests=False):
        if not call.key.startswith("Tensor::"):
            continue
        finding = next((found for run in call.runs() if (found := _judged(run)) is not None), None)
        if finding is not None:
            yield finding


def _judged(call: Expr) -> Finding | None:
    # What is written down costs less to know than a shape.
    entries = [(dim, span) for dim, span in call.slice_entries() if span.may_be_beyond]
    shape = call.operands[0].shape() if entries else None
    for dim, span in entries:
        size = shape[dim] if shape is not None and dim < len(shape) else None
        if isinstance(size, int) and span.beyond(size):
            finding = Finding(
                call.name_place,
                f"dimension {dim} has {size} element{'s' * (size != 1)}: `{call.name}` cuts what lies beyond without an error",
                help="take a range that fits; `narrow` and `select_dim` panic where it does not",
            )
            if call.may_be_left_out:  # For a size that is too small, perhaps.
                finding = finding.lowered(confidence="medium")
            caller = call.called_by
            return finding.with_because(caller.place, "as called here") if caller is not None else finding
    return None
