"""Two iterators of one loader with workers are under way at once: the second one waits for the first, for ever.

## Why
The iterators of a loader share its worker threads, and a worker finishes one pass before it starts the next. The first
iterator's batches wait in a queue of a hundred; once that is full, the worker waits for somebody to take one, and
the second iterator waits for the worker. On burn 0.22.1 with five hundred batches and one worker `second.next()` does not
return; with fifty it does, so a small test data set hides it.

## PyTorch
Each `iter(loader)` has worker processes of its own.

## Fires
    # use burn::data::dataloader::{DataLoaderBuilder, batcher::Batcher};
    # use burn::data::dataset::InMemDataset;
    # fn pairs<B: Batcher<u8, Vec<u8>> + 'static>(batcher: B, items: Vec<u8>) -> usize {
    let loader = DataLoaderBuilder::new(batcher).batch_size(1).num_workers(2).build(InMemDataset::new(items));
    loader.iter().zip(loader.iter()).count()
    # }

## Clean
    # use burn::data::dataloader::{DataLoaderBuilder, batcher::Batcher};
    # use burn::data::dataset::InMemDataset;
    # fn pairs<B: Batcher<u8, Vec<u8>> + 'static>(batcher: B, items: Vec<u8>) -> usize {
    let loader = DataLoaderBuilder::new(batcher).batch_size(1).num_workers(2).build(InMemDataset::new(items));
    loader.iter().count() + loader.iter().count()
    # }

## Known gaps
Only `zip` and loops inside of each other are seen, and only where the loader's workers are. Confidence medium: with few
batches it works.

## References
burn-core 0.22.1, src/data/dataloader/multithread.rs (`MAX_QUEUED_ITEMS`). Run on 0.22.1:
fixtures/training/loader-iterated-twice/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL424",
    "loader-iterated-twice",
    symptom="hang",
    severity="warning",
    confidence="medium",
    pitfalls=("P21",),
    burn=">=0.22",
    listens=("num_workers",),
)


def check(file: FileView) -> Iterator[Finding]:
    for second, first in file.overlapping_iterators():
        yield Finding(
            second.name_place,
            "this iterator shares the workers of one that is under way: with more batches than their queue holds it waits for ever",
            help="build a loader for each, or finish one before the other",
        ).with_because(first.name_place, "under way here")
