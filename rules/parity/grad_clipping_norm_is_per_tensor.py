"""`GradientClippingConfig::Norm` clips each parameter's gradient by its own norm, not all gradients by their common one.

## Why
The direction of the whole step changes: large and small parameters are cut to the same length, and a model of
many tensors may step much further than the bound says. Gradients of 3 and 4 in two tensors become 1 and 1 under
`Norm(1.0)`, where a common norm gives 0.6 and 0.8.

## PyTorch
`torch.nn.utils.clip_grad_norm_(parameters, max_norm)` takes the norm over all parameters together.
`GradientClippingConfig::Value` means the same as `clip_grad_value_`.

## Fires
    # use burn::grad_clipping::GradientClippingConfig;
    # use burn::optim::{AdamWConfig, ModuleOptimizer};
    # fn optimizer() -> ModuleOptimizer {
    AdamWConfig::new()
        .with_epsilon(1e-8)
        .with_weight_decay(0.01)
        .with_grad_clipping(Some(GradientClippingConfig::Norm(1.0)))
        .init()
    # }

## Clean
    # use burn::grad_clipping::GradientClippingConfig;
    # use burn::optim::{AdamWConfig, ModuleOptimizer};
    # fn optimizer() -> ModuleOptimizer {
    AdamWConfig::new()
        .with_epsilon(1e-8)
        .with_weight_decay(0.01)
        .with_grad_clipping(Some(GradientClippingConfig::Value(1.0)))
        .init()
    # }

## Known gaps
burn has no clipping by a common norm: it takes code over the `GradientsParams`. A model of one parameter is
clipped alike.

## References
burn-optim 0.22.1, src/grad_clipping/base.rs (`clip_by_norm`), called for each parameter in
src/optim/module_optimizer.rs. Run on 0.22.1 and 0.21.0: fixtures/parity/grad-clipping-norm-is-per-tensor/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL905",
    "grad-clipping-norm-is-per-tensor",
    symptom="silent",
    severity="note",
    confidence="high",
    group="parity",
    pitfalls=("P18",),
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("GradientClippingConfig", "GradientClipping"),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("Norm", tests=False):
        if call.type_name in RULE.listens and len(call.operands) == 1:
            yield Finding(
                call.place,
                f"`{call.spelling}` clips each parameter by its own norm: the step points elsewhere than after "
                "PyTorch's `clip_grad_norm_`, which takes one norm over all parameters",
                "for PyTorch's clipping scale the gradients yourself by the norm over all parameters",
            )
