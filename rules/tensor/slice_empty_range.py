"""A range that holds nothing: `slice` returns an empty tensor, `slice_assign` writes nothing, and no error.

## Why
`2..1` and `3..3` are empty, and burn takes them: the result has a dimension of 0, its mean is NaN, its sum 0. `slice_assign` and
`slice_fill` return the tensor unchanged. With a negative step the range still has to ascend: `s![0..3;-1]` goes backwards.

## Fires
    # use burn::tensor::Tensor;
    # fn rows(x: Tensor<2>) -> Tensor<2> {
    x.slice([4..2])
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn rows(x: Tensor<2>) -> Tensor<2> {
    x.slice([2..4])
    # }

## Known gaps
`0..0` is taken as meant: an empty tensor to start from.

## References
burn-std 0.22.1, src/tensor/slice.rs; burn-tensor 0.22.1, src/tensor/api/base.rs (`slice`, `slice_assign`).
Run on 0.22.1 and 0.21.0: fixtures/tensor/slice-empty-range/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL116",
    "slice-empty-range",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B10",),
    burn=">=0.18",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("slice", "slice_dim", "slice_assign", "slice_fill"),
)


def check(file: FileView) -> Iterator[Finding]:
    # Tests of burn itself ask for just this (clean.rs, of_the_edge).
    for call in file.calls(*RULE.listens, tests=False):
        if not call.key.startswith("Tensor::"):
            continue
        for _, span in call.slice_entries():
            if span.empty and (span.low, span.high) != (0, 0):
                writes = call.name in ("slice_assign", "slice_fill")
                effect = "writes nothing" if writes else "returns a tensor without elements"
                yield Finding(
                    call.name_place,
                    f"this range is empty: `{call.name}` {effect} instead of failing",
                    help="write the lower end first",
                )
                break
