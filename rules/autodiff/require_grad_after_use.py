"""`require_grad()` on a tensor that the loss was computed from before: its gradient is `None`.

## Why
`require_grad()` gives a leaf, and only what is computed from that leaf afterwards is recorded. A loss that was built
from the tensor before knows nothing of it: `grad` answers `None`, and where nothing else in the loss requires a
gradient, `backward` panics from burn 0.22 on.

## PyTorch
`requires_grad_()` works in place there, and it has to stand before the use all the same.

## Fires
    # use burn::tensor::Tensor;
    # fn slope(w: Tensor<2>, other: Tensor<2>) -> Option<Tensor<2>> {
    let loss = (w.clone() * other).mean();
    let w = w.require_grad();
    let grads = loss.backward();
    w.grad(&grads)
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn slope(w: Tensor<2>, other: Tensor<2>) -> Option<Tensor<2>> {
    let w = w.require_grad();
    let loss = (w.clone() * other).mean();
    let grads = loss.backward();
    w.grad(&grads)
    # }

## Known gaps
The leaf, the loss and the question for the gradient have to stand in view of each other.

## References
burn-autodiff 0.22.1, src/tensor.rs (`require_grad`), src/grads.rs. Run on 0.21.0 and 0.22.1:
fixtures/autodiff/require-grad-after-use/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL217",
    "require-grad-after-use",
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
        if lost is None or lost.used is None or call.is_expected_none:
            continue
        name = call.operands[0].named_or("the tensor")
        finding = Finding(
            call.name_place,
            f"the loss was computed before {name} required a gradient: `{call.name}` gives `None`",
            help="call `require_grad()` first and compute the loss from what it gives",
        )
        finding = finding.with_because(lost.leaf.name_place, "requires a gradient from here on")
        finding = finding.with_because(lost.used.place, "the loss is computed from this")
        # What a caller gives may be the same leaf already (fires.rs, given).
        yield finding if lost.certain else finding.lowered(confidence="medium")
