"""An optimizer is made anew for each step: its moments start at zero every time, so it never becomes what it is named
after.

## Why
Adam and its kin, and SGD with momentum, keep running averages from step to step. An optimizer that is made inside of the
loop forgets them: each Adam step is then a first one, which moves every weight by the whole learning rate in the
direction of its sign (run on burn 0.22.1), however small the gradient is. One for each fold, learning rate or stage of
the training is right.

## PyTorch
The same slip is possible there.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::{AdamConfig, GradientsParams};
    # use burn::tensor::Tensor;
    # fn train(mut model: Linear, batches: Vec<Tensor<2>>) -> Linear {
    for batch in batches {
        let mut optim = AdamConfig::new().init();
        let loss = model.forward(batch).mean();
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    # model }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::{AdamConfig, GradientsParams};
    # use burn::tensor::Tensor;
    # fn train(mut model: Linear, batches: Vec<Tensor<2>>) -> Linear {
    let mut optim = AdamConfig::new().init();
    for batch in batches {
        let loss = model.forward(batch).mean();
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    # model }

## Known gaps
An optimizer that is made once per epoch, and a method that is called in a loop of another crate, are left alone. Plain
`SgdConfig` keeps nothing and is never reported.

## References
burn-optim 0.22.1, src/optim/module/module_optimizer.rs (state by parameter id). Run on 0.21.0 and 0.22.1:
fixtures/training/optimizer-rebuilt-in-loop/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL404",
    "optimizer-rebuilt-in-loop",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P19",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("step", "step_multi"),
)


def check(file: FileView) -> Iterator[Finding]:
    for made, step, call in file.rebuilt_optimizers():
        finding = Finding(
            made.name_place,
            f"this optimizer is made anew for each `{step.name}`: it forgets its moments every time",
            help="make it once, before the loop, and keep it",
        ).with_because(step.name_place, "the only step that it takes")
        yield finding if call is step else finding.with_because(call.place, "in each round of this loop")
