"""A dataset's `get` and a loader's items are `Result`s in burn 0.22: an `Option`, or a bare batch, does not compile.

## Why
Up to 0.21 `Dataset::get` gives `None` behind the end. From 0.22 on it gives a `Result` and panics behind the end, and a
data loader gives `Result`s too: "method `get` has an incompatible type for trait" (E0053), "mismatched types" (E0308), "no
field `x` on type `Result<Batch, DatasetError>`" (E0609).

## Fires
    use burn::data::dataset::Dataset;

    pub struct Numbers(Vec<f32>);

    impl Dataset<f32> for Numbers {
        fn get(&self, index: usize) -> Option<f32> {
            self.0.get(index).copied()
        }

        fn len(&self) -> usize {
            self.0.len()
        }
    }

## Clean
    use burn::data::dataset::{Dataset, DatasetError};

    pub struct Numbers(Vec<f32>);

    impl Dataset<f32> for Numbers {
        fn get(&self, index: usize) -> Result<f32, DatasetError> {
            Ok(self.0[index])
        }

        fn len(&self) -> usize {
            self.0.len()
        }
    }

## Known gaps
A body with closures and early returns is left to people. A loop that hands the items of a loader on, and reads no field
of them, is reported only where the code names back ends: what it hands them to may take a `Result`.

## References
burn-dataset 0.22.1, src/dataset/base.rs; burn-core 0.22.1, src/data/dataloader/base.rs. Compiled on 0.22.1:
fixtures/migration/dataset-get-option/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL808",
    "dataset-get-option",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("get", "iter"),
    messages=(r"on type `Result<.*, DatasetError>`",),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.migration.datasets():
        finding = Finding(
            each.place,
            f"burn 0.22 gives a `Result` for every item of a dataset, and `{each.what}` does not compile",
            help=each.help,
        )
        yield finding.with_fix(each.help, *each.edits, safe=False)
