"""A field of a `derive(Module)` type that is neither a constant nor a module does not compile without `#[module(skip)]`.

## Why
From burn 0.22 on the derive takes a field for a constant only by how its type is written: numbers, `bool`, `char`,
`String`, and the containers of std that hold nothing else. Everything else must implement `Module`, also burn's own
settings (`PaddingConfig2d`, `Initializer`, every config), types of the package, `PathBuf`, `Duration`, references,
and an alias of a map. Each is "the trait bound `X: Module` is not satisfied", once for every method of the trait.

## Fires
    # use burn::module::Module;
    # use burn::nn::{Linear, PaddingConfig2d};
    #[derive(Module, Debug)]
    struct Net {
        linear: Linear,
        padding: PaddingConfig2d,
    }

## Clean
    # use burn::module::Module;
    # use burn::nn::{Linear, PaddingConfig2d};
    #[derive(Module, Debug)]
    struct Net {
        linear: Linear,
        #[module(skip)]
        padding: PaddingConfig2d,
    }

## Known gaps
Types of other crates are not reported: they may implement `Module`. Up to burn 0.21 a field whose type does not
name the backend `B` is a constant, so nothing is reported there.

## References
burn-derive 0.22.1, src/module/codegen_struct.rs (`is_primitive_type`); burn-core 0.22.1, src/module/param. E0277 on
0.22.1, and the fix compiles: fixtures/module/module-field-not-module/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL305",
    "module-field-not-module",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B14",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("Module",),
    messages=(
        r"the trait bound `[^`]*: (?:\w+::)*Module` is not satisfied",
        r"is used as configuration or runtime state in a `#\[derive\(Module\)\]` type",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for module in file.deriving("Module"):
        for field in module.fields:
            if field.attributes("module") or field.conditional or field.is_constant:
                continue
            if field.contents.is_module is not False:
                continue
            # What holds modules is `unsupported-module-container`.
            if field.contents.holds("module"):
                continue
            finding = Finding(
                field.place,
                f"`{module.name}` does not compile: `{field.type_text}` does not implement `Module`",
                help="wrap it in a struct that derives `Module` and marks the field `#[module(skip)]`"
                if field.in_enum
                else "mark the field `#[module(skip)]`",
            )
            if field.can_be_skipped:
                finding = finding.with_fix(
                    "add `#[module(skip)]`", field.with_attribute("#[module(skip)]"), safe=True
                )
            yield finding
