"""A state or total carried over the rounds of a loop is still recorded while each round runs `backward`: the
next one panics.

## Why
The carried tensor hangs on operations of the round before, and that round's `backward` consumed them. When
the next round's loss hangs on the carried tensor, its `backward` walks into them and panics with "graph tape
has already been consumed": in the second round, or in the third when the state takes part in the loss one
round late. Up to burn 0.21 this changes nothing.

## PyTorch
The same fails there ("Trying to backward through the graph a second time"); the habit is `hidden =
hidden.detach()`.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(mut cell: Linear, optim: &mut ModuleOptimizer, xs: Vec<Tensor<2>>, h: Tensor<2>) -> Linear {
    let mut hidden = h;
    for x in xs {
        let output = cell.forward(x + hidden).tanh();
        let loss = output.clone().square().mean();
        let grads = GradientsParams::from_grads(loss.backward(), &cell);
        cell = optim.step(1e-3, cell, grads);
        hidden = output;
    }
    # cell }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(mut cell: Linear, optim: &mut ModuleOptimizer, xs: Vec<Tensor<2>>, h: Tensor<2>) -> Linear {
    let mut hidden = h;
    for x in xs {
        let output = cell.forward(x + hidden).tanh();
        let loss = output.clone().square().mean();
        let grads = GradientsParams::from_grads(loss.backward(), &cell);
        cell = optim.step(1e-3, cell, grads);
        hidden = output.detach();
    }
    # cell }

## Known gaps
A state that a field or a struct (`LstmState`) carries over is not followed, nor one that a `backward` under a
condition consumes.

## References
burn-autodiff 0.22.1, src/runtime/server.rs. Run on 0.22.1: fixtures/autodiff/consumed-state-in-loop/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL215",
    "consumed-state-in-loop",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B12",),
    burn=">=0.22",
    listens=("backward",),
    messages=(r"graph tape has already been consumed",),
)


def check(file: FileView) -> Iterator[Finding]:
    for event in file.backwards:
        if event.call.loop is None:
            continue
        carried = event.carried
        if not carried:
            continue
        use, name = carried[0]
        yield Finding(
            event.call.name_place,
            f"`{name}` hangs on what the `backward` of an earlier round consumed: a later one panics",
            help=f"cut it off before the next round: `{name} = {name}.detach()`",
        ).with_because(use.place, "carried over from the round before")
