"""A training input that is not on autodiff passes Dropout or BatchNorm before the first parameter: they are in
evaluation mode there.

## Why
From burn 0.22 on such a layer is in training mode where its flag is on **and** its input is on autodiff. Behind a layer
with parameters every tensor is; what the batch brings to a Dropout or BatchNorm in front of them is only if it was made
on the autodiff device. Otherwise Dropout drops nothing, and BatchNorm normalises by its running statistics and never
updates them: they stay at mean 0 and variance 1.

## PyTorch
The mode hangs on `model.train()` alone there.

## Fires
    # use burn::module::Module;
    # use burn::nn::{Dropout, Linear};
    # use burn::optim::GradientsParams;
    # use burn::tensor::{Device, Tensor};
    # #[derive(Module, Debug)]
    # struct Net { dropout: Dropout, layer: Linear }
    # fn gradients(net: &Net) -> GradientsParams {
    let device = Device::default();
    let x = Tensor::<2>::ones([32, 64], &device);
    let hidden = net.dropout.forward(x);
    let loss = net.layer.forward(hidden).mean();
    GradientsParams::from_grads(loss.backward(), net)
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::{Dropout, Linear};
    # use burn::optim::GradientsParams;
    # use burn::tensor::{Device, Tensor};
    # #[derive(Module, Debug)]
    # struct Net { dropout: Dropout, layer: Linear }
    # fn gradients(net: &Net) -> GradientsParams {
    let device = Device::default().autodiff();
    let x = Tensor::<2>::ones([32, 64], &device);
    let hidden = net.dropout.forward(x);
    let loss = net.layer.forward(hidden).mean();
    GradientsParams::from_grads(loss.backward(), net)
    # }

## Known gaps
The device of the input has to be made in sight; a batch that a data loader makes is not followed.

## References
burn-nn 0.22.1, src/modules/dropout.rs, src/modules/norm/batch.rs, src/modules/noise.rs. Run on 0.22.1:
fixtures/autodiff/train-input-on-plain-device/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL211",
    "train-input-on-plain-device",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B16",),
    burn=">=0.22",
    listens=("backward",),
)
EFFECTS = {
    "Dropout::forward": "`Dropout` drops nothing",
    "GaussianNoise::forward": "`GaussianNoise` adds nothing",
    "BatchNorm::forward": "`BatchNorm` never updates its running statistics and normalises by them",
}


def check(file: FileView) -> Iterator[Finding]:
    if not any(map(file.package_spells, ("Dropout", "BatchNorm", "GaussianNoise"))):
        return
    for event in file.backwards:
        if event.call.optimizers() is None:
            continue
        for layer in event.passes_through(*EFFECTS):
            tensor = layer.operands[1]
            if tensor.autodiff() != "plain":
                continue
            shown = layer.run_in(event.call)
            finding = Finding(
                shown.name_place,
                f"the input of this pass is not on autodiff: {EFFECTS[layer.key]} in training",
                help="make the training inputs on the device of the model, which is on autodiff",
            )
            for device in tensor.devices_behind:
                finding = finding.with_because(device.place, "a device without autodiff")
            yield finding.with_because(layer.name_place, "in evaluation mode here")
