"""A shuffled loader without workers that is moved or sliced, and used otherwise too: each gives another order, in spite of
the seed.

## Why
`to_device` and `slice` take the next number of the loader's generator as the seed of the new loader. So two loaders moved
from one differ from each other and from it, and the first one's own order is another one afterwards: on burn 0.22.1
`loader.to_device(a)` and `loader.to_device(b)` give two orders. With a worker the seed is passed on unchanged.

## PyTorch
Loaders are not moved.

## Fires
    # use burn::data::dataloader::{DataLoader, DataLoaderBuilder, batcher::Batcher};
    # use burn::data::dataset::InMemDataset;
    # use burn::tensor::Device;
    # use std::sync::Arc;
    # type Loader = Arc<dyn DataLoader<Vec<u8>>>;
    # fn loaders<B: Batcher<u8, Vec<u8>> + 'static>(batcher: B, items: Vec<u8>, a: &Device, b: &Device) -> [Loader; 2] {
    let loader = DataLoaderBuilder::new(batcher).batch_size(32).shuffle(42).build(InMemDataset::new(items));
    [loader.to_device(a), loader.to_device(b)]
    # }

## Clean
    # use burn::data::dataloader::{DataLoader, DataLoaderBuilder, batcher::Batcher};
    # use burn::data::dataset::InMemDataset;
    # use burn::tensor::Device;
    # use std::sync::Arc;
    # type Loader = Arc<dyn DataLoader<Vec<u8>>>;
    # fn loader<B: Batcher<u8, Vec<u8>> + 'static>(batcher: B, items: Vec<u8>, device: &Device) -> Loader {
    let builder = DataLoaderBuilder::new(batcher).batch_size(32).shuffle(42);
    builder.set_device(device.clone()).build(InMemDataset::new(items))
    # }

## Known gaps
The builder has to be in sight. That the orders are meant to be equal is not visible: confidence medium.

## References
burn-core 0.22.1, src/data/dataloader/batch.rs (`rng.fork()`). Run on 0.22.1 and 0.21.0:
fixtures/training/shuffled-loader-to-device/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL415",
    "shuffled-loader-to-device",
    symptom="silent",
    severity="note",
    confidence="medium",
    pitfalls=("B20",),
    burn=">=0.19",
    proven=("0.21.0", "0.22.1"),
    listens=("shuffle",),
)


def check(file: FileView) -> Iterator[Finding]:
    for move, other in file.forked_loaders():
        yield Finding(
            move.name_place,
            f"`{move.name}` draws a new seed from this shuffled loader: its order differs from that of every other use",
            help="build one loader for each device, with `set_device` and the same `shuffle` seed",
        ).with_because(other.name_place, "another use of the same loader")
