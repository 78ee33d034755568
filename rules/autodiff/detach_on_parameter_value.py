"""`val().detach()` of a parameter still requires a gradient: what is computed from it is recorded, and the second
`backward` over it panics.

## Why
`detach()` of a leaf that requires a gradient gives another leaf that requires one. An operation on it is recorded. If
that is done once, and each round of a training loop takes the result into its loss, the first `backward` consumes the
record and the second one panics with "graph tape has already been consumed". `inner()` leaves autodiff, and `detach()`
after the operation cuts it off.

## PyTorch
`param.detach()` requires no gradient there.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(mut model: Linear, optim: &mut ModuleOptimizer, batches: Vec<Tensor<2>>) -> Linear {
    let anchor = model.weight.val().detach() * 0.5;
    for x in batches {
        let pull = (model.weight.val() - anchor.clone()).square().mean();
        let loss = model.forward(x).mean() + pull;
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    # model }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(mut model: Linear, optim: &mut ModuleOptimizer, batches: Vec<Tensor<2>>) -> Linear {
    let anchor = model.weight.val().inner() * 0.5;
    for x in batches {
        let pull = (model.weight.val() - anchor.clone()).square().mean();
        let loss = model.forward(x).mean() + pull;
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    # model }

## Known gaps
A detached value that is computed anew in each step costs a record that nobody needs, and nothing is said about it. One
that becomes a parameter is param-rebuilt-from-tracked-value, one that a loop adds up ema-accumulator-not-detached. Up
to burn 0.21 there is no panic, and the rule is silent.

## References
burn-autodiff 0.22.1, src/ops/tensor.rs (`float_detach`), src/runtime/server.rs. Run on 0.22.1:
fixtures/autodiff/detach-on-parameter-value/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL202",
    "detach-on-parameter-value",
    symptom="panic",
    severity="warning",
    confidence="high",
    pitfalls=("P10",),
    burn=">=0.22",
    listens=("backward",),
    messages=(r"graph tape has already been consumed",),
)


def check(file: FileView) -> Iterator[Finding]:
    if not file.package_spells("detach"):
        return
    for event in file.backwards:
        made = event.made_before_loop
        if not made:
            continue
        leaves = made[-1].leaves_beneath
        cuts = [leaf for leaf in leaves if leaf.detached and leaf.operands[0].tracking().must("parameter")]
        if not cuts or len(cuts) < len(leaves):
            continue
        finding = Finding(
            cuts[0].name_place,
            "`detach()` of a parameter's value still requires a gradient: what is computed from it is recorded, and the "
            "second `backward` over it panics",
            help="use `inner()`, or detach after the last operation",
        )
        finding = finding.with_because(made[-1].place, "recorded once, before the loop")
        finding = finding.with_because(event.call.name_place, "consumed in the first round")
        yield finding.with_fix("use `inner()`", *(Edit(cut.method_name, "inner") for cut in cuts), safe=False)
