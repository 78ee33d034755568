"""A record taken from the model in training lacks BatchNorm's last batch: the statistics are flushed by `valid()`.

## Why
In training each forward only buffers the new statistics; they are merged with the next forward, or by `valid()`. A
record reads what was merged. On burn 0.22.1 after two batches the record of the training model has the running mean
0.3 of the first one, that of `model.valid()` 1.57. The same holds for a store that `save_into` fills. Up to burn 0.21
`into_record` and `save_file` merge first, and only `save_into` does not.

## PyTorch
Buffers are up to date after each forward.

## Fires
    # use burn::module::Module;
    # use burn::nn::BatchNorm;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::store::ModuleRecord;
    # use burn::tensor::Tensor;
    # fn train(mut model: BatchNorm, mut optim: ModuleOptimizer, batches: Vec<Tensor<2>>) -> ModuleRecord {
    for batch in batches {
        let grads = GradientsParams::from_grads(model.forward(batch).mean().backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    model.into_record()
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::BatchNorm;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::store::ModuleRecord;
    # use burn::tensor::Tensor;
    # fn train(mut model: BatchNorm, mut optim: ModuleOptimizer, batches: Vec<Tensor<2>>) -> ModuleRecord {
    for batch in batches {
        let grads = GradientsParams::from_grads(model.forward(batch).mean().backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    model.valid().into_record()
    # }

## Known gaps
A model that another function trains is not seen. `valid()` merges the statistics of the model that it is called on as
well: with such a call since the last step nothing is reported. One batch more or less matters little after many, so
this is a note. Tests are left alone.

## References
burn-core 0.22.1 and 0.21.0, src/module/param/running.rs (`update`, `visit`, `into_record`, `sync`). Run on 0.22.1 and
0.21.0: fixtures/module/batchnorm-stale-record/proof.rs and proof_021.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL314",
    "batchnorm-stale-record",
    symptom="silent",
    severity="note",
    confidence="medium",
    pitfalls=("P16",),
    burn=">=0.19",
    proven=("0.21.0", "0.22.1"),
    listens=("into_record", "save_file", "save_into"),
)


def check(file: FileView) -> Iterator[Finding]:
    if not file.package_spells("BatchNorm") or not file.spells_training:
        return
    merges_first = not file.burn_at_least("0.22")
    for call in file.calls(*(("save_into",) if merges_first else RULE.listens), tests=False):
        model = _recorded(call)
        if (
            model is not None
            and model.contents.holds("statistics")
            and model.comes_from_step
            and not model.valid_since_step(call)
        ):
            yield Finding(
                call.name_place,
                f"the record of `{model.spelling}` lacks the BatchNorm statistics of its last batch",
                help=f"write `{model.spelling}.valid().{call.name}(..)`, which merges them first",
            )


def _recorded(call: Expr) -> Expr | None:
    """The place of the module that a call puts into a record or a store."""
    known = ("Module::into_record", "Module::save_file", "ModuleSnapshot::save_into")
    model = call.operands[0].owner if call.operands else None
    return model if model is not None and model.is_place and call.key in known else None
