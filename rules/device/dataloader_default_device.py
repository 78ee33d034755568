"""A data loader without a device makes its batches on the default one, and the model is on another: the first pass panics.

## Why
`DataLoaderBuilder` takes `Device::default()` where `set_device` is not called. A model that was made on `Device::vulkan(..)`, which
is another device than the default even on the same card, then gets batches from elsewhere. A `Learner` moves the loader to its own
device; a loop by hand does not.

## PyTorch
A loader there gives tensors on the CPU, and every loop moves them.

## Fires
    # use burn::data::dataloader::{DataLoaderBuilder, batcher::Batcher};
    # use burn::data::dataset::InMemDataset;
    # use burn::nn::LinearConfig;
    # use burn::tensor::{Device, DeviceKind, Tensor};
    # // burnlint: ignore-file[device-constructor-without-feature] -- the back ends are the reader's
    # #[cfg(feature = "vulkan")]
    # fn run<R: Batcher<f32, Tensor<2>> + 'static>(rows: R, data: InMemDataset<f32>) {
    let device = Device::vulkan(DeviceKind::DefaultDevice);
    let model = LinearConfig::new(1, 1).init(&device);
    let loader = DataLoaderBuilder::new(rows).batch_size(8).build(data);
    for batch in loader.iter() {
        println!("{}", model.forward(batch.unwrap()));
    }
    # }

## Clean
    # use burn::data::dataloader::{DataLoaderBuilder, batcher::Batcher};
    # use burn::data::dataset::InMemDataset;
    # use burn::nn::LinearConfig;
    # use burn::tensor::{Device, DeviceKind, Tensor};
    # // burnlint: ignore-file[device-constructor-without-feature] -- the back ends are the reader's
    # #[cfg(feature = "vulkan")]
    # fn run<R: Batcher<f32, Tensor<2>> + 'static>(rows: R, data: InMemDataset<f32>) {
    let device = Device::vulkan(DeviceKind::DefaultDevice);
    let model = LinearConfig::new(1, 1).init(&device);
    let loader = DataLoaderBuilder::new(rows).batch_size(8).set_device(device).build(data);
    for batch in loader.iter() {
        println!("{}", model.forward(batch.unwrap()));
    }
    # }

## Known gaps
The loader and the loop have to stand in one function, as a loader from elsewhere may have been moved; the pass, the model and
its device may come from functions that it calls. A batcher may hold a device of its own and leave the loader's alone:
hence confidence medium.

## References
burn-core 0.22.1, src/data/dataloader/builder.rs (`build`); burn-dispatch 0.22.1, src/device.rs (`Default for DispatchDevice`).
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/dataloader-default-device/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL602",
    "dataloader-default-device",
    symptom="panic",
    severity="warning",
    confidence="medium",
    pitfalls=("B5",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("DataLoaderBuilder",),
)


def check(file: FileView) -> Iterator[Finding]:
    if not file.source.holds(file.device_spelling):
        return
    for build in file.calls("build", near=file.makes_device, tests=False):
        if build.key != "DataLoaderBuilder::build":
            continue
        chain = [each.key for each in build.derived_by()]
        if "DataLoaderBuilder::set_device" in chain or chain[-1:] != ["DataLoaderBuilder::new"]:
            continue
        if build.derived_by()[-1].is_given_device:
            continue
        runs = (run for output in file.passes() for run in output.runs())
        finding = next((found for run in runs if (found := _judged(build, run)) is not None), None)
        if finding is not None:
            yield finding


def _judged(build: Expr, output: Expr) -> Finding | None:
    """Of a pass through a model, as the loop over the loader runs it."""
    caller = output.called_by
    met = caller or output
    loop = met.batch_loop(build)
    if loop is None or loop.spells("to_device") or loop.moves_tensors:
        return None
    if caller is not None and output.function_spells("to_device"):
        return None
    made = output.operands[0].device
    if made is None or made.name == "default" or not made.is_never_default(build.file.backends):
        return None
    return (
        Finding(
            build.name_place,
            f"the batches are made on `Device::default()`, the model on `{made.call.spelling}`: the first pass panics",
            help="call `.set_device(device.clone())` before `build`",
        )
        .with_because(made.call.place, "the model is made on this device")
        .with_because(met.name_place, "a batch meets the model here")
    )
