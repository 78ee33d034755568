"""An index that is negative or too large: the CPU device panics, a GPU reads or writes something else and goes on.

## Why
`select`, `gather`, `scatter`, embeddings and class losses take indices from 0. Nothing counts from the back, and no label is
left out. On burn's CPU device an index out of range panics. The kernels of GPU devices do not look: they give 0 or an element
of the next row, write into other rows, or end the process.

## PyTorch
Negative indices count from the back there when a tensor is indexed, and `cross_entropy` leaves out targets of -100.

## Fires
    # use burn::tensor::{Device, Int, Tensor};
    # fn last_row(x: Tensor<2>, device: &Device) -> Tensor<2> {
    x.select(0, Tensor::<1, Int>::from_ints([-1], device))
    # }

## Clean
    # use burn::tensor::{Tensor, s};
    # fn last_row(x: Tensor<2>) -> Tensor<2> {
    x.slice(s![-1, ..])
    # }

## Known gaps
Only indices that are written down are seen, also by a function that is called with them, and too large ones only where
the size is in sight.

## References
burn-flex 0.22.1, src/ops/gather_scatter.rs; burn-cubecl 0.22.1, src/kernel/index (`launch_unchecked`).
Run on 0.22.1: fixtures/tensor/index-out-of-range/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL120",
    "index-out-of-range",
    symptom="silent",
    severity="error",
    confidence="high",
    pitfalls=("P20",),
    burn=">=0.22",
    listens=(
        "select",
        "gather",
        "scatter",
        "select_assign",
        "one_hot",
        "Embedding",
        "EmbeddingConfig",
        "CrossEntropyLossConfig",
    ),
    messages=(
        r"index -?\d+ out of bounds for dimension of size \d+",
        r"containing indexes greater or equal to the number of classes",
    ),
)

_INDEXED = ("Tensor::select", "Tensor::gather", "Tensor::scatter", "Tensor::select_assign")
_METHODS = ("select", "gather", "scatter", "select_assign", "one_hot")
_MODULES = ("Embedding", "CrossEntropyLoss")
_TAKING = (*_INDEXED, "Tensor::one_hot", "Embedding::forward", "CrossEntropyLoss::forward")


def check(file: FileView) -> Iterator[Finding]:
    modules = any(map(file.package_spells, _MODULES))
    for call in file.calls(*_METHODS, *(["forward"] if modules else []), tests=False):
        if len(call.operands) < 2 or call.key not in _TAKING:
            continue
        finding = next((found for run in call.runs() if (found := _judged(run)) is not None), None)
        if finding is not None:
            yield finding


def _judged(call: Expr) -> Finding | None:
    indices, size = _indices(call)
    if indices is None:
        return None
    # `one_hot` counts from the back below 0 (clean.rs, counted_from_the_back).
    low = -(size or 0) if call.name == "one_hot" else 0
    bad = [each for each in indices.written_numbers() if each < low or (size is not None and each >= size)]
    if not bad:
        return None
    limit = f" and the size is {size}" if size is not None and bad[0] >= 0 else ""
    finding = Finding(
        call.name_place,
        f"`{bad[0]:.0f}` is an index here{limit}: the CPU device panics, a GPU takes another element or none",
        help="indices go from 0 to the size of the dimension less one",
    ).with_because(indices.place, f"`{bad[0]:.0f}` is written into this tensor")
    if call.may_be_left_out:  # For a size that is too small, perhaps.
        finding = finding.lowered(confidence="medium")
    caller = call.called_by
    return finding.with_because(caller.place, "as called here") if caller is not None else finding


def _indices(call: Expr) -> tuple[Expr | None, int | None]:
    """The tensor of indices of a call, and the size that they have to stay below as far as it is known."""
    operands = call.operands
    if call.key in _INDEXED and len(operands) > 2:
        shape, dim = operands[0].shape(), operands[1].number()
        size = (
            shape[dim] if shape is not None and dim is not None and -len(shape) <= dim < len(shape) else None
        )
        return operands[2], size if isinstance(size, int) else None
    if call.key == "Tensor::one_hot" and len(operands) == 2:
        return operands[0], operands[1].number()
    if call.key == "Embedding::forward" and len(operands) == 2:
        made = operands[0].operation
        config = (
            made.operands[0].operation if made is not None and made.key == "EmbeddingConfig::init" else None
        )
        known = config is not None and config.key == "EmbeddingConfig::new"
        return operands[1], config.operands[0].number() if known and config is not None else None
    if call.key == "CrossEntropyLoss::forward" and len(operands) == 3:
        shape = operands[1].shape()
        size = shape[1] if shape is not None and len(shape) == 2 else None
        return operands[2], size if isinstance(size, int) else None
    return None, None
