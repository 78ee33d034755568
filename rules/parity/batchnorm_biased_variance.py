"""BatchNorm's running variance is the biased one (divided by N); PyTorch keeps the unbiased one (N - 1).

## Why
In evaluation every output comes out larger by the square root of N / (N - 1), where N is the number of values per
channel in a batch: nothing to speak of for images, up to 40 % for a batch of two rows. Numbers that are compared
with PyTorch's differ although the weights are the same.

## PyTorch
`torch.nn.BatchNorm1d` normalises with the biased variance in training and stores the unbiased one.

## Fires
    # use burn::nn::{BatchNorm, BatchNormConfig};
    # use burn::tensor::Device;
    # fn norm(device: &Device) -> BatchNorm {
    BatchNormConfig::new(64).init(device)
    # }

## Clean
    # use burn::nn::{LayerNorm, LayerNormConfig};
    # use burn::tensor::Device;
    # fn norm(device: &Device) -> LayerNorm {
    LayerNormConfig::new(64).init(device)
    # }

## Known gaps
Statistics that come from PyTorch with the weights are right as they are; only what burn's own training collects
differs.

## References
burn-nn 0.22.1, src/modules/norm/batch.rs; PyTorch, documentation of BatchNorm1d. Run on 0.22.1 (3.5 for the batch
1, 2, 3, 6, where PyTorch stores 4.6667) and 0.21.0: fixtures/parity/batchnorm-biased-variance/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL906",
    "batchnorm-biased-variance",
    symptom="silent",
    severity="note",
    confidence="high",
    group="parity",
    pitfalls=("P16",),
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("BatchNormConfig",),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("BatchNormConfig::new", tests=False):
        if call.key == "BatchNormConfig::new":
            yield Finding(
                call.place,
                "this BatchNorm keeps the biased variance of its batches: in evaluation its outputs come out "
                "larger than PyTorch's by the square root of N / (N - 1)",
                "train with large batches, or compare in training mode only",
            )
