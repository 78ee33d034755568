"""An adaptor such as `flatten()` drops the errors of a data loader and asks on: after a failing item the loop never ends.

## Why
From burn 0.22 on a batch is a `Result`. A loader without workers moves on after success only, so the next call gives the
same error again: `loader.iter().flatten()` and `filter_map(Result::ok)` then spin for ever inside of `next`, with no
output. On burn 0.22.1 a thousand calls after one bad file gave 998 times the same error. With workers the loop ends,
but the worker that failed is done, and the rest of its items is missing in each epoch without a word.

## PyTorch
A `DataLoader` raises the exception of the data set, and the loop ends.

## Fires
    # use burn::data::dataloader::DataLoader;
    # use std::sync::Arc;
    # fn run(loader: Arc<dyn DataLoader<Vec<f32>>>) -> usize {
    let mut items = 0;
    for batch in loader.iter().flatten() {
        items += batch.len();
    }
    # items }

## Clean
    # use burn::data::dataloader::DataLoader;
    # use burn::data::dataset::DatasetError;
    # use std::sync::Arc;
    # fn run(loader: Arc<dyn DataLoader<Vec<f32>>>) -> Result<usize, DatasetError> {
    let mut items = 0;
    for batch in loader.iter() {
        items += batch?.len();
    }
    # Ok(items) }

## Known gaps
A data set that visibly never fails (`InMemDataset`) is left alone, and so is an iterator that is bounded (`take`) or
handed on to what is not in sight. Where the loader's builder is out of sight the confidence is medium.

## References
burn-core 0.22.1, src/data/dataloader/batch.rs (`next` returns the error before it advances) and multithread.rs. Run on
0.22.1: fixtures/training/dataloader-errors-flattened/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL410",
    "dataloader-errors-flattened",
    symptom="hang",
    severity="error",
    confidence="high",
    pitfalls=("P21",),
    burn=">=0.22",
    listens=("flatten", "filter_map", "flat_map"),
    messages=(r"dataloader worker \d+ failed: ",),
)


def check(file: FileView) -> Iterator[Finding]:
    for skipped in file.loader_errors("flattened"):
        call, loader = skipped.place, skipped.loader
        if loader.fails is False or call.in_test:
            continue
        if loader.workers == 0:
            effect = "the loader gives the same error on every call, so this never ends"
        elif loader.workers is not None:
            effect = "the worker that failed is done, and the rest of its items is lost in each epoch"
        else:
            effect = "without workers this never ends, with workers the rest of a worker's items is lost"
        finding = Finding(
            call.name_place,
            f"`{call.name}` passes over failing batches: {effect}",
            help="let the error end the loop: `let batch = batch?;`",
        )
        if loader.workers:
            finding = finding.lowered(severity="warning")
        if loader.fails is None or loader.workers is None:
            finding = finding.lowered(confidence="medium")
        if call.name != "flat_map":
            finding = finding.with_fix("panic on an error", call.renamed("map(Result::unwrap)"), safe=False)
        yield finding
