"""`map_while(Result::ok)` over a data loader ends the epoch at the first bad item and says nothing.

## Why
From burn 0.22 on a batch is a `Result`. `map_while(Result::ok)`, `take_while(Result::is_ok)` and
`while let Some(Ok(batch)) = it.next()` stop at the first error and drop it: training goes on with the batches before
it, in every epoch, and looks like a run over a small data set. On burn 0.22.1 one bad file of twelve left two of six
batches.

## PyTorch
A `DataLoader` raises the exception of the data set.

## Fires
    # use burn::data::dataloader::DataLoader;
    # use std::sync::Arc;
    # fn run(loader: Arc<dyn DataLoader<Vec<f32>>>) -> usize {
    loader.iter().map_while(Result::ok).map(|batch| batch.len()).sum()
    # }

## Clean
    # use burn::data::dataloader::DataLoader;
    # use burn::data::dataset::DatasetError;
    # use std::sync::Arc;
    # fn run(loader: Arc<dyn DataLoader<Vec<f32>>>) -> Result<usize, DatasetError> {
    loader.iter().map(|batch| batch.map(|batch| batch.len())).sum()
    # }

## Known gaps
A data set that visibly never fails (`InMemDataset`) is left alone, and so is code that compares how far it came.
Confidence medium: the end may be meant.

## References
burn-core 0.22.1, src/data/dataloader/batch.rs. Run on 0.22.1:
fixtures/training/dataloader-map-while-ok/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL412",
    "dataloader-map-while-ok",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P21",),
    burn=">=0.22",
    listens=("map_while", "take_while", "next"),
)


def check(file: FileView) -> Iterator[Finding]:
    for skipped in file.loader_errors("ended"):
        if skipped.loader.fails is not False and not skipped.place.in_test:
            yield Finding(
                skipped.place.name_place,
                f"the first failing batch ends this `{skipped.place.name}` without a word: the rest of the epoch is lost",
                help="hand the error on: `let batch = batch?;`",
            )
