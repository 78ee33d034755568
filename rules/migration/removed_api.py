"""A name of burn 0.21 that burn 0.22 does not have, or has with other types: the code does not compile.

## Why
`AutodiffModule` went into `Module`, the optimizers of each kind into `ModuleOptimizer`, `BasicOps` is called `Basic`. rustc
says "unresolved import `burn::module::AutodiffModule`" (E0432) and names no successor. `burn::optim::Optimizer` exists,
but is the update of one tensor now: "trait takes 0 generic arguments but 2 generic arguments were supplied" (E0107).
Others went without a like, as `LearnerBuilder` and `QuantLevel`; the fields of `TensorData` are methods (E0616),
`ConvOptions` holds its padding in pairs, and `renderer` takes a box (E0308).

## Fires
    use burn::module::AutodiffModule;

    pub fn frozen<M: AutodiffModule>(model: M) -> M {
        model.valid()
    }

## Clean
    use burn::module::Module;

    pub fn frozen<M: Module>(model: M) -> M {
        model.valid()
    }

## Known gaps
Only names with a known successor are said; rustc lists the others. `M::InnerModule`, a model's type without autodiff, is
the model's type itself today. The padding of `ConvOptions` is seen where it is written out in numbers: that of a variable
may be in pairs already. A `TensorData`, a renderer and what `into_primitive` is called on have to be known by their type.
Where the shape of a `TensorData` is moved out of it, no fix is offered: `shape()` lends it.

## References
The exports of burn 0.21.0 and 0.22.1: burnlint/burn/data/api.txt. Successors: burnlint/burn/data/migration.toml. Compiled
on 0.22.1: fixtures/migration/removed-api/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL815",
    "removed-api",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    messages=(
        r"unresolved imports? [^\n]*`burn::(?:module::AutodiffModule|optim::(?:adaptor|SimpleOptimizer))`",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.migration.renamed():
        name = each.name.rpartition("::")[2]
        finding = Finding(
            each.place,
            f"burn 0.22 has no `{name}` of this kind, and the code does not compile",
            help=f"write `{each.successor}`",
        )
        title = f"write `{each.successor.rpartition('::')[2]}`"
        yield finding.with_fix(title, *each.edits, safe=False)
    for gone in file.migration.removed():
        message = (
            f"`{gone.name}` takes {gone.takes} in burn 0.22, and this does not compile"
            if gone.takes
            else f"burn 0.22 offers no `{gone.name}`, and the code does not compile"
        )
        yield Finding(gone.place, message, help=gone.help).with_fix(gone.help, *gone.edits, safe=False)
    for place, edits in file.migration.learning_rates():
        yield Finding(
            place,
            "a schedule's `step` gives no number in burn 0.22, and this does not compile",
            help="write `step().base()`, or hand it to the optimizer as it is",
        ).with_fix("write `step().base()`", *edits, safe=False)
