"""Burn 0.22 has no back end parameter on modules, losses, batchers and calls: `Linear<B>` does not compile there.

## Why
Up to 0.21 nearly every type and many functions of burn take the back end as a generic argument. From 0.22 on the device
carries it: rustc says "struct takes 0 generic arguments but 1 generic argument was supplied" (E0107) for `Linear<B>`,
and likewise for traits (`Module<B>`, `Batcher<B, I, O>`) and turbofishes (`config.init::<B>(&device)`).

## Fires
    use burn::nn::Linear;

    # pub struct B;
    pub fn outputs(layer: &Linear<B>) -> usize {
        layer.weight.dims()[1]
    }

## Clean
    use burn::nn::Linear;

    pub fn outputs(layer: &Linear) -> usize {
        layer.weight.dims()[1]
    }

## Known gaps
Where burn's own item went or means something else, `removed-api` and others say so. A method's turbofish is seen where
the type of its receiver is known.

## References
The generics of every item of burn 0.21.0 and 0.22.1: burnlint/burn/data/api.txt, extracted from the released crates.
Compiled on 0.22.1: fixtures/migration/module-backend-parameter/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Place, Rule

RULE = Rule(
    "BL802",
    "module-backend-parameter",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
)


def check(file: FileView) -> Iterator[Finding]:
    migration = file.migration
    for each in migration.surplus:
        if each.key == "Tensor" or migration.makes_optimizer(each):
            continue
        gone = ", ".join(file.source.text.decode(*each.args[at].span) for at in sorted(each.dropped))
        since = "since burn 0.22" if each.item is None else "any more"
        yield Finding(
            Place(file.path, *each.span),
            f"`{each.name}` takes no back end {since}, and `{gone}` does not compile",
            help="leave it out: the device carries the back end",
        ).with_fix(f"leave out `{gone}`", *migration.cut(*each.cuts), safe=False)
