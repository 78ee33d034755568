"""Recorders and records of 0.21 are gone in burn 0.22: what names `burn::record` does not compile there.

## Why
A model is a `burn::store::ModuleRecord` of named tensors now, written as burnpack; recorders, precision settings and
`derive(Record)` went. rustc says "unresolved import `burn::record`" (E0432), and "cannot find derive macro `Record` in
this scope".

## Fires
    use burn::record::CompactRecorder;

    pub fn recorder() -> CompactRecorder {
        CompactRecorder::new()
    }

## Clean
    use burn::store::ModuleRecord;

    pub fn size(record: &ModuleRecord) -> usize {
        record.len()
    }

## Known gaps
What takes a recorder from its caller, and a record of your own (`derive(Record)`), are left to people.

## References
burn-core 0.22.1, src/store/. Compiled on 0.22.1: fixtures/migration/recorder-removed/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL806",
    "recorder-removed",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    messages=(
        r"unresolved imports? [^\n]*`burn::record`",
        r"unresolved imports? [^\n]*`burn::nn::(?:\w+::)*\w+Record`",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    migration = file.migration
    for each in migration.recorders():
        finding = Finding(
            each.place,
            f"burn 0.22 has no recorders and records of types, and `{each.text}` does not compile",
            help=f"write `{each.successor}`" if each.successor else "save and load by a path alone",
        )
        title = f"write `{each.successor}`" if each.successor else "remove the recorder"
        yield finding.with_fix(title, *each.edits, safe=False)
    for gone in migration.record_imports():
        finding = Finding(
            gone.place, f"burn 0.22 has no `{gone.name}`, and this import does not compile", help="remove it"
        )
        yield finding.with_fix("remove the import", *gone.edits, safe=False)
    for gone in migration.in_macros("burn::record"):
        yield Finding(
            gone.place,
            f"burn 0.22 has no `{gone.name}`, and what this macro writes does not compile",
            help="save and load by a path alone",
        )
    for place in migration.derived_records():
        yield Finding(
            place,
            "burn 0.22 has no derive of `Record`, and this does not compile",
            help="derive `Module` for what has parameters, and write the rest with serde",
        )
