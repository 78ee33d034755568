"""Every way from the leaf to the loss passes `detach`, `inner` or integers: its gradient is `None`.

## Why
`detach()` of a computed tensor, `inner()`, `int()`, `argmax` and comparisons start anew: nothing that lies behind them
gets a gradient. If all that the loss takes from a leaf passes one of them, `grad` answers `None`, and where nothing
else in the loss requires a gradient, `backward` panics from burn 0.22 on.

## PyTorch
The same operations cut the graph there.

## Fires
    # use burn::tensor::Tensor;
    # fn slope(w: Tensor<2>, x: Tensor<2>) -> Option<Tensor<2>> {
    let w = w.require_grad();
    let scaled = (w.clone() * 2.0).detach();
    let grads = (scaled * x).mean().backward();
    w.grad(&grads)
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn slope(w: Tensor<2>, x: Tensor<2>) -> Option<Tensor<2>> {
    let w = w.require_grad();
    let scaled = w.clone() * 2.0;
    let grads = (scaled * x).mean().backward();
    w.grad(&grads)
    # }

## Known gaps
The leaf, the loss and the question for the gradient have to stand in view of each other. What is read back to the host
and put into a tensor again is not followed.

## References
burn-autodiff 0.22.1, src/ops/tensor.rs (`float_detach`), src/grads.rs. Run on 0.21.0 and 0.22.1:
fixtures/autodiff/gradient-path-cut/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL222",
    "gradient-path-cut",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B11",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("grad", "grad_remove"),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("grad", "grad_remove", tests=False):
        lost = call.missing_gradient
        if lost is None or not lost.cuts or call.is_expected_none or _is_compared(file, call, lost.cuts):
            continue
        name = call.operands[0].named_or("the tensor")
        finding = Finding(
            call.name_place,
            f"no gradient gets from the loss to {name}: `{call.name}` gives `None`",
            help=f"leave `{lost.cuts[0].name}` out where the gradient should pass",
        )
        for cut in lost.cuts:
            finding = finding.with_because(cut.name_place, "cut off here")
        yield finding


def _is_compared(file: FileView, call: Expr, cuts: list[Expr]) -> bool:
    """Whether the same function asks for the gradient of what the cut gives too: then the cut is its subject
    (clean.rs, both_handles)."""
    sites = {cut.site for cut in cuts}
    return any(
        other.fn is call.fn
        and sites & {part.site for part in other.operands[0].all_that_takes_part.operations}
        for other in file.calls("grad", "grad_remove")
    )
