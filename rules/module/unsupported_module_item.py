"""`derive(Module)` takes structs with named fields and enums whose variants hold one unnamed field: nothing else compiles.

## Why
A tuple struct makes the derive panic ("called `Option::unwrap()` on a `None` value"). Of enums it refuses unit
variants, variants with named fields, variants with several fields, and attributes on a variant.

## PyTorch
There is no such restriction: any Python class is a module.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    #[derive(Module, Debug)]
    enum Head {
        Linear(Linear),
        Nothing,
    }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    #[derive(Module, Debug)]
    struct Nothing {}

    #[derive(Module, Debug)]
    enum Head {
        Linear(Linear),
        Nothing(Nothing),
    }

## Known gaps
Items that a macro of the package writes are not seen.

## References
burn-derive 0.21.0 and 0.22.1, src/module/codegen_struct.rs (`ModuleField::ident`), src/module/codegen_enum.rs
(`parse_variants`). The macro's errors on 0.21.0 and 0.22.1: fixtures/module/unsupported-module-item/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL308",
    "unsupported-module-item",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B14",),
    burn=">=0.21",
    proven=("0.21.0", "0.22.1"),
    listens=("Module",),
    messages=(
        r"Module derive does not support (?:unit|struct) enum variants",
        r"Module derive only supports tuple enum variants with exactly one field",
        r"Module attributes are not supported for enum variants",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for module in file.deriving("Module"):
        if module.is_tuple:
            yield Finding(
                module.name_place,
                f"`{module.name}` does not compile: `derive(Module)` panics on a tuple struct",
                help="give the fields names",
            )
        for variant in module.variants:
            if variant.shape == "unit":
                what, help = "no field", "let it hold a struct without fields that derives `Module`"
            elif variant.shape == "named":
                what, help = "named fields", "let it hold one struct that derives `Module`, without a name"
            elif len(variant.fields) != 1:
                what, help = "not exactly one field", "let it hold a tuple or a struct that derives `Module`"
            elif variant.attribute("module") is not None:
                what, help = (
                    "an attribute `#[module(..)]`",
                    "put the attribute on a field of a struct that it holds",
                )
            else:
                continue
            yield Finding(
                module.variant_place(variant),
                f"`{module.name}` does not compile: `derive(Module)` refuses the variant `{variant.name}`, which has {what}",
                help=help,
            )
