"""A parameter rebuilt by arithmetic over parameter values stays recorded: the graph goes on growing, and a
`backward` panics.

## Why
`param.val()` is a leaf that requires a gradient, and what is computed from it is recorded.
`Param::initialized` and `Param::map` keep that record. A target network that is updated so (an exponential
average, a soft update) hangs each update on the one before. On burn 0.22 the third training step that reads the
parameter in its loss panics with "graph tape has already been consumed". Up to 0.21 such a loss silently sends
gradients through the target into the model that it was updated from; where the target's output is detached, nothing
consumes the record: every step is slower than the last, and memory grows.

## PyTorch
The habit is `with torch.no_grad():` around the update. burn's is `inner()` before the arithmetic, or
`detach()` after it.

## Fires
    # use burn::module::Param;
    # use burn::optim::GradientsParams;
    # use burn::nn::Linear;
    # use burn::tensor::{Tensor, activation};
    # fn step(net: &Linear, x: Tensor<2>) -> GradientsParams {
    #     GradientsParams::from_grads(net.forward(x).mean().backward(), net)
    # }
    # fn update(mut target: Linear, online: &Linear, rate: f64) -> Linear {
    let mixed = target.weight.val() * (1.0 - rate) + online.weight.val() * rate;
    target.weight = Param::initialized(target.weight.id, mixed);
    # target }

## Clean
    # use burn::module::Param;
    # use burn::optim::GradientsParams;
    # use burn::nn::Linear;
    # use burn::tensor::Tensor;
    # fn step(net: &Linear, x: Tensor<2>) -> GradientsParams {
    #     GradientsParams::from_grads(net.forward(x).mean().backward(), net)
    # }
    # fn update(mut target: Linear, online: &Linear, rate: f64) -> Linear {
    let mixed = target.weight.val() * (1.0 - rate) + online.weight.val() * rate;
    target.weight = Param::initialized(target.weight.id, mixed.detach());
    # target }

## Known gaps
Where nothing shows that the parameters are on autodiff (a function generic over the backend, a device from
elsewhere) the confidence is medium, and the rule is silent in packages that never run `backward`.

## References
burn-core 0.22.1, src/module/param/base.rs (`initialized`, `map`). Run on 0.21.0 and 0.22.1:
fixtures/autodiff/param-rebuilt-from-tracked-value/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL203",
    "param-rebuilt-from-tracked-value",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("P10", "P14"),
    burn=">=0.13",
    proven=("0.15.0", "0.20.1", "0.21.0", "0.22.1"),
    listens=("initialized", "from_mapped_value", "map"),
    messages=(r"graph tape has already been consumed",),
)
EFFECT = {
    True: "once a `backward` has consumed that, the next one over this parameter panics",
    False: "a loss through it reaches what it is computed from too, and until one does the record stays with it",
}


def check(file: FileView) -> Iterator[Finding]:
    if not file.package_spells("val()"):
        return
    for call, values in file.new_values:
        # What `map` and a mapper make of the parameter's own value alone is param-map-drops-gradient.
        others = [each for value in values for each in value.parameters_read]
        if not others or not all(value.tracking().must("tracked") for value in values):
            continue
        states = {each.autodiff() for each in others}
        if states == {"plain"} or ("autodiff" not in states and not file.trains):
            continue
        if call.is_only_passed_through and not call.outlives_backward:  # clean.rs, tied
            continue
        name = values[0].named_or("the new value")
        finding = Finding(
            call.name_place if call.key == "Param::map" else call.place,
            f"{name} is still recorded: {EFFECT[file.burn_at_least('0.22')]}",
            help="append `.detach()` to the new value (and `.require_grad()` if it is to be trained)",
        )
        for each in others:
            finding = finding.with_because(each.place, "recorded from here on")
        yield finding if "autodiff" in states else finding.lowered(confidence="medium")
