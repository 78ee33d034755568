"""`#[module(skip)]` inside of an enum's variant does nothing: what it stands on must still implement `Module`.

## Why
For structs the attribute takes a field out of the module. In a variant, as in `Padded(#[module(skip)]
PaddingConfig2d)`, the derive of burn 0.22 accepts it and goes on as if it were not there: "the trait bound
`PaddingConfig2d: Module` is not satisfied" (E0277), and the compiler's note asks for the very attribute that is
there.

## Fires
    # use burn::module::Module;
    # use burn::nn::{Linear, PaddingConfig2d};
    #[derive(Module, Debug)]
    enum Part {
        Layer(Linear),
        Padded(#[module(skip)] PaddingConfig2d),
    }

## Clean
    # use burn::module::Module;
    # use burn::nn::{Linear, PaddingConfig2d};
    #[derive(Module, Debug)]
    struct Padding {
        #[module(skip)]
        config: PaddingConfig2d,
    }

    #[derive(Module, Debug)]
    enum Part {
        Layer(Linear),
        Padded(Padding),
    }

## Known gaps
On a module the attribute compiles and does nothing; that is not reported.

## References
burn-derive 0.22.1, src/module/codegen_enum.rs (`parse_variants`). E0277 on 0.22.1:
fixtures/module/module-enum-inner-skip/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL324",
    "module-enum-inner-skip",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B14",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("skip",),
)


def check(file: FileView) -> Iterator[Finding]:
    for module in file.deriving("Module"):
        for field in module.fields:
            if field.skip and field.in_enum and not field.is_constant and field.contents.is_module is False:
                yield Finding(
                    field.skip.place,
                    f"`{module.name}` does not compile: inside of a variant `#[module(skip)]` does nothing, and "
                    f"`{field.type_text}` does not implement `Module`",
                    help="let the variant hold a struct that derives `Module` and marks its field `#[module(skip)]`",
                )
