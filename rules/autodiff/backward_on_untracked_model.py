"""Gradients are collected for a `valid()`, `no_grad()` or `freeze()` model: `backward` panics, or there are none.

## Why
The parameters of such a model record nothing. A loss that is computed from it alone hangs on no leaf: on burn 0.22 `backward`
panics with "Tensor::backward requires a tracked autodiff tensor". If another leaf takes part, `backward` runs and the gradients
that are collected for the model are empty, so the step changes nothing.

## PyTorch
"element 0 of tensors does not require grad and does not have a grad_fn".

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::optim::GradientsParams;
    # use burn::tensor::Tensor;
    # fn gradients(model: &Linear, x: Tensor<2>) -> GradientsParams {
    let model = model.valid();
    let loss = model.forward(x).square().mean();
    GradientsParams::from_grads(loss.backward(), &model)
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::GradientsParams;
    # use burn::tensor::Tensor;
    # fn gradients(model: &Linear, x: Tensor<2>) -> GradientsParams {
    let loss = model.forward(x).square().mean();
    GradientsParams::from_grads(loss.backward(), model)
    # }

## Known gaps
Only where gradients are collected for the very model: a `backward` over a frozen model may be meant for its inputs.

## References
burn-tensor 0.22.1, src/tensor/api/autodiff.rs (`backward`); burn-core 0.22.1, src/module/base.rs.
Run on 0.22.1: fixtures/autodiff/backward-on-untracked-model/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL221",
    "backward-on-untracked-model",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B11",),
    burn=">=0.22",
    listens=("from_grads", "from_module"),
    messages=(r"Tensor::backward requires a tracked autodiff tensor",),
)
UNTRACKED = ("Module::valid", "Module::no_grad", "Module::freeze")


def check(file: FileView) -> Iterator[Finding]:
    for collect in file.calls("from_grads", "from_module", tests=False):
        if collect.key not in (
            "GradientsParams::from_grads",
            "GradientsParams::from_module",
        ):
            continue
        model = collect.operands[1]
        made = model.operation
        if made is None or made.key not in UNTRACKED:
            continue
        name = model.named_or("the model")
        yield Finding(
            collect.place,
            f"{name} comes from `{made.name}()` and records nothing: `backward` panics, or gives it no gradients",
            help="compute the loss and collect the gradients with the model that is trained",
        ).with_because(made.name_place, "nothing is recorded from here on")
