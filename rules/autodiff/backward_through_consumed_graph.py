"""Two losses, or the rounds of a loop, share something computed and each runs `backward`: the second one panics.

## Why
burn has no `retain_graph`: the first `backward` consumes every recorded operation beneath its root. A second
loss that hangs on one of them panics with "graph tape has already been consumed", whether it was built before
or after the first `backward`, and also when only a part of it is shared. Leaves (parameters, inputs) may be
shared.

## PyTorch
The same fails there ("Trying to backward through the graph a second time"), and `retain_graph=True` is the
habit that burn lacks.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::GradientsParams;
    # use burn::tensor::Tensor;
    # fn gradients(encoder: &Linear, x: Tensor<2>) -> [GradientsParams; 2] {
    let features = encoder.forward(x);
    let near = features.clone().square().mean();
    let small = features.abs().mean();
    let first = GradientsParams::from_grads(near.backward(), encoder);
    let second = GradientsParams::from_grads(small.backward(), encoder);
    # [first, second] }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::GradientsParams;
    # use burn::tensor::Tensor;
    # fn gradients(encoder: &Linear, x: Tensor<2>) -> GradientsParams {
    let features = encoder.forward(x);
    let near = features.clone().square().mean();
    let small = features.abs().mean();
    GradientsParams::from_grads((near + small).backward(), encoder)
    # }

## Known gaps
The output of a module counts as recorded only where the module is visibly trained. Up to burn 0.21 only
losses that were built before the first `backward` panic; the rule is silent there.

## References
burn-autodiff 0.22.1, src/runtime/server.rs. Run on 0.22.1:
fixtures/autodiff/backward-through-consumed-graph/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL214",
    "backward-through-consumed-graph",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B12",),
    burn=">=0.22",
    listens=("backward",),
    messages=(r"graph tape has already been consumed",),
)


def check(file: FileView) -> Iterator[Finding]:
    events = file.backwards
    for event in events:
        for earlier in events:
            always = earlier.runs_before(event)
            if always is False or earlier.root.same_as(event.root):
                continue
            shared = earlier.tape.shared(event.tape)
            if not shared:
                continue
            name = event.root.named_or("the tensor")
            finding = Finding(
                event.call.name_place,
                f"{name} hangs on what an earlier `backward` consumed: this one panics",
                help="add the losses and call `backward` once, or compute the shared part anew",
            )
            finding = finding.with_because(event.root.at(shared[-1]).place, "both are computed from this")
            finding = finding.with_because(earlier.call.name_place, "consumed here")
            yield finding if always else finding.lowered(confidence="medium")
            break
        else:
            made = event.made_before_loop
            # The same root is backward-twice, a detached parameter detach-on-parameter-value.
            if not made or event.again_on_the_same or all(leaf.detached for leaf in made[-1].leaves_beneath):
                continue
            name = event.root.named_or("the tensor")
            yield Finding(
                event.call.name_place,
                f"{name} hangs on what is computed once before the loop: the first round consumes it, the second panics",
                help="compute it in each round, or detach it before the loop",
            ).with_because(made[-1].place, "computed once, before the loop")
