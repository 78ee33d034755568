"""A function that only evaluates is called with the model in training: memory grows, Dropout and BatchNorm
stay in training mode.

## Why
As in validation-without-valid, over a function: what it computes is only read on the host, or trained on only
under a flag that this call turns off. The model it is given is on autodiff, so each pass is recorded and kept
until the next training step, and the layers that tell training from evaluation think that they train.

## PyTorch
A `training` flag goes with `model.train(training)` and `torch.set_grad_enabled(training)` there.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    fn evaluate(model: &Linear, test: &[Tensor<2>]) -> f32 {
        test.iter().map(|x| model.forward(x.clone()).mean().into_scalar::<f32>()).sum()
    }

    fn epoch(mut model: Linear, optim: &mut ModuleOptimizer, x: Tensor<2>, test: &[Tensor<2>]) -> Linear {
        let grads = GradientsParams::from_grads(model.forward(x).mean().backward(), &model);
        model = optim.step(1e-3, model, grads);
        println!("{}", evaluate(&model, test));
        model
    }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    fn evaluate(model: &Linear, test: &[Tensor<2>]) -> f32 {
        test.iter().map(|x| model.forward(x.clone()).mean().into_scalar::<f32>()).sum()
    }

    fn epoch(mut model: Linear, optim: &mut ModuleOptimizer, x: Tensor<2>, test: &[Tensor<2>]) -> Linear {
        let grads = GradientsParams::from_grads(model.forward(x).mean().backward(), &model);
        model = optim.step(1e-3, model, grads);
        println!("{}", evaluate(&model.valid(), test));
        model
    }

## Known gaps
Only one function is looked through: the pass has to stand in the one that is called.

## References
burn-core 0.22.1, src/module/base.rs (`valid`). The symptoms are run in
fixtures/autodiff/validation-without-valid/proof.rs (0.22.1).
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL207",
    "eval-fn-called-with-train-model",
    symptom="memory",
    severity="warning",
    confidence="medium",
    pitfalls=("P11",),
    burn=">=0.13",
    listens=("forward",),
)


def check(file: FileView) -> Iterator[Finding]:
    if not file.spells_training:
        return
    seen = set()
    for output in file.passes():
        index = output.operands[0].parameter
        use = output.host_use if index is not None else None
        if index is None or use is None:
            continue
        flags = dict(output.given_to(use.flag)) if use.flag is not None else None
        for call, model in output.given_to(index):
            off = flags is None or (call in flags and flags[call].truth is False)
            if (
                not off
                or call.in_test
                or call.place in seen
                or not model.is_trained
                or model.autodiff() == "plain"
            ):
                continue
            seen.add(call.place)
            yield Finding(
                call.name_place,
                f"`{call.name}` only evaluates here, yet `{model.owner.spelling}` is the model in training: each pass is recorded, "
                "and Dropout and BatchNorm stay in training mode",
                help=f"give it a copy that is off autodiff: `{model.owner.spelling}.valid()`",
            ).with_because(output.name_place, "the pass, of which nothing is trained on")
