"""`detach()` before an operation on a parameter leaves a leaf to compute from, so `require_grad()` on the
result panics.

## Why
`detach()` of a parameter's value is a new leaf that still requires a gradient: the operation after it is
recorded, and its result is no leaf. `require_grad()` on it panics with "Can't convert a non leaf tensor into
a tracked tensor". The order matters: first the operation, then `detach()`, then `require_grad()`.

## PyTorch
`w.detach()` requires no gradient there, so `w.detach().clamp(..).requires_grad_()` works.

## Fires
    # use burn::nn::Linear;
    # fn clip(mut layer: Linear) -> Linear {
    layer.weight = layer.weight.map(|w| w.detach().clamp(-0.1, 0.1).require_grad());
    # layer }

## Clean
    # use burn::nn::Linear;
    # fn clip(mut layer: Linear) -> Linear {
    layer.weight = layer.weight.map(|w| w.clamp(-0.1, 0.1).detach().require_grad());
    # layer }

## Known gaps
A parameter that was frozen before (`no_grad`) does not panic. Up to burn 0.21 only what the types show to be
on autodiff is reported at confidence high.

## References
burn-autodiff 0.22.1, src/tensor.rs; src/ops/tensor.rs (`float_detach`). Run on 0.21.0 and 0.22.1:
fixtures/autodiff/detach-before-op-then-require-grad/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL205",
    "detach-before-op-then-require-grad",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("P14",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("detach",),
    messages=(r"Can't convert a non leaf tensor into a tracked tensor",),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("require_grad", "set_require_grad", tests=False):
        if not call.requires_grad:
            continue
        value = call.operands[0]
        if not value.tracking().must("tracked"):
            continue
        detached = value.detached
        if detached is None:
            continue
        sure = file.burn_at_least("0.22") or value.autodiff() == "autodiff"
        if not sure and (value.autodiff() == "plain" or not file.trains):
            continue
        finding = Finding(
            call.name_place,
            f"`{call.name}` on what is computed after `detach()` panics: it is no leaf",
            help="move `detach()` behind the last operation",
        ).with_because(detached.name_place, "still a leaf that requires a gradient")
        yield finding if sure else finding.lowered(confidence="medium")
