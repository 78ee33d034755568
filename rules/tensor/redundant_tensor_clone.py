"""The last use of an owned tensor is cloned: its buffer cannot be reused in place, so the operation allocates another.

## Why
A tensor's handle says whether anybody else holds the buffer. Where an operation takes the only handle, burn may write
the result into that buffer; `x.clone().exp()` leaves `x` alive until the end of its scope, and the operation has to
allocate. The numbers are the same.

## Fires
    # use burn::tensor::Tensor;
    fn gate(x: Tensor<2>) -> Tensor<2> {
        let scaled = x.clone() * 2.0;
        scaled.exp()
    }

## Clean
    # use burn::tensor::Tensor;
    fn gate(x: Tensor<2>) -> Tensor<2> {
        let scaled = x * 2.0;
        scaled.exp()
    }

## Known gaps
Pedantic: many a clone costs nothing that matters. Clones of fields, in closures, and of what is borrowed for longer are
left alone.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs (`can_mut`); burn-ndarray 0.21.0, src/ops/base.rs (`into_owned` copies where
the buffer is shared). Run on 0.22.1: fixtures/tensor/redundant-tensor-clone/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL113",
    "redundant-tensor-clone",
    symptom="slow",
    severity="note",
    confidence="medium",
    group="pedantic",
    pitfalls=("P9",),
    burn=">=0.13",
    proven=("0.22.1",),
    listens=("clone",),
)


def check(file: FileView) -> Iterator[Finding]:
    for clone in file.clones_of_last_use():
        copied, place = clone.copied, clone.call_place
        if clone.in_test or copied is None or place is None:
            continue
        yield Finding(
            clone.name_place,
            f"`{copied.spelling}` is not used again: the clone keeps its buffer from being reused in place",
            help="move the tensor: leave `.clone()` out",
        ).with_fix("leave `.clone()` out", Edit(place, ""), safe=False)
