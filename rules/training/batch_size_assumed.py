"""A batch is reshaped with the configured batch size: the last batch of an epoch is shorter, and the reshape panics.

## Why
burn's loaders have no `drop_last`: with eleven items and a batch size of four the last batch holds three. A `reshape` that
spells the configured size panics there on burn 0.22.1 ("the given shape doesn't have the same number of elements as the
current shape"), at the very end of the first epoch; with a `-1` beside it the samples may be mixed up instead.

## PyTorch
The last batch is shorter there as well, unless `drop_last=True`.

## Fires
    # use burn::data::dataloader::{DataLoaderBuilder, batcher::Batcher};
    # use burn::data::dataset::InMemDataset;
    # use burn::tensor::Tensor;
    # fn run<B: Batcher<f32, Tensor<3>> + 'static>(batcher: B, items: Vec<f32>, batch_size: usize) {
    let loader = DataLoaderBuilder::new(batcher).batch_size(batch_size).build(InMemDataset::new(items));
    for batch in loader.iter() {
        let x = batch.unwrap().reshape([batch_size, 784]);
    }
    # }

## Clean
    # use burn::data::dataloader::{DataLoaderBuilder, batcher::Batcher};
    # use burn::data::dataset::InMemDataset;
    # use burn::tensor::Tensor;
    # fn run<B: Batcher<f32, Tensor<3>> + 'static>(batcher: B, items: Vec<f32>, batch_size: usize) {
    let loader = DataLoaderBuilder::new(batcher).batch_size(batch_size).build(InMemDataset::new(items));
    for batch in loader.iter() {
        let batch = batch.unwrap();
        let [n, _, _] = batch.dims();
        let x = batch.reshape([n, 784]);
    }
    # }

## Known gaps
Only reshapes in the loop over a loader that is built in sight. The data set may be divisible: confidence medium.

## References
burn-core 0.22.1, src/data/dataloader/batch.rs. Run on 0.22.1 and 0.21.0: fixtures/training/batch-size-assumed/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL413",
    "batch-size-assumed",
    symptom="panic",
    severity="warning",
    confidence="medium",
    pitfalls=("P22",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("reshape",),
)


def check(file: FileView) -> Iterator[Finding]:
    for call, size in file.assumed_batch_sizes():
        yield Finding(
            call.name_place,
            f"the last batch may hold fewer than `{size.spelling}` items: this `reshape` panics on it, or mixes them up",
            help="take the size from the tensor: `let [n, ..] = x.dims();`, or write `-1` for it",
        ).with_because(size.place, "the batch size is set here")
