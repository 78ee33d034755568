"""The module that `step` returns is dropped, so the optimizer step trains nothing.

## Why
burn's optimizers take the module by value and give the updated one back. When that result is dropped the loop
computes gradients from the same weights for ever: the loss does not move, nothing fails, and rustc does not
warn, since `step` is not `#[must_use]`. Writing `model.clone()`, as rustc suggests for the moved value,
hides the last hint. On burn 0.22.1 five dropped steps leave a weight exactly as it was, while the
optimizer's own state moves on.

## PyTorch
`optimizer.step()` changes the parameters in place and returns nothing.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(model: Linear, mut optim: ModuleOptimizer, batches: Vec<Tensor<2>>) -> Linear {
    for batch in batches {
        let loss = model.forward(batch).mean();
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        optim.step(1e-3, model.clone(), grads);
    }
    # model }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::Tensor;
    # fn train(mut model: Linear, mut optim: ModuleOptimizer, batches: Vec<Tensor<2>>) -> Linear {
    for batch in batches {
        let loss = model.forward(batch).mean();
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    # model }

## Known gaps
A result that a helper of another crate drops is not seen. A `let _ =` is `optimizer-step-result-ignored`, a
result bound to a name that dies with the loop body is `optimizer-step-result-shadowed`.

## References
burn-optim 0.22.1, src/optim/module/module_optimizer.rs (`ModuleOptimizer::step`); burn-optim 0.21.0,
src/optim/base.rs (`Optimizer::step`). Run on 0.21.0 and 0.22.1:
fixtures/training/optimizer-step-result-dropped/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL401",
    "optimizer-step-result-dropped",
    symptom="silent",
    severity="error",
    confidence="high",
    pitfalls=("P17",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("step", "step_multi"),
)


def check(file: FileView) -> Iterator[Finding]:
    for carrier, module in file.module_updates():
        call = carrier.call
        # What the function stores as well is not lost (clean_kept_by_the_callee.rs).
        if carrier.alone and call.dropped == "dropped":
            name = f"`{module.owner.spelling}`" if module is not None else "the module"
            finding = Finding(
                call.place,
                f"the updated module that `{call.name}` returns is dropped: {name} keeps its old weights",
                help="assign the result back to the module",
            )
            edits = call.kept_in(module.owner) if module is not None else ()
            yield finding.with_fix("assign the result", *edits, safe=False)
