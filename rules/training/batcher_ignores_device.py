"""A batcher leaves the device that the loader hands to it unused and takes one of its own: batch and model do not meet.

## Why
`batch` is given the device that was set on the loader, or that a `Learner` has moved the loader to. A batcher that uses
`Device::default()`, or one that it keeps, works as long as both happen to be the same. Where they differ, the batch is not
where the loader was told to put it (run on burn 0.22.1), and burn refuses operations on tensors of two devices: the
program panics in the first layer, often on the one machine that has a second device.

## PyTorch
A data set gives tensors on the CPU, and the loop moves them.

## Fires
    # use burn::data::dataloader::batcher::Batcher;
    # use burn::tensor::{Device, Tensor};
    # struct ToTensor;
    impl Batcher<f32, Tensor<1>> for ToTensor {
        fn batch(&self, items: Vec<f32>, _device: &Device) -> Tensor<1> {
            Tensor::from_floats(items.as_slice(), &Device::default())
        }
    }

## Clean
    # use burn::data::dataloader::batcher::Batcher;
    # use burn::tensor::{Device, Tensor};
    # struct ToTensor;
    impl Batcher<f32, Tensor<1>> for ToTensor {
        fn batch(&self, items: Vec<f32>, device: &Device) -> Tensor<1> {
            Tensor::from_floats(items.as_slice(), device)
        }
    }

## Known gaps
Confidence medium: the devices may be equal. Tensors that a function makes for the batcher are not looked at.

## References
burn-core 0.22.1, src/data/dataloader/batcher.rs and builder.rs (`set_device`). Run on 0.22.1:
fixtures/training/batcher-ignores-device/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL419",
    "batcher-ignores-device",
    symptom="panic",
    severity="warning",
    confidence="medium",
    pitfalls=("B5",),
    burn=">=0.18",
    listens=("Batcher",),
)


def check(file: FileView) -> Iterator[Finding]:
    for device in file.batchers_on_another_device():
        yield Finding(
            device.place,
            f"this batch goes to `{device.owner.spelling}`, not to the loader's device: on another one it does not meet the model",
            help="use the device that `batch` is given",
        )
