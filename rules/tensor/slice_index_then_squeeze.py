"""An index in a slice keeps its dimension, and `squeeze()` then takes every dimension of size 1: one row panics.

## Why
`x.slice(s![.., -1])` of `[rows, columns]` is `[rows, 1]`. `squeeze()` drops all dimensions of size 1, so it works until there
is a single row: then both are 1, nothing is left, and it panics. Tests with two rows do not see it.

## PyTorch
`x[:, -1]` drops the dimension there. `squeeze()` takes all dimensions of size 1 there too.

## Fires
    # use burn::tensor::{Tensor, s};
    # fn last_column(x: Tensor<2>) -> Tensor<1> {
    x.slice(s![.., -1]).squeeze()
    # }

## Clean
    # use burn::tensor::{Tensor, s};
    # fn last_column(x: Tensor<2>) -> Tensor<1> {
    x.slice(s![.., -1]).squeeze_dim::<1>(1)
    # }

## Known gaps
Whether the other dimensions can be 1 is known only where numbers are in sight; then nothing is reported unless they are.

## References
burn-std 0.22.1, src/tensor/slice.rs (an index is a range of one); burn-tensor 0.22.1, src/tensor/api/base.rs (`squeeze`,
`select_dim`). Run on 0.22.1 and 0.21.0: fixtures/tensor/slice-index-then-squeeze/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL114",
    "slice-index-then-squeeze",
    symptom="panic",
    severity="warning",
    confidence="high",
    pitfalls=("P7",),
    burn=">=0.19",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("squeeze",),
    messages=(
        r"Resulting dimensions cannot be zero\. To remove specific singleton dimensions",
        r"Resulting dimensions \d+ do not match the required D2 size \d+",
        r"Can't squeeze dimension \d+ because its size is not 1",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("squeeze", tests=False):
        if call.key != "Tensor::squeeze" or len(call.operands) != 1:
            continue
        sliced = call.operands[0].operation
        if sliced is None or sliced.key not in ("Tensor::slice", "Tensor::slice_dim"):
            continue
        dims = [dim for dim, span in sliced.slice_entries() if span.index]
        if dims and call.squeeze_may_take_more:
            wanted = call.named_squeeze(dims)
            finding = Finding(
                call.name_place,
                "the index keeps its dimension with size 1, and `squeeze()` also takes every other dimension that happens to be 1: "
                "it panics then",
                help=f"drop that dimension only: `{wanted}`, or `select_dim` instead of the slice",
            ).with_because(sliced.name_place, "an index in a slice is a range of one element")
            yield finding.with_fix("drop that dimension only", call.renamed(wanted), safe=False)
