"""`squeeze()` of a value with one dimension of size 1 panics as soon as another dimension, such as the batch, is 1 too.

## Why
`squeeze()` drops **all** dimensions of size 1. `argmax(1)` of `[batch, classes]` is `[batch, 1]`: with a batch of one there is
nothing left, and it panics. The last batch of an epoch or a single request in production is often one sample.

## PyTorch
`squeeze()` takes all dimensions of size 1 there too, but the rank may change from call to call.

## Fires
    # use burn::tensor::{Int, Tensor};
    # fn predictions(logits: Tensor<2>) -> Tensor<1, Int> {
    logits.argmax(1).squeeze::<1>()
    # }

## Clean
    # use burn::tensor::{Int, Tensor};
    # fn predictions(logits: Tensor<2>) -> Tensor<1, Int> {
    logits.argmax(1).squeeze_dim::<1>(1)
    # }

## Known gaps
Where no dimension is known to be 1, nothing says which one is meant. That a batch is never 1 is not visible: confidence medium,
unless more dimensions are known to be 1 than are to go.
Where the first dimension is the one of size 1, nothing is reported.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs (`squeeze`). Run on 0.22.1 and 0.21.0:
fixtures/tensor/squeeze-depends-on-data/proof.rs, proof_021.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL122",
    "squeeze-depends-on-data",
    symptom="panic",
    severity="warning",
    confidence="high",
    pitfalls=("P7",),
    burn=">=0.19",
    proven=("0.21.0", "0.22.1"),
    listens=("squeeze",),
    messages=(
        r"Resulting dimensions cannot be zero\. To remove specific singleton dimensions",
        r"Resulting dimensions \d+ do not match the required D2 size \d+",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("squeeze", tests=False):
        if call.key != "Tensor::squeeze" or len(call.operands) != 1:
            continue
        tensor = call.operands[0]
        made = tensor.operation
        if made is not None and any(span.index for _, span in made.slice_entries()):
            continue  # That is slice-index-then-squeeze.
        shape = tensor.shape() or (1,)
        if call.rank is not None and shape.count(1) > max(len(shape) - call.rank, 1):
            yield Finding(
                call.name_place,
                f"`squeeze()` takes all {shape.count(1)} dimensions of size 1 of {tensor.named_or('the tensor')}: "
                f"it panics, for rank {call.rank} is asked for",
                help="name the dimensions that are to go: `squeeze_dim` or `squeeze_dims`",
            )
            continue
        dims = [dim for dim, size in enumerate(shape) if size == 1]
        # The batch comes first; that an image has a single row is no worry (clean.rs, image_without_batch).
        if dims and not isinstance(shape[0], int) and call.squeeze_may_take_more:
            wanted = call.named_squeeze(dims)
            name = tensor.named_or("the tensor")
            finding = Finding(
                call.name_place,
                f"`squeeze()` takes every dimension of size 1: it panics when another dimension of {name} is 1 too",
                help=f"name the dimension: `{wanted}`",
            )
            fixed = finding.with_fix("name the dimension", call.renamed(wanted), safe=False)
            yield fixed.lowered(confidence="medium")
