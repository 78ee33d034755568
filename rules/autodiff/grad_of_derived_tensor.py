"""`grad` of a tensor that was computed from the leaf is None: only leaves keep their gradient.

## Why
`backward` hands the gradients of computed tensors on and keeps those of leaves only. `require_grad()` makes a
leaf of the tensor it is called on; every operation after it (`* 0.1`, `reshape`, `to_device`) gives another
tensor, which is none. `grad` answers `None`, and an `unwrap` on it panics far from the cause.

## PyTorch
`.grad` of a non-leaf is `None` there too, with a warning, unless `retain_grad()` was called.

## Fires
    # use burn::tensor::Tensor;
    # fn slope(start: Tensor<2>) -> Option<Tensor<2>> {
    let w = start.require_grad() * 0.1;
    let grads = w.clone().square().mean().backward();
    w.grad(&grads)
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn slope(start: Tensor<2>) -> Option<Tensor<2>> {
    let w = (start * 0.1).require_grad();
    let grads = w.clone().square().mean().backward();
    w.grad(&grads)
    # }

## Known gaps
A `cast` gives the leaf itself where the type stays the same, so nothing is said about what went through one.

## References
burn-autodiff 0.22.1, src/grads.rs. Run on 0.21.0 and 0.22.1:
fixtures/autodiff/grad-of-derived-tensor/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL216",
    "grad-of-derived-tensor",
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
        if call.key not in ("Tensor::grad", "Tensor::grad_remove") or call.is_expected_none:
            continue
        tensor = call.operands[0]
        tracking = tensor.tracking()
        if not tracking.must("tracked"):
            continue
        name = tensor.named_or("the tensor")
        finding = Finding(
            call.name_place,
            f"{name} is computed from a leaf and keeps no gradient: `{call.name}` gives `None`",
            help="ask the leaf, or call `require_grad()` last",
        )
        for cause in tracking.causes("tracked"):
            finding = finding.with_because(tensor.at(cause).name_place, "the leaf is this")
        last = tensor.operation
        if last is not None:
            finding = finding.with_because(last.name_place, "computed here")
        yield finding
