"""Gradients that belong to another module than the one at hand: the step changes nothing, and says nothing.

## Why
`GradientsParams::from_grads` looks for the parameters of the module it is given among what the `backward` reached. A
fork of the model, or the model that a step gave back, has leaves of its own: nothing is found for them. A step looks
for gradients by parameter id: those that were collected for another module fit none of its parameters. In both cases
the result is an empty update.

## PyTorch
`loss.backward()` writes into the parameters themselves, and an optimizer is bound to them.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::optim::GradientsParams;
    # use burn::tensor::{Device, Tensor};
    # fn gradients(model: Linear, gpu: &Device, x: Tensor<2>) -> GradientsParams {
    let loss = model.forward(x).mean();
    let model = model.fork(gpu);
    GradientsParams::from_grads(loss.backward(), &model)
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::optim::GradientsParams;
    # use burn::tensor::{Device, Tensor};
    # fn gradients(model: Linear, gpu: &Device, x: Tensor<2>) -> GradientsParams {
    let model = model.fork(gpu);
    let loss = model.forward(x).mean();
    GradientsParams::from_grads(loss.backward(), &model)
    # }

## Known gaps
A fork keeps the parameter ids, so a step may apply the gradients of a fork: that is meant with several devices. Two
modules count as different only where both are seen to be made by `init`, for clones share their ids.

## References
burn-optim 0.22.1, src/optim/visitor.rs (by leaf), src/optim/module/module_optimizer.rs (by id). Run on 0.21.0 and
0.22.1: fixtures/autodiff/gradients-for-other-module/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL219",
    "gradients-for-other-module",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B11",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("from_grads", "from_module"),
)


def check(file: FileView) -> Iterator[Finding]:
    for collect in file.calls("from_grads", "from_module", tests=False):
        fresh = collect.unrelated_loss
        if fresh is None:
            continue
        name = collect.operands[1].named_or("the module")
        yield Finding(
            collect.place,
            f"the loss was computed without {name}: no gradient is found for its parameters, and the step changes nothing",
            help="collect the gradients for the module that computed the loss, before it is forked or stepped",
        ).with_because(fresh.name_place, "its parameters are new leaves from here on")
    for step in file.calls("step", "step_multi", tests=False):
        other = step.other_module
        module = step.stepped_module
        if other is None or module is None:
            continue
        owner, collect = other
        given, stepped = owner.named_or("the module"), module.named_or("the module")
        yield Finding(
            step.name_place,
            f"these gradients were collected for {given}: none belongs to a parameter of {stepped}, and the step "
            "changes nothing",
            help="give the step the gradients of the module that it updates",
        ).with_because(collect.place, "collected here")
