"""A record taken from the model in training lacks BatchNorm's last batch: the statistics are flushed by `valid()`.

## Why
In training each forward only buffers the new statistics; they are merged with the next forward, or by `valid()`. A
record reads what was merged. On burn 0.22.1 after two batches the record of the training model has the running mean
0.3 of the first one, that of `model.valid()` 1.57.

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
A model that another function trains is not seen. One batch more or less matters little after many, so this is a note.

## References
burn-core 0.22.1, src/module/param/running.rs (`update`, `value`, `sync`). Run on 0.22.1:
fixtures/module/batchnorm-stale-record/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL314",
    "batchnorm-stale-record",
    symptom="silent",
    severity="note",
    confidence="medium",
    pitfalls=("P16",),
    burn=">=0.13",
    proven=("0.22.1",),
    listens=("into_record", "save_file"),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("into_record", "save_file"):
        if call.key not in ("Module::into_record", "Module::save_file") or not call.operands:
            continue
        model = call.operands[0].owner
        if model.is_place and model.contents.holds("statistics") and model.comes_from_step:
            yield Finding(
                call.name_place,
                f"the record of `{model.spelling}` lacks the BatchNorm statistics of its last batch",
                help=f"write `{model.spelling}.valid().{call.name}(..)`, which merges them first",
            )
