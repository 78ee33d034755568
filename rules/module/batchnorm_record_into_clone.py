"""`model.clone().load_record(..)` of a model with BatchNorm writes the record's statistics into the original as well.

## Why
A clone shares BatchNorm's running statistics with its original: both hold the same lock-protected tensor. Loading a
record into the clone gives it weights of its own, but the statistics of both change. On burn 0.22.1 the running
mean of the untouched original went from 0.0 to the record's 13.0.

## PyTorch
`copy.deepcopy(model).load_state_dict(..)` leaves the original alone.

## Fires
    # use burn::module::Module;
    # use burn::nn::BatchNorm;
    # use burn::store::ModuleRecord;
    # fn best(model: &BatchNorm, record: ModuleRecord) -> BatchNorm {
    model.clone().load_record(record)
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::BatchNorm;
    # use burn::store::ModuleRecord;
    # fn best(model: &BatchNorm, record: ModuleRecord) -> BatchNorm {
    model.valid().load_record(record)
    # }

## Known gaps
A clone that is bound to a name first is not seen. Up to burn 0.21 `valid()` has another type.

## References
burn-core 0.22.1, src/module/param/running.rs (`RunningState` derives `Clone` over an `Arc`). Run on 0.22.1 and 0.21.0:
fixtures/module/batchnorm-record-into-clone/proof.rs and proof_021.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL325",
    "batchnorm-record-into-clone",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P16",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("load_record", "load_file", "try_load_record", "try_load_file"),
)


def check(file: FileView) -> Iterator[Finding]:
    has_own_copy = file.burn_at_least("0.22")
    if not file.package_spells("BatchNorm"):
        return
    for load in file.calls(*RULE.listens):
        model = next(iter(load.operands), None)
        original = model.copied if model is not None else None
        if model is None or original is None or not original.is_place or load.key != f"Module::{load.name}":
            continue
        if not model.contents.holds("statistics"):
            continue
        if original.is_reference or original.read_later:
            yield Finding(
                load.name_place,
                f"the record's BatchNorm statistics go into `{original.spelling}` as well: its clone shares them",
                help="load into `valid()`, which has statistics of its own (`.train()` brings it back), or into a new model"
                if has_own_copy
                else "load into a new model, which has statistics of its own",
            )
