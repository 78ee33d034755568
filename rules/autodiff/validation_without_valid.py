"""A loop that only evaluates runs the model that is being trained: memory grows, and Dropout and BatchNorm
stay in training mode.

## Why
On autodiff every pass is recorded. Nothing runs `backward` over an evaluation, so its records stay until the
next training step of the same model, which has to walk through all of them: a peak of memory and one slow
step, with the activations of every batch. On burn 0.22.1 a small network keeps 31 kB per batch of 32.
`detach()` on the outputs or plain inputs do not help. And `model` is in training mode: Dropout drops,
BatchNorm normalises by the batch and updates its statistics.

## PyTorch
`model.eval()` and `with torch.no_grad():`. In burn `model.valid()` is both.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn run(mut model: Linear, optim: &mut ModuleOptimizer, train: Vec<Tensor<2>>, test: Vec<Tensor<2>>) -> f32 {
    #     for x in train {
    #         let grads = GradientsParams::from_grads(model.forward(x).mean().backward(), &model);
    #         model = optim.step(1e-3, model, grads);
    #     }
    let mut total = 0.0;
    for x in test {
        total += model.forward(x).mean().into_scalar::<f32>();
    }
    # total }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn run(mut model: Linear, optim: &mut ModuleOptimizer, train: Vec<Tensor<2>>, test: Vec<Tensor<2>>) -> f32 {
    #     for x in train {
    #         let grads = GradientsParams::from_grads(model.forward(x).mean().backward(), &model);
    #         model = optim.step(1e-3, model, grads);
    #     }
    let model = model.valid();
    let mut total = 0.0;
    for x in test {
        total += model.forward(x).mean().into_scalar::<f32>();
    }
    # total }

## Known gaps
An evaluation in a function of its own is eval-fn-called-with-train-model. Outputs that are collected, or
handed to what is not seen through, may be trained on and are left alone.

## References
burn-autodiff 0.22.1, src/runtime (records are freed by `backward`); burn-nn 0.22.1, src/modules/dropout.rs.
Run on 0.22.1: fixtures/autodiff/validation-without-valid/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL206",
    "validation-without-valid",
    symptom="memory",
    severity="warning",
    confidence="medium",
    pitfalls=("P11", "B16"),
    burn=">=0.13",
    listens=("backward", "step"),
)


def check(file: FileView) -> Iterator[Finding]:
    if not file.spells_training:
        return
    for output in file.passes(in_loops=True):
        model = output.operands[0]
        if output.loop_without_training is None or not model.is_trained or model.autodiff() == "plain":
            continue
        use = output.host_use
        if use is None or use.flag is not None:
            continue
        name = model.owner.text
        yield Finding(
            output.name_place,
            f"nothing in this loop trains, yet `{name}` is the model in training: each pass is recorded, and Dropout and BatchNorm "
            "stay in training mode",
            help=f"evaluate a copy that is off autodiff: `let valid = {name}.valid();` before the loop",
        )
