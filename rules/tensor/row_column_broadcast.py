"""A column `[n, 1]` meets a row `[1, n]` and both spread to `[n, n]`: the accuracy or the loss is a wrong number.

## Why
Reductions along a dimension keep it with size 1: `argmax(1)` of `[n, classes]` is `[n, 1]`. `unsqueeze()` puts the new
dimension in **front**: a target of `[n]` becomes `[1, n]`. Where the two meet, burn broadcasts to `[n, n]` and nothing fails.
On burn 0.22.1 four predictions that are all right count as 8 of 4, and a perfect prediction of three values has a mean squared
error of 1.33. With a single sample the result is right, so tests on one row do not see it.

## PyTorch
`output.argmax(1)` drops the dimension there, so that `output.argmax(1) == targets` compares `[n]` with `[n]`.

## Fires
    # use burn::tensor::{Int, Tensor};
    # fn accuracy(output: Tensor<2>, targets: Tensor<1, Int>) -> Tensor<1> {
    let correct = output.argmax(1).equal(targets.unsqueeze());
    correct.float().mean()
    # }

## Clean
    # use burn::tensor::{Int, Tensor};
    # fn accuracy(output: Tensor<2>, targets: Tensor<1, Int>) -> Tensor<1> {
    let correct = output.argmax(1).equal(targets.unsqueeze_dim(1));
    correct.float().mean()
    # }

## Known gaps
Of comparisons only those of an `argmax` or `argmin` are looked at, and not those with an `arange`: tables of all pairs and one-hot
vectors are made the same way. Of arithmetic by hand only the averaged difference of a reduced tensor and a row of as many elements
is looked at, for the same reason. A row that meets a tensor of unknown shape in a loss is reported with less confidence: it is
right for a single sample.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs (`unsqueeze`, `equal`), check.rs (broadcasting); burn-nn 0.22.1, src/loss/{mse,huber}.rs.
Run on 0.22.1 and 0.21.0: fixtures/tensor/row-column-broadcast/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL107",
    "row-column-broadcast",
    symptom="silent",
    severity="error",
    confidence="high",
    pitfalls=("P5",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=(
        "equal",
        "not_equal",
        "unsqueeze",
        "MseLoss",
        "HuberLoss",
        "HuberLossConfig",
        "SmoothL1Loss",
        "SmoothL1LossConfig",
    ),
)

_LOSSES = ("MseLoss", "HuberLoss", "SmoothL1Loss")
_ROWS = ("Tensor::unsqueeze", "Tensor::unsqueeze_dim", "Tensor::reshape")
_REDUCED = ("Tensor::mean_dim", "Tensor::sum_dim", "Tensor::max_dim", "Tensor::min_dim")
_ERRORS = ("Tensor::square", "Tensor::abs", "Tensor::powi_scalar", "Tensor::powf_scalar")
_PREPENDS = re.compile(rb"unsqueeze(?:::<\w+>)?\(")
_ELEMENTWISE = ("Tensor::int", "Tensor::float", "Tensor::to_device", "Tensor::detach", "Tensor::cast")


def check(file: FileView) -> Iterator[Finding]:
    # Most packages have no column to compare, or none of these losses: nothing of them is typed.
    names = ["equal", "not_equal"] if file.package_spells("argm") else []
    if any(map(file.package_spells, _LOSSES)):
        names += ["forward", "forward_no_reduction"]
    for call in file.calls(*names):
        # A loss takes predictions, targets, and maybe how to reduce.
        if len(call.operands) not in ((3, 4) if call.name.startswith("forward") else (2,)):
            continue
        owner, _, name = call.key.partition("::")
        judge = _compared if owner == "Tensor" and name in ("equal", "not_equal") else _lost
        if judge is _compared or owner in _LOSSES:
            found = next((found for run in call.runs() if (found := list(judge(run)))), [])
            if not found and judge is _lost:
                found = list(_perhaps_lost(call))
            yield from found
    if file.source.holds(_PREPENDS):
        for difference in file.operators("-", near=_PREPENDS, tests=False, both=True):
            yield from _by_hand(difference)


def _by_hand(difference: Expr) -> Iterator[Finding]:
    """An error that is averaged: `(column - row.unsqueeze()).square().mean()`."""
    for one, other in (difference.operands, difference.operands[::-1]):
        maker, row = _maker(one), _maker(other)
        # A column that `unsqueeze_dim` made meets a row on purpose: all pairs (clean.rs, averaged_pairs).
        if maker is None or maker.key not in _REDUCED or row is None or row.key != "Tensor::unsqueeze":
            continue
        if _cross(one, other) and _same_number(one, other) and _is_counted(difference, _ERRORS):
            finding = _finding(difference, row, "each prediction meets every element of it")
            yield finding.with_because(
                maker.place, f"`{maker.name}` keeps the dimension: {_shown(one)}"
            ).lowered(confidence="medium")


def _compared(call: Expr) -> Iterator[Finding]:
    for one, other in (call.operands[:2], call.operands[1::-1]):
        maker, row = _maker(one), _maker(other)
        if maker is None or maker.key not in ("Tensor::argmax", "Tensor::argmin") or not _cross(one, other):
            continue
        # Compared with all numbers of a range: one-hot vectors (clean.rs, one_hot).
        if row is None or row.key not in _ROWS or _is_range(row.operands[0]):
            continue
        finding = _finding(call, row, "every prediction is compared with every element of it")
        finding = finding.with_because(maker.place, f"`{maker.name}` keeps the dimension: {_shown(one)}")
        yield finding if _is_counted(call) else finding.lowered(confidence="medium")


def _lost(call: Expr) -> Iterator[Finding]:
    for one, other in (call.operands[1:3], call.operands[2:0:-1]):
        row = _maker(other)
        if row is None or row.key not in _ROWS or not _is_row(other):
            continue
        if _cross(one, other):
            finding = _finding(call, row, "each prediction meets every element of it")
            yield finding.with_because(one.place, f"this is a column: {_shown(one)}")


def _perhaps_lost(call: Expr) -> Iterator[Finding]:
    """A row that meets what may be anything but a row."""
    for one, other in (call.operands[1:3], call.operands[2:0:-1]):
        row = _maker(other)
        if row is None or row.key not in _ROWS or not _is_row(other):
            continue
        if row.operands[0].rank == 1 and _is_unknown(one) and not one.may_be_one_row:
            what = "unless there is a single sample, each prediction meets every element of it"
            yield _finding(call, row, what).lowered(confidence="medium")


def _finding(call: Expr, row: Expr, what: str) -> Finding:
    raised = row.operands[0]
    name = raised.named_or("the other side")
    column = f"unsqueeze_dim::<{row.rank or 2}>({(row.rank or 2) - 1})"
    near = row.fn is call.fn
    finding = Finding(
        (row if near else call).name_place,
        f"{name} becomes a row and meets a column: {what}",
        help=f"put the new dimension behind: `{column}`",
    )
    if not near:
        return finding.with_because(row.name_place, f"`{row.name}` makes a row here")
    finding = finding.with_because(call.method_name, "they meet here")
    return finding.with_fix("make it a column", row.renamed(column), safe=False)


def _maker(value: Expr) -> Expr | None:
    """The operation that gave a tensor its shape."""
    operation = value.operation
    while operation is not None and operation.key in _ELEMENTWISE:
        operation = operation.operands[0].operation
    return operation


def _cross(one: Expr, other: Expr) -> bool:
    """Whether each has a size of 1 where the other has not, the second one in front of the first."""
    a, b = one.shape(), other.shape()
    if a is None or b is None or len(a) != len(b) or len(a) < 2:
        return False
    return a[-1] == 1 != b[-1] and b[0] == 1 != a[0]


def _is_row(value: Expr) -> bool:
    shape = value.shape()
    return shape is not None and len(shape) > 1 and shape[0] == 1 != shape[-1]


def _is_unknown(value: Expr) -> bool:
    shape = value.shape()
    return shape is not None and len(shape) == 2 and not isinstance(shape[0], int)


def _is_range(value: Expr) -> bool:
    maker = _maker(value)
    return maker is not None and maker.key in ("Tensor::arange", "Tensor::arange_step")


def _same_number(column: Expr, row: Expr) -> bool:
    """Whether both have as many elements, as predictions and targets have."""
    a, b = column.shape(), row.shape()
    return a is not None and b is not None and a[0] is not None and a[0] == b[-1]


def _is_counted(mask: Expr, through: tuple[str, ...] = ()) -> bool:
    """Whether the mask is brought down to a number, as an accuracy is; also through other operations."""
    return any(
        reach.kind == "operand" and mask.at(reach.site).key in ("Tensor::sum", "Tensor::mean")
        for reach in mask.reaches(lambda site, operand: mask.at(site).key in (*_ELEMENTWISE, *through))
    )


def _shown(value: Expr) -> str:
    sizes = value.shape() or ()
    return (
        "["
        + ", ".join("n" if size is None or not isinstance(size, int) else str(size) for size in sizes)
        + "]"
    )
