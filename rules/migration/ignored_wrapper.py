"""`Ignored<T>` is deprecated: from burn 0.21 on `#[module(skip)]` keeps a field out of a module without a wrapper.

## Why
Up to 0.20 every field of a module had to be one, and `Ignored` made it so. From 0.21 on the attribute does it, and rustc
warns at each use of the type: "Ignored<T> is deprecated. Use #[module(skip)] for non-persistent fields (same behavior)".

## Fires
    use burn::module::{Ignored, Module};
    use burn::nn::{Linear, PaddingConfig2d};

    #[derive(Module, Debug)]
    pub struct Net {
        linear: Linear,
        padding: Ignored<PaddingConfig2d>,
    }

## Clean
    use burn::module::Module;
    use burn::nn::{Linear, PaddingConfig2d};

    #[derive(Module, Debug)]
    pub struct Net {
        linear: Linear,
        #[module(skip)]
        padding: PaddingConfig2d,
    }

## Known gaps
No fix: what makes the field (`Ignored(padding)`) and what reads it (`padding.0`) has to change with it.

## References
burn-core 0.22.1, src/module/param/constant.rs. Compiled on 0.22.1 with `#![deny(deprecated)]`:
fixtures/migration/ignored-wrapper/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL812",
    "ignored-wrapper",
    symptom="diagnosis",
    severity="warning",
    confidence="high",
    pitfalls=("B14",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("Ignored",),
    messages=(r"Ignored<T> is deprecated\. Use #\[module\(skip\)\]",),
)


def check(file: FileView) -> Iterator[Finding]:
    for module in file.deriving("Module"):
        for field in module.fields:
            if field.type_name == "Ignored" and field.burn_type == "Ignored":
                yield Finding(
                    field.type_place,
                    f"`{field.name}` is wrapped in `Ignored`, which burn deprecates",
                    help="write `#[module(skip)]` above the field and leave the wrapper out",
                )
