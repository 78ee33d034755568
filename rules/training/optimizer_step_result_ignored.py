"""The module that `step` returns is discarded on purpose (`let _ =`), so the optimizer step trains nothing.

## Why
`let _ = optim.step(..)`, `_ = optim.step(..)` and `drop(optim.step(..))` silence a reader and change nothing
else: the updated weights are gone. A test may want only the optimizer's own state to move on, so code under
`#[test]`, tests/ and benches/ is left alone, and the confidence is medium elsewhere.

## PyTorch
`optimizer.step()` changes the parameters in place and returns nothing.

## Fires
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # fn update(model: &Linear, optim: &mut ModuleOptimizer, grads: GradientsParams) {
    let _ = optim.step(1e-3, model.clone(), grads);
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # fn update(model: Linear, optim: &mut ModuleOptimizer, grads: GradientsParams) -> Linear {
    let updated = optim.step(1e-3, model, grads);
    updated
    # }

## Known gaps
A discard that a helper of another crate makes is not seen.

## References
burn-optim 0.22.1, src/optim/module/module_optimizer.rs; burn-optim 0.21.0, src/optim/base.rs.
Run on 0.21.0 and 0.22.1: fixtures/training/optimizer-step-result-dropped/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL403",
    "optimizer-step-result-ignored",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P17",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("step", "step_multi"),
)


def check(file: FileView) -> Iterator[Finding]:
    for carrier, module in file.module_updates():
        call = carrier.call
        # What the function stores as well is not lost (clean_kept_by_the_callee.rs).
        if carrier.alone and call.dropped == "ignored" and not call.in_test:
            name = f"`{module.owner.spelling}`" if module is not None else "the module"
            yield Finding(
                call.place,
                f"the updated module that `{call.name}` returns is discarded: {name} keeps its weights",
                help="assign the result back to the module",
            )
