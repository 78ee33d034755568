"""A snapshot made with `clone()` of a model with BatchNorm keeps following the statistics of the model that is trained on.

## Why
Parameters are values, but BatchNorm's running statistics are shared between a module and its clones. The "best"
model that was put aside has the weights of its epoch and the statistics of the last one: it evaluates differently
each time and nothing fails. On burn 0.22.1 three more batches moved the clone's running mean from 0.3 to 3.74.
`clone().fork(..)`, `clone().no_grad()` and `clone().freeze()` share them too; `valid()`, `clone().train()` and a
record do not.

## PyTorch
`copy.deepcopy(model)` copies the buffers.

## Fires
    # use burn::nn::BatchNorm;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(mut model: BatchNorm, mut optim: ModuleOptimizer, batches: Vec<Tensor<2>>) -> Option<BatchNorm> {
    let mut best = None;
    for batch in batches {
        let grads = GradientsParams::from_grads(model.forward(batch).mean().backward(), &model);
        model = optim.step(1e-3, model, grads);
        best = Some(model.clone());
    }
    # best }

## Clean
    # use burn::module::Module;
    # use burn::nn::BatchNorm;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(mut model: BatchNorm, mut optim: ModuleOptimizer, batches: Vec<Tensor<2>>) -> Option<BatchNorm> {
    let mut best = None;
    for batch in batches {
        let grads = GradientsParams::from_grads(model.forward(batch).mean().backward(), &model);
        model = optim.step(1e-3, model, grads);
        best = Some(model.valid());
    }
    # best }

## Known gaps
A snapshot in one function of a model that another function trains is not seen. Up to burn 0.21 `valid()` has
another type.

## References
burn-core 0.22.1, src/module/param/running.rs. Run on 0.22.1 and 0.21.0: fixtures/module/batchnorm-shared-by-clone/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL312",
    "batchnorm-shared-by-clone",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P16",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("clone",),
)


def check(file: FileView) -> Iterator[Finding]:
    has_own_copy = file.burn_at_least("0.22")
    if not file.package_spells("BatchNorm"):
        return
    for call in file.calls("clone", near=file.training_spelling):
        original = call.copied
        if original is None or not original.is_place or not original.contents.holds("statistics"):
            continue
        training = next((each for each in original.later_trainings() if call.outlives(each)), None)
        if training is None or next(call.trainings(), None) is not None:
            continue
        finding = Finding(
            call.name_place,
            f"this copy of `{original.spelling}` shares its BatchNorm statistics: they go on changing while it is trained",
            help="keep `valid()`, which has statistics of its own, or a record",
        ).with_because(training.place, "trained on here")
        if has_own_copy:
            finding = finding.with_fix("keep `valid()`", Edit(call.method_name, "valid"), safe=False)
        yield finding
