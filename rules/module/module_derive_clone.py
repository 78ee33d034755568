"""`derive(Module)` writes `Clone` and `Display` itself: deriving them beside it does not compile (E0119).

## Why
From burn 0.22 on every `derive(Module)` implements `Clone` and `Display`. Up to 0.21 it did so only for types with
a backend parameter `B`, and structs without one had to derive `Clone`: on 0.22 these are errors.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    #[derive(Module, Debug, Clone)]
    struct Net {
        linear: Linear,
    }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    #[derive(Module, Debug)]
    struct Net {
        linear: Linear,
    }

## Known gaps
A derive behind `cfg_attr`, and an `impl Clone` written by hand, are not reported.

## References
burn-derive 0.21.0 and 0.22.1, src/module/codegen.rs. E0119 on 0.21.0 and 0.22.1:
fixtures/module/module-derive-clone/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL304",
    "module-derive-clone",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B14",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("Module",),
    messages=(r"conflicting implementations of trait `(?:Clone|std::fmt::Display)` for type",),
)


def check(file: FileView) -> Iterator[Finding]:
    always = file.burn_at_least("0.22")
    for module in file.deriving("Module"):
        if not always and not any(param.name == "B" for param in module.type_params()):
            continue
        for word in module.derived("Clone", "Display"):
            yield Finding(
                word.place,
                f"`{module.name}` does not compile: `derive(Module)` implements `{word.name}` already",
                help=f"leave `{word.name}` out of the derive",
            ).with_fix(f"remove `{word.name}`", module.without_derive(word), safe=True)
