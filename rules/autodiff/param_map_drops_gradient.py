"""An operation inside `Param::map` makes the parameter a derived tensor: it gets no gradient and stays as it
is.

## Why
`map` hands out the parameter's value, a leaf, and keeps what the closure returns. What an operation returns
is no leaf: the optimizer finds no gradient for it and says nothing. On burn 0.22 the second `backward` panics
("graph tape has already been consumed"); up to 0.21 the parameter moves once and then never again. With a
`detach()` at the end, or built anew, it is frozen for good, since the flag that asks for a gradient is lost.

## PyTorch
`with torch.no_grad(): weight.mul_(0.5)` changes the leaf in place.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::GradientsParams;
    # use burn::tensor::Tensor;
    # fn train(mut layer: Linear, x: Tensor<2>) -> GradientsParams {
    layer.weight = layer.weight.map(|w| w * 0.5);
    GradientsParams::from_grads(layer.forward(x).mean().backward(), &layer)
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::GradientsParams;
    # use burn::tensor::Tensor;
    # fn train(mut layer: Linear, x: Tensor<2>) -> GradientsParams {
    layer.weight = layer.weight.map(|w| {
        let trained = w.is_require_grad();
        (w * 0.5).detach().set_require_grad(trained)
    });
    GradientsParams::from_grads(layer.forward(x).mean().backward(), &layer)
    # }

## Known gaps
Where nothing shows that the parameter is on autodiff the confidence is medium, and the rule is silent in
packages that never run `backward`. A value that the function is given from outside is taken as right. A mapped copy
that is only passed through is taken for tied weights, also where it is made once for several `backward`s.

## References
burn-core 0.22.1, src/module/param/base.rs (`map`). Run on 0.21.0 and 0.22.1:
fixtures/autodiff/param-map-drops-gradient/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL204",
    "param-map-drops-gradient",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("P14",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("map", "from_mapped_value"),
    messages=(r"graph tape has already been consumed at NodeId\(",),
)


def check(file: FileView) -> Iterator[Finding]:
    for call, values in file.new_values:
        if call.key == "Param::initialized" or any(value.parameters_read for value in values) or not values:
            continue
        parameter = call.operands[0] if call.key == "Param::map" else None
        cases = [value.tracking() for value in values]
        if all(case.must("tracked") for case in cases):
            effect = "a derived tensor"
        elif parameter is not None and all(case.must("tracked", "untracked") for case in cases):
            effect = "a tensor that asks for no gradient"
        else:
            continue
        state = parameter.autodiff() if parameter is not None else "unknown"
        if state == "plain" or (state != "autodiff" and not file.trains):
            continue
        if call.is_only_passed_through:  # clean.rs, tied
            continue
        name = parameter.named_or("the parameter") if parameter is not None else "the parameter"
        finding = Finding(
            call.name_place,
            f"{name} becomes {effect}: the optimizer finds no gradient for it and never trains it",
            help="give back a leaf with the old flag: `(..).detach().set_require_grad(flag)`",
        )
        yield finding if state == "autodiff" else finding.lowered(confidence="medium")
