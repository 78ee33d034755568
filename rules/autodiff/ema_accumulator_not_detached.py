"""A running average of parameters in a training loop keeps its record: each step is slower than the one before.

## Why
The value of a parameter is a leaf that requires a gradient, and `detach()` of a leaf is a leaf again. What is
computed from it is recorded, and so is the average that each step computes from the average before. Nothing
ever cuts that chain or runs `backward` over it: on burn 0.22.1 a step takes 40 to 100 times as long after
600 steps, and memory grows. Detaching only the new value does not help; the accumulator has to be cut.

## PyTorch
The habit is `with torch.no_grad():` around the update. burn's is `inner()` on the values, or `detach()` on
the result.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(mut model: Linear, optim: &mut ModuleOptimizer, batches: Vec<Tensor<2>>) -> Tensor<2> {
    let mut average = model.weight.val();
    for x in batches {
        let grads = GradientsParams::from_grads(model.forward(x).mean().backward(), &model);
        model = optim.step(1e-3, model, grads);
        average = average * 0.99 + model.weight.val().detach() * 0.01;
    }
    # average }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(mut model: Linear, optim: &mut ModuleOptimizer, batches: Vec<Tensor<2>>) -> Tensor<2> {
    let mut average = model.weight.val().inner();
    for x in batches {
        let grads = GradientsParams::from_grads(model.forward(x).mean().backward(), &model);
        model = optim.step(1e-3, model, grads);
        average = average * 0.99 + model.weight.val().inner() * 0.01;
    }
    # average }

## Known gaps
An average that a field of a struct holds is not followed; one that is put into a `Param` is
param-rebuilt-from-tracked-value.

## References
burn-autodiff 0.22.1, src/ops/tensor.rs (`float_detach`), src/runtime (records are freed by `backward`). Run
on 0.21.0 and 0.22.1: fixtures/autodiff/ema-accumulator-not-detached/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL229",
    "ema-accumulator-not-detached",
    symptom="slow",
    severity="warning",
    confidence="high",
    pitfalls=("P10",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("val",),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.accumulations():
        states = {parameter.autodiff() for parameter in each.parameters}
        if states == {"plain"}:
            continue
        finding = Finding(
            each.value.place,
            f"`{each.name}` hangs on all rounds before: its record grows and each step is slower than the last",
            help=f"cut it off in each round: `{each.name} = (..).detach()`, or average `inner()` values",
        )
        for parameter in each.parameters:
            finding = finding.with_because(parameter.place, "recorded from here on")
        finding = finding.with_fix("detach it in each round", each.value.wrapped("", ".detach()"), safe=False)
        yield finding if "autodiff" in states else finding.lowered(confidence="medium")
