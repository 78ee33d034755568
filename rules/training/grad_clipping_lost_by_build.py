"""The gradient clipping of a configuration is not part of what `build()` gives: nothing is clipped.

## Why
`init()` makes an optimizer that clips as configured. `build()` gives the bare algorithm for `ModuleOptimizer::from` and
`with_group`, and the clipping stays behind: with gradients of 3 and 4, `Norm(1.0)` and a rate of 1, plain SGD on burn
0.22.1 moves weights by 3 and 4 in place of 1 and 1. `with_group` takes the clipping of its group as an argument of its
own.

## PyTorch
`clip_grad_norm_` is called by hand before the step.

## Fires
    # use burn::grad_clipping::GradientClippingConfig;
    # use burn::optim::{AdamConfig, ModuleOptimizer};
    # fn optimizer() -> ModuleOptimizer {
    let config = AdamConfig::new().with_grad_clipping(Some(GradientClippingConfig::Norm(1.0)));
    ModuleOptimizer::from(config.build())
    # }

## Clean
    # use burn::grad_clipping::GradientClippingConfig;
    # use burn::optim::{AdamConfig, ModuleOptimizer};
    # fn optimizer() -> ModuleOptimizer {
    let config = AdamConfig::new().with_grad_clipping(Some(GradientClippingConfig::Norm(1.0)));
    config.init()
    # }

## Known gaps
A configuration that is loaded or given from outside is not looked into.

## References
burn-optim 0.22.1, src/optim/module/adam.rs (`build`, `init`) and module_optimizer.rs (`with_group`). Run on 0.22.1:
fixtures/training/grad-clipping-lost-by-build/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL409",
    "grad-clipping-lost-by-build",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("P18",),
    burn=">=0.22",
    listens=("with_grad_clipping", "with_gradient_clipping"),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("build"):
        if call.arity > 1 or not call.key.endswith("Config::build"):
            continue
        config = call.operands[0]
        clipping = config.clipping
        if clipping is None:
            continue
        for reach in call.reaches():
            taker = call.at(reach.site)
            if reach.kind != "operand":
                continue
            group = (
                taker.key == "ModuleOptimizer::with_group" and len(taker.operands) == 4 and reach.index == 2
            )
            if group and not taker.operands[3].is_none:
                continue
            clips_later = any(
                taker.at(after.site).key == "ModuleOptimizer::with_grad_clipping" for after in taker.reaches()
            )
            if not group and (not taker.takes_algorithm or clips_later):
                continue
            finding = Finding(
                call.name_place,
                "`build()` leaves the gradient clipping behind: nothing is clipped",
                help="pass the clipping as the third argument of `with_group`"
                if group
                else "make the optimizer with `init()`, which clips as configured",
            )
            finding = finding.with_because(clipping.place, "the clipping is set here")
            yield (
                finding
                if group
                else finding.with_fix(
                    "use `init()`", Edit(taker.place, config.wrapped("", ".init()").text), safe=False
                )
            )
