"""`memory_cleanup` in every step of a training: the pages that it gives back are allocated again in the next step.

## Why
The memory pools of the GPU back ends keep pages for reuse, which is what makes the second step fast. `memory_cleanup` gives unused
pages back to the driver, and allocating them again is slow and may wait for the device. It belongs between phases: after a model is
dropped, before another one is loaded.

## PyTorch
`torch.cuda.empty_cache()` in every step: the same habit, the same cost.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::{Device, Tensor};
    # fn train(mut model: Linear, mut optim: ModuleOptimizer, rows: Vec<Tensor<2>>, device: &Device) -> Linear {
    for row in rows {
        let loss = model.forward(row).mean();
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(0.1, model, grads);
        device.memory_cleanup();
    }
    # model
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::{Device, Tensor};
    # fn train(mut model: Linear, mut optim: ModuleOptimizer, rows: Vec<Tensor<2>>, device: &Device) -> Linear {
    for row in rows {
        let loss = model.forward(row).mean();
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(0.1, model, grads);
    }
    device.sync().unwrap();
    device.memory_cleanup();
    # model
    # }

## Known gaps
Loops that only predict are left alone, and so is a cleanup behind an `if`, such as one every hundred steps. A cleanup inside of a
function that the loop calls is not seen. How much time it costs hangs on the device: confidence medium.

## References
burn-tensor 0.22.1, src/device.rs (`memory_cleanup`); cubecl-runtime 0.11.3, src/memory_management.
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/memory-cleanup-in-step-loop/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL618",
    "memory-cleanup-in-step-loop",
    symptom="slow",
    severity="warning",
    confidence="medium",
    pitfalls=("B25",),
    burn=">=0.16",
    proven=("0.22.1",),
    listens=("memory_cleanup",),
    supersedes=("memory-cleanup-without-sync",),
)


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    sync = "device.sync()" if file.burn_at_least("0.22") else "B::sync(&device)"
    for call in file.calls("memory_cleanup"):
        if (
            call.loop is None
            or call.loop.expr is None
            or call.in_branch_within(call.loop.expr)
            or call.passed_over_in(call.loop.expr)
            or call.asks_device != "memory_cleanup"
        ):
            continue
        steps = call.steps_with
        if steps:
            yield Finding(
                call.name_place,
                "the pages that `memory_cleanup` gives back in every step are allocated again in the next one",
                help=f"call it after the loop, behind `{sync}`",
            ).with_because(steps[-1].name_place, "the loop trains here")
