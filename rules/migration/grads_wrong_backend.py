"""A gradient that is asked for on the autodiff back end: it is kept on the inner one, and up to burn 0.21 the call panics.

## Why
`GradientsParams::from_grads` keeps tensors of the inner back end. `get` and `remove` take any back end, and unwrap a
downcast: with the autodiff back end "called `Option::unwrap()` on a `None` value" (`get`) and "called
`Result::unwrap()` on an `Err` value: Any { .. }" (`remove`). From 0.22 on a tensor has no back end in its type.

## PyTorch
`weight.grad` is an ordinary tensor that records nothing.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::GradientsParams;
    # use burn::tensor::{Tensor, backend::AutodiffBackend};
    fn slope<B: AutodiffBackend>(layer: &Linear<B>, grads: &GradientsParams) -> Option<Tensor<B, 1>> {
        grads.get::<B, 2>(layer.weight.id).map(|it| it.abs().mean())
    }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::GradientsParams;
    # use burn::tensor::{Tensor, backend::AutodiffBackend};
    fn slope<B: AutodiffBackend>(layer: &Linear<B>, grads: &GradientsParams) -> Option<Tensor<B::InnerBackend, 1>> {
        grads.get::<B::InnerBackend, 2>(layer.weight.id).map(|it| it.abs().mean())
    }

## Known gaps
A function for any back end (`B: Backend`) that is called with the autodiff one is not seen. Nothing is said where the
package registers gradients of the autodiff back end itself: these are there.

## References
burn-backend 0.21.0, src/tensor/container.rs. Run on 0.21.0: fixtures/migration/grads-wrong-backend/proof_021.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL817",
    "grads-wrong-backend",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B11",),
    burn=">=0.13,<0.22",
    proven=("0.21.0",),
    listens=("GradientsParams",),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("get", "remove", tests=False):
        if not call.asks_gradient_on_autodiff:
            continue
        finding = Finding(
            call.name_place,
            f"gradients are kept without autodiff: `{call.name}` panics when it is asked for one of the autodiff back end",
            help="ask for a tensor of the inner back end (`B::InnerBackend`); `Tensor::from_inner` carries it over",
        )
        inner = call.inner_backend_asked
        yield finding.with_fix("ask on the inner back end", inner, safe=False) if inner else finding
