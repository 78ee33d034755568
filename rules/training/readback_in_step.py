"""The host reads a tensor in every training step: it waits for the device each time, and the device waits for it.

## Why
On a GPU, operations are queued and the host runs ahead. `into_scalar` and `into_data` wait until everything before is
done; in the innermost loop, for a progress bar, that keeps the queue empty, and fusion cannot look past it. Reading
every hundredth step, or summing on the device and reading once per epoch, costs nothing.

## PyTorch
`loss.item()` in the loop is the same stall.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(mut model: Linear, mut optim: ModuleOptimizer, batches: Vec<Tensor<2>>) -> Linear {
    for x in batches {
        let loss = model.forward(x).mean();
        println!("{}", loss.clone().into_scalar::<f32>());
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    # model }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(mut model: Linear, mut optim: ModuleOptimizer, batches: Vec<Tensor<2>>) -> Linear {
    for (n, x) in batches.into_iter().enumerate() {
        let loss = model.forward(x).mean();
        if n % 100 == 0 {
            println!("{}", loss.clone().into_scalar::<f32>());
        }
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    # model }

## Known gaps
Pedantic: with a large model the wait is small beside the step. Silent where only eager CPU back ends are on. A read
inside of a function that the loop calls is not seen.

## References
burn-fusion 0.22.1, src/client.rs (a read drains the queue); burn-cubecl 0.22.1, src/backend.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL420",
    "readback-in-step",
    symptom="slow",
    severity="note",
    confidence="medium",
    group="pedantic",
    burn=">=0.13",
    proven=(),
    listens=("step", "step_multi"),
)


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    for read, step in file.readbacks():
        yield Finding(
            read.name_place,
            f"`{read.name}` waits for the device in every training step",
            help="read every so many steps, or collect on the device and read once per epoch",
        ).with_because(step.name_place, "the step of this loop")
