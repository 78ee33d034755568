"""A word other than `skip` in `#[module(..)]` on a field is refused by the derive.

## Why
The derive of burn knows `skip` on fields, and nothing else ("Unsupported module attribute: ignore"). Words of other
frameworks and of older drafts (`ignore`, `constant`, `no_grad`, `buffer`) stop the whole derive, and with it every
use of the type.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # #[derive(Clone, Debug)]
    # struct State;
    #[derive(Module, Debug)]
    struct Net {
        linear: Linear,
        #[module(ignore)]
        state: State,
    }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # #[derive(Clone, Debug)]
    # struct State;
    #[derive(Module, Debug)]
    struct Net {
        linear: Linear,
        #[module(skip)]
        state: State,
    }

## Known gaps
`#[module(..)]` on the type itself knows `custom_display`; any other word there is ignored without an error and is
not reported. Attributes behind `cfg_attr` are not read.

## References
burn-derive 0.21.0 and 0.22.1, src/module/codegen_struct.rs (`parse_module_field_type`). The macro's error on 0.21.0
and 0.22.1: fixtures/module/module-unknown-attribute/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL307",
    "module-unknown-attribute",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B14",),
    burn=">=0.21",
    proven=("0.21.0", "0.22.1"),
    listens=("module",),
    messages=(r"Unsupported module attribute: ",),
)


def check(file: FileView) -> Iterator[Finding]:
    in_enums = file.burn_at_least("0.22")
    for module in file.deriving("Module"):
        for field in module.fields:
            if field.in_enum and not in_enums:
                continue
            for word in field.words("module"):
                if word.path != "skip":
                    yield Finding(
                        word.place,
                        f"`{module.name}` does not compile: the derive does not know `{word.path}`",
                        help="the one word for a field is `skip`: neither trained, nor moved, nor saved",
                    )
