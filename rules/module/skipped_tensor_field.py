"""A tensor in a field marked `#[module(skip)]` stays on its old device, and on autodiff after `valid()`.

## Why
The derive only clones skipped fields. `to_device` and `fork` leave such a tensor where it was, and after `valid()`
it is still on the autodiff device: everything computed with it records a graph again, so that validation silently
keeps memory and spends time for gradients that nobody asks for. A plain `Tensor` field without the attribute is a
constant: moved, and neither trained nor saved.

## PyTorch
This is `register_buffer(.., persistent=False)`; in burn it is a plain field.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::tensor::Tensor;
    #[derive(Module, Debug)]
    struct Masked {
        linear: Linear,
        #[module(skip)]
        mask: Tensor<2>,
    }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::tensor::Tensor;
    #[derive(Module, Debug)]
    struct Masked {
        linear: Linear,
        mask: Tensor<2>,
    }

## Known gaps
A tensor inside of a struct that is no module is not seen. Up to burn 0.21 the derive treats a skipped tensor as a
constant all the same.

## References
burn-derive 0.22.1, src/module/codegen_struct.rs (`gen_valid`, `gen_to_device`). Run on 0.22.1:
fixtures/module/skipped-tensor-field/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL310",
    "skipped-tensor-field",
    symptom="memory",
    severity="warning",
    confidence="high",
    pitfalls=("B14",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("skip",),
)


def check(file: FileView) -> Iterator[Finding]:
    for module in file.deriving("Module"):
        for field in module.fields:
            if not field.skip or field.in_enum or not field.contents.holds("tensor", through=False):
                continue
            # `skipped-module-field` says more about those.
            if field.contents.holds("parameter") or field.contents.holds("module"):
                continue
            finding = Finding(
                field.place,
                f"the tensor in `{field.name}` stays on its old device, and on autodiff after `valid()`: what is computed with "
                "it records a graph",
                help="leave `#[module(skip)]` out: a plain tensor is a constant, neither trained nor saved"
                if field.contents.is_module
                else "keep the tensors in a `Vec` without `#[module(skip)]`: they are constants, neither trained nor saved",
            )
            attribute = field.attributes("module")[0]
            if field.contents.is_module and attribute.arguments == "skip":
                finding = finding.with_fix(
                    "remove the attribute", field.without_attribute(attribute), safe=False
                )
            yield finding
