"""`require_grad()` or `Param::from_tensor` on a tensor that is computed from tracked ones panics.

## Why
Only a leaf can be made to require a gradient. What an operation computed from a parameter, or from a tensor
with `require_grad()`, is no leaf: burn panics with "Can't convert a non leaf tensor into a tracked tensor".
`Param::from_tensor` calls `require_grad()`.

## PyTorch
`requires_grad_()` on a non-leaf is a no-op when it requires a gradient already; `nn.Parameter(x)` makes a
leaf.

## Fires
    # use burn::tensor::Tensor;
    # fn scaled(w: Tensor<2>) -> Tensor<2> {
    let w = w.require_grad();
    let scaled = w * 0.1;
    scaled.require_grad()
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn scaled(w: Tensor<2>) -> Tensor<2> {
    let scaled = w * 0.1;
    scaled.require_grad()
    # }

## Known gaps
A parameter's value counts as a leaf that requires a gradient: where nothing shows that it is on autodiff,
`Param::from_tensor` is reported at confidence medium, and only in packages that run `backward`.

## References
burn-autodiff 0.22.1, src/tensor.rs. Run on 0.21.0 and 0.22.1:
fixtures/autodiff/require-grad-on-non-leaf/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL226",
    "require-grad-on-non-leaf",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("P14",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("require_grad", "set_require_grad", "from_tensor"),
    messages=(r"Can't convert a non leaf tensor into a tracked tensor",),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("require_grad", "set_require_grad", "from_tensor", tests=False):
        if not (call.requires_grad or call.key == "Param::from_tensor"):
            continue
        value = call.operands[0]
        tracking = value.tracking()
        # With a `detach()` on the way it is detach-before-op-then-require-grad.
        if not tracking.must("tracked") or (call.requires_grad and value.detached):
            continue
        causes = [value.at(each) for each in tracking.causes("tracked")]
        own_leaf = all(each.requires_grad for each in causes)
        sure = (
            own_leaf or value.autodiff() == "autodiff" or (call.requires_grad and file.burn_at_least("0.22"))
        )
        if not sure and (value.autodiff() == "plain" or not file.trains):
            continue
        name = value.named_or("this value")
        finding = Finding(
            call.place if call.key == "Param::from_tensor" else call.name_place,
            f"{name} is computed from a tensor that requires a gradient and is no leaf: `{call.name}` panics",
            help="detach it first: `.detach().require_grad()`",
        )
        for cause in causes:
            finding = finding.with_because(cause.name_place, "recorded from here on")
        yield finding if sure else finding.lowered(confidence="medium")
