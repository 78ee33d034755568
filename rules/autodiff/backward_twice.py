"""A second `backward` on the same tensor panics: the first one consumed what was recorded.

## Why
burn has no `retain_graph`. A `backward` takes the recorded operations out of the graph as it walks through
them, and a clone of the root shares them. On burn 0.22 the second call panics with "graph tape has already
been consumed", up to 0.21 with "Node should have a step registered".

## PyTorch
The second `loss.backward()` fails there too, unless the first had `retain_graph=True`.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::GradientsParams;
    # use burn::tensor::Tensor;
    # fn gradients(actor: &Linear, critic: &Linear, x: Tensor<2>) -> [GradientsParams; 2] {
    let loss = critic.forward(actor.forward(x)).mean();
    let of_actor = GradientsParams::from_grads(loss.backward(), actor);
    let of_critic = GradientsParams::from_grads(loss.backward(), critic);
    # [of_actor, of_critic] }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::GradientsParams;
    # use burn::tensor::Tensor;
    # fn gradients(actor: &Linear, critic: &Linear, x: Tensor<2>) -> [GradientsParams; 2] {
    let loss = critic.forward(actor.forward(x)).mean();
    let mut grads = loss.backward();
    let of_actor = GradientsParams::from_module(&mut grads, actor);
    let of_critic = GradientsParams::from_module(&mut grads, critic);
    # [of_actor, of_critic] }

## Known gaps
Elements of a collection are not told apart. Tests are left alone: they may want the panic.

## References
burn-autodiff 0.22.1, src/runtime/server.rs. Run on 0.21.0 and 0.22.1:
fixtures/autodiff/backward-twice/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL213",
    "backward-twice",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B12",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("backward",),
    messages=(
        r"graph tape has already been consumed",
        r"Node should have a step registered, did you forget to call `Tensor::register_grad`",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    events = [each for each in file.backwards if not each.records_nothing]
    for event in events:
        name = event.root.named_or("the tensor")
        if event.again_on_the_same is not None:
            yield Finding(
                event.call.name_place,
                f"each round calls `backward` on the same {name}: the second round panics",
                help="compute the loss anew in each round",
            )
            continue
        for earlier in events:
            always = earlier.runs_before(event)
            if always is False or not earlier.root.same_as(event.root):
                continue
            finding = Finding(
                event.call.name_place,
                f"{name} had its `backward` already, which consumed what was recorded: this one panics",
                help="take all gradients from one `backward` (`GradientsParams::from_module`)",
            ).with_because(earlier.call.name_place, "consumed here")
            # Conditions may exclude each other (fires.rs, sometimes).
            yield finding if always else finding.lowered(confidence="medium")
            break
