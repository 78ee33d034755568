"""An optimizer is made without type arguments in burn 0.22: `AdamConfig::new().init::<B, M>()` does not compile.

## Why
Up to 0.21 an optimizer is made for one model and back end. From 0.22 on `init()` gives a `ModuleOptimizer` that steps
any module: "method takes 0 generic arguments but 2 generic arguments were supplied" (E0107).

## Fires
    use burn::optim::AdamConfig;

    # pub struct B;
    # pub struct Net;
    pub fn optimizer() {
        let optim = AdamConfig::new().init::<B, Net>();
    }

## Clean
    use burn::optim::AdamConfig;

    pub fn optimizer() {
        let optim = AdamConfig::new().init();
    }

## Known gaps
A turbofish behind a value whose type is not known is not seen.

## References
burn-optim 0.22.1, src/optim/adam.rs. Compiled on 0.22.1: fixtures/migration/optimizer-init-turbofish/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Place, Rule

RULE = Rule(
    "BL809",
    "optimizer-init-turbofish",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("init",),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.migration.surplus:
        if file.migration.makes_optimizer(each):
            yield Finding(
                Place(file.path, *each.span),
                f"`{each.name}` of an optimizer takes no types since burn 0.22, and this does not compile",
                help=f"write `{each.name}()`: it steps any module",
            ).with_fix("leave out the types", *file.migration.cut(*each.cuts), safe=False)
