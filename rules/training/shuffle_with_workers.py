"""A shuffled loader with several workers deals the items out once: in no epoch do items of two workers share a batch.

## Why
With two workers or more burn shuffles the data set once, by the seed, and cuts it into one share per worker. Each epoch
reshuffles inside of these shares only. On burn 0.22.1 two workers see the same twenty of forty items for two hundred
epochs, and none of the four hundred pairs across them ever meets in a batch. With one worker, or none, all pairs do. The
batches also arrive in the order of the threads: equal seeds give the same batches in another order.

## PyTorch
The sampler shuffles all of the data set in each epoch, whatever the number of workers.

## Fires
    # use burn::data::dataloader::{DataLoader, DataLoaderBuilder, batcher::Batcher};
    # use burn::data::dataset::InMemDataset;
    # use std::sync::Arc;
    # fn loader<B: Batcher<u8, Vec<u8>> + 'static>(batcher: B, items: Vec<u8>) -> Arc<dyn DataLoader<Vec<u8>>> {
    DataLoaderBuilder::new(batcher).batch_size(32).shuffle(42).num_workers(4).build(InMemDataset::new(items))
    # }

## Clean
    # use burn::data::dataloader::{DataLoader, DataLoaderBuilder, batcher::Batcher};
    # use burn::data::dataset::InMemDataset;
    # use std::sync::Arc;
    # fn loader<B: Batcher<u8, Vec<u8>> + 'static>(batcher: B, items: Vec<u8>) -> Arc<dyn DataLoader<Vec<u8>>> {
    DataLoaderBuilder::new(batcher).batch_size(32).shuffle(42).num_workers(1).build(InMemDataset::new(items))
    # }

## Known gaps
Pedantic: with large shares it rarely matters, and burn's own examples do it. A number of workers that is not spelt out
is not looked at.

## References
burn-core 0.22.1, src/data/dataloader/multithread.rs. Run on 0.22.1 and 0.21.0: fixtures/training/shuffle-with-workers/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL414",
    "shuffle-with-workers",
    symptom="silent",
    severity="note",
    confidence="high",
    pitfalls=("P22", "B20"),
    group="pedantic",
    burn=">=0.19",
    proven=("0.21.0", "0.22.1"),
    listens=("num_workers",),
)


def check(file: FileView) -> Iterator[Finding]:
    for _, workers in file.shuffles_with_workers():
        yield Finding(
            workers.name_place,
            f"each of the {workers.operands[1].number()} workers keeps its share in all epochs: `shuffle` mixes within it only",
            help="call `num_workers(1)`, which shuffles the whole data set, or build the loader anew with another seed each epoch",
        )
