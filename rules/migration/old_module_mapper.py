"""A mapper or visitor of modules in the form of an older burn: its methods take one `Param` today, and it does not compile.

## Why
`map_float(&mut self, id, tensor)` became `map_float(&mut self, param)`, and likewise for the other kinds and for visitors:
"method `map_float` has 3 parameters but the declaration in trait `map_float` has 2" (E0050).

## Fires
    use burn::module::{ModuleMapper, ParamId};
    use burn::tensor::Tensor;

    pub struct Halve;

    impl ModuleMapper for Halve {
        fn map_float<const D: usize>(&mut self, _id: ParamId, tensor: Tensor<D>) -> Tensor<D> {
            tensor * 0.5
        }
    }

## Clean
    use burn::module::{ModuleMapper, Param};
    use burn::tensor::Tensor;

    pub struct Keep;

    impl ModuleMapper for Keep {
        fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
            param
        }
    }

## Known gaps
None known.

## References
burn-core 0.22.1, src/module/base.rs. Compiled on 0.22.1: fixtures/migration/old-module-mapper/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL813",
    "old-module-mapper",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("P14",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("ModuleMapper", "ModuleVisitor"),
    messages=(
        r"method `(?:map|visit)_(?:float|int|bool)` has 3 parameters but the declaration in trait "
        r"`(?:map|visit)_(?:float|int|bool)` has 2",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.mismatched_methods("ModuleMapper", "ModuleVisitor"):
        takes = "map" if each.trait == "ModuleMapper" else "read"
        yield Finding(
            each.place,
            f"`{each.name}` of `{each.trait}` takes one `Param`, not {each.written} arguments, and does not compile",
            help="take it apart with `param.consume()` and give `Param::from_mapped_value(id, tensor, mapper)`"
            if takes == "map"
            else "read `param.id` and `param.val()`",
        )
