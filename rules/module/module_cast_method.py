"""A module has no method `cast`: the call does not compile, although burn's own documentation names it.

## Why
Tensors have `cast`, modules have none ("no method named `cast` found", E0599). The compiler then suggests
`model.weight.cast(..)`, which gives a tensor and changes no module.

## PyTorch
`model.half()` and `model.to(torch.float16)` convert all parameters.

## Fires
    # use burn::nn::Linear;
    # use burn::tensor::DType;
    # fn half(model: Linear) -> Linear {
    model.cast(DType::F16)
    # }

## Clean
    # use burn::module::{Module, ModuleMapper, Param};
    # use burn::nn::Linear;
    # use burn::tensor::{DType, Tensor};
    struct ToHalf;

    impl ModuleMapper for ToHalf {
        fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
            param.map(|tensor| tensor.cast(DType::F16))
        }
    }

    # fn half(model: Linear) -> Linear {
    model.map(&mut ToHalf)
    # }

## Known gaps
A generic with a `Module` bound is not reported: another bound may have the method.

## References
burn-core 0.22.1, src/module/base.rs (`trait Module`); src/store/mod.rs, whose comment names the method. E0599 on
0.22.1: fixtures/module/module-cast-method/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL327",
    "module-cast-method",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("P24",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("cast",),
    messages=(r"no method named `cast` found for struct",),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("cast"):
        module = next(iter(call.operands), None)
        if module is not None and call.lacks_method:
            name = module.named_or("this")
            yield Finding(
                call.method_name,
                f"this does not compile: {name} is a module, and modules have no method `cast`",
                help="cast each parameter in a `ModuleMapper`, or the record with `cast_to_module_dtype`",
            )
