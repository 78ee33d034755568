"""Burn 0.22 saves and loads by a path alone: `save_file(path, &recorder)` does not compile there.

## Why
Recorders are gone; a model is written as a burnpack file. rustc says "this method takes 1 argument but 2 arguments were
supplied" (E0061). `load_file` panics in 0.22 where it gave a `Result`, so `.expect(..)` after it is an error (E0599);
`try_load_file` gives one. A file that a recorder
of 0.21 wrote is not read by either: load it with 0.21 and write it anew, or convert it.

## Fires
    use burn::module::Module;

    # pub struct Recorder;
    # #[derive(Module, Debug)]
    # pub struct Net { linear: burn::nn::Linear }
    pub fn keep(net: Net, recorder: &Recorder) {
        net.save_file("net", recorder).unwrap();
    }

## Clean
    use burn::module::Module;

    # #[derive(Module, Debug)]
    # pub struct Net { linear: burn::nn::Linear }
    pub fn keep(net: Net) {
        net.save_file("net").unwrap();
    }

## Known gaps
Where the record that is saved is no module's and no optimizer's, its successor depends on what it holds. A
`load_file` whose value is matched as a `Result` is not seen, only one with a method of `Result` or `?` after it.

## References
burn-core 0.22.1, src/module/base.rs and src/store/. Compiled on 0.22.1:
fixtures/migration/record-call-arguments/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL807",
    "record-call-arguments",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("save_file", "load_file", "with_file_checkpointer", "record", "load"),
    messages=(r"no method named `with_file_checkpointer` found for struct `SupervisedTraining",),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.migration.record_calls:
        message = (
            f"`{each.name}` gives no `Result` in burn 0.22, and what takes it for one does not compile"
            if each.as_result
            else f"`{each.name}` takes no recorder in burn 0.22, and this call does not compile"
        )
        finding = Finding(
            each.place,
            message,
            help=f"write `{each.successor}`",
        )
        yield finding.with_fix(f"write `{each.successor}`", *each.edits, safe=False)
