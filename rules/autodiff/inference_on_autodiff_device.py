"""A model that is only used to predict runs on autodiff: every pass is recorded, memory grows, and Dropout
stays on.

## Why
On an autodiff device or backend each operation is recorded for a `backward` that never comes. On burn 0.22.1
a small network keeps 31 kB per pass of 32 samples, for ever: nothing but a `backward` frees it. And a model
that was not made by `valid()` is in training mode there: Dropout drops and BatchNorm uses the statistics of
the batch, so the same input gives another answer each time. Up to burn 0.21 the mode hangs on the backend
alone.

## PyTorch
`with torch.inference_mode():` and `model.eval()`. In burn it is the device (the backend up to 0.21) without
autodiff.

## Fires
    # use burn::nn::{Linear, LinearConfig};
    # use burn::tensor::{Device, Tensor};
    # fn serve() {
    let device = Device::default().autodiff();
    let model: Linear = LinearConfig::new(64, 64).init(&device);
    for _ in 0..1000 {
        let answer = model.forward(Tensor::<2>::ones([32, 64], &device));
        println!("{:?}", answer.dims());
    }
    # }

## Clean
    # use burn::nn::{Linear, LinearConfig};
    # use burn::tensor::{Device, Tensor};
    # fn serve() {
    let device = Device::default();
    let model: Linear = LinearConfig::new(64, 64).init(&device);
    for _ in 0..1000 {
        let answer = model.forward(Tensor::<2>::ones([32, 64], &device));
        println!("{:?}", answer.dims());
    }
    # }

## Known gaps
From burn 0.22 on the device, the model and the passes have to stand in one function that trains nothing. Up
to 0.21 only calls that name the backend (`infer::<Autodiff<Wgpu>>(..)`) of functions that are generic over
`Backend` are seen. An agent that acts on the model which it trains is left alone: its next training step
frees the records.

## References
burn-autodiff 0.22.1, src/runtime (records are freed by `backward`); burn-nn 0.22.1, src/modules/dropout.rs;
burn-nn 0.21.0, src/modules/dropout.rs (`B::ad_enabled`). Run on 0.21.0 and 0.22.1:
fixtures/autodiff/inference-on-autodiff-device/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL208",
    "inference-on-autodiff-device",
    symptom="memory",
    severity="warning",
    confidence="high",
    pitfalls=("B13", "B16"),
    burn=">=0.12",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("autodiff", "Autodiff"),
)


RUNS = re.compile(rb"forward")


def check(file: FileView) -> Iterator[Finding]:
    for device in file.calls("autodiff", near=RUNS, tests=False):
        if device.key != "Device::autodiff" or not device.predictions:
            continue
        finding = Finding(
            device.name_place,
            "nothing here runs `backward`: each pass on this device is recorded for ever, and Dropout stays in training mode",
            help="leave `.autodiff()` out",
        )
        for output in device.predictions[:1]:
            finding = finding.with_because(output.name_place, "a pass that nothing is trained on")
        place = device.call_place
        yield (
            finding
            if place is None
            else finding.with_fix("leave `.autodiff()` out", Edit(place, ""), safe=False)
        )
    if not file.package_spells("Autodiff"):
        return
    for call in file.generic_calls:
        if ("Backend", "autodiff") not in call.backends_given or not call.only_predicts:
            continue
        yield Finding(
            call.place,
            f"`{call.name}` only predicts, yet its backend is on autodiff: passes are recorded, Dropout stays in training mode",
            help="call it with the backend inside of `Autodiff<..>`",
        )
