"""`linalg::svd` on a tensor of an autodiff device panics, tracked or not; `inner()` is the way out, `detach()` is not.

## Why
`svd` has no backward pass. On a leaf that requires a gradient it panics with "linalg::svd: gradients are not
implemented; detach the input tensor first", on every other tensor of an autodiff device with "Backend not supported for
custom op `svd`". The advice of the first text does not help: what is detached stays on autodiff, and a detached leaf
still requires a gradient. `inner()` leaves autodiff. All other operations of burn 0.22.1 that were tried (`qr`, `lu`,
`det`, `topk`, `median`, ..) have a gradient.

## PyTorch
`torch.linalg.svd` has a gradient.

## Fires
    # // Cargo.toml: burn = { version = "=0.22.1", features = ["linalg"] }
    # use burn::nn::{Linear, LinearConfig};
    # use burn::tensor::{Device, Tensor};
    # fn nuclear_norm() -> Tensor<1> {
    let device = Device::default().autodiff();
    let layer: Linear = LinearConfig::new(8, 8).init(&device);
    let (_, s, _) = burn::linalg::svd::<2, 1>(layer.weight.val(), 30);
    s.sum()
    # }

## Clean
    # // Cargo.toml: burn = { version = "=0.22.1", features = ["linalg"] }
    # use burn::nn::{Linear, LinearConfig};
    # use burn::tensor::{Device, Tensor};
    # fn nuclear_norm() -> Tensor<1> {
    let device = Device::default().autodiff();
    let layer: Linear = LinearConfig::new(8, 8).init(&device);
    let (_, s, _) = burn::linalg::svd::<2, 1>(layer.weight.val().inner(), 30);
    s.sum()
    # }

## Known gaps
The device has to be in sight, or the argument to be computed from a parameter in a package that runs `backward` (then
the confidence is medium). A loss cannot be built from what `svd` gives of an `inner()` tensor.

## References
burn-linalg 0.22.1, src/functions/svd.rs, src/ops.rs. Run on 0.22.1: fixtures/autodiff/op-without-gradient/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL223",
    "op-without-gradient",
    symptom="panic",
    severity="warning",
    confidence="high",
    pitfalls=("P13",),
    burn=">=0.22",
    listens=("svd",),
    messages=(
        r"linalg::svd: gradients are not implemented; detach the input tensor first",
        r"Backend not supported for custom op `svd`",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("svd", tests=False):
        if call.key != "svd" or not call.operands:
            continue
        tensor = call.operands[0]
        state = tensor.autodiff()
        recorded = tensor.tracking().must("parameter", "leaf", "tracked")
        if state == "plain" or (state != "autodiff" and not (recorded and file.trains)):
            continue
        name = tensor.named_or("the tensor")
        finding = Finding(
            call.place,
            f"{name} is on autodiff, and `svd` has no gradient: it panics",
            help="take it off autodiff with `inner()`; `detach()` does not help",
        )
        if not tensor.is_borrowed:
            finding = finding.with_fix("take it off autodiff", tensor.wrapped("", ".inner()"), safe=False)
        yield finding if state == "autodiff" else finding.lowered(confidence="medium")
