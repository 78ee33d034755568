"""A loop logs the error of a data loader and goes on: the loader gives the same error again, for ever.

## Why
From burn 0.22 on a batch is a `Result`. A loader without workers moves on after success only: to `continue` after an
error asks for the same items again. On burn 0.22.1 a thousand rounds after one bad file gave 998 times the same error
and no further batch. With workers the loop ends, but the worker that failed is done, and the rest of its items is
missing in each epoch.

## PyTorch
A `DataLoader` raises the exception of the data set, and the loop ends.

## Fires
    # use burn::data::dataloader::DataLoader;
    # use std::sync::Arc;
    # fn run(loader: Arc<dyn DataLoader<Vec<f32>>>) -> usize {
    let mut items = 0;
    for batch in loader.iter() {
        match batch {
            Ok(batch) => items += batch.len(),
            Err(error) => eprintln!("skipped: {error}"),
        }
    }
    # items }

## Clean
    # use burn::data::dataloader::DataLoader;
    # use std::sync::Arc;
    # fn run(loader: Arc<dyn DataLoader<Vec<f32>>>) -> usize {
    let mut items = 0;
    for batch in loader.iter() {
        match batch {
            Ok(batch) => items += batch.len(),
            Err(error) => {
                eprintln!("stopped: {error}");
                break;
            }
        }
    }
    # items }

## Known gaps
A loop that may be left by another way (a budget of retries, an early `break`) is left alone, and so is a data set that
visibly never fails (`InMemDataset`). Where the loader's builder is out of sight the confidence is medium.

## References
burn-core 0.22.1, src/data/dataloader/batch.rs (`next` returns the error before it advances) and multithread.rs. Run on
0.22.1: fixtures/training/dataloader-error-continue/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL411",
    "dataloader-error-continue",
    symptom="hang",
    severity="error",
    confidence="high",
    pitfalls=("P21",),
    burn=">=0.22",
    listens=("Ok",),
    messages=(r"dataloader worker \d+ failed: ",),
)


def check(file: FileView) -> Iterator[Finding]:
    for skipped in file.loader_errors("passed over"):
        place, loader = skipped.place, skipped.loader
        if loader.fails is False or place.in_test:
            continue
        if loader.workers == 0:
            effect = "the loader gives the same error on every call, so the loop never ends"
        elif loader.workers is not None:
            effect = "the worker that failed is done, and the rest of its items is lost in each epoch"
        else:
            effect = "without workers the loop never ends, with workers the rest of a worker's items is lost"
        finding = Finding(
            place.place,
            f"the loop goes on after a failing batch: {effect}",
            help="leave the loop: `break`, or hand the error on: `let batch = batch?;`",
        )
        if loader.workers:
            finding = finding.lowered(severity="warning")
        if loader.fails is None or loader.workers is None:
            finding = finding.lowered(confidence="medium")
        again = skipped.goes_round
        if again is not None:
            finding = finding.with_fix("leave the loop", Edit(again.place, "break"), safe=False)
        yield finding
