"""`fork` or `to_device` does not put a model on autodiff: the first `backward` panics.

## Why
Whether a model is on autodiff hangs on the device it was made on, and moving it never changes that. A model that was
built or loaded on a plain device stays plain on an autodiff device: its passes record nothing, and the first
`backward` panics with "Tensor::backward requires a tracked autodiff tensor". `train()` puts it on autodiff.

## Fires
    # use burn::module::Module;
    # use burn::nn::{Linear, LinearConfig};
    # use burn::optim::GradientsParams;
    # use burn::tensor::{Device, Tensor};
    # fn gradients(x: Tensor<2>) -> GradientsParams {
    let model: Linear = LinearConfig::new(64, 64).init(&Device::default());
    let model = model.fork(&Device::default().autodiff());
    GradientsParams::from_grads(model.forward(x).mean().backward(), &model)
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::{Linear, LinearConfig};
    # use burn::optim::GradientsParams;
    # use burn::tensor::{Device, Tensor};
    # fn gradients(x: Tensor<2>) -> GradientsParams {
    let model: Linear = LinearConfig::new(64, 64).init(&Device::default());
    let model = model.train().fork(&Device::default().autodiff());
    GradientsParams::from_grads(model.forward(x).mean().backward(), &model)
    # }

## Known gaps
Both devices have to be made in sight.

## References
burn-core 0.22.1, src/module/base.rs (`train`, `fork`); burn-tensor 0.22.1, src/tensor/api/base.rs (`to_device` keeps
the autodiff context of the tensor). Run on 0.22.1: fixtures/autodiff/plain-module-sent-to-autodiff/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL231",
    "plain-module-sent-to-autodiff",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B11", "B15"),
    burn=">=0.22",
    listens=("fork", "to_device"),
    messages=(r"Tensor::backward requires a tracked autodiff tensor",),
)


def check(file: FileView) -> Iterator[Finding]:
    if not file.spells_training:
        return
    for move in file.calls("fork", "to_device", tests=False):
        if move.key not in ("Module::fork", "Module::to_device"):
            continue
        module, device = move.operands
        if module.autodiff() != "plain" or device.autodiff() != "autodiff":
            continue
        training = next(move.trainings(), None)
        if training is None:
            continue
        name = module.named_or("the module")
        yield (
            Finding(
                move.name_place,
                f"{name} was not made on autodiff, and `{move.name}` does not put it there: the first `backward` panics",
                help="call `train()` on it, or make it on the autodiff device",
            )
            .with_because(training.place, "trained here")
            .with_fix("call `train()` first", module.wrapped("", ".train()"), safe=False)
        )
