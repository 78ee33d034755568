"""`std::option::Option` in a `derive(Config)` type is a required argument of `new`: the derive knows `Option` by that name only.

## Why
The derive compares the path as it is written. A field of type `Option<..>` is left out of `new` and starts as
`None`; one of type `std::option::Option<..>` is an argument ("this function takes 1 argument but 0 arguments were
supplied", E0061) and gets no `with_seed` (E0599).

## Fires
    # use burn::config::Config;
    #[derive(Config, Debug)]
    struct Training {
        seed: std::option::Option<u64>,
    }

## Clean
    # use burn::config::Config;
    #[derive(Config, Debug)]
    struct Training {
        seed: Option<u64>,
    }

## Known gaps
The same holds for an alias of an `Option`, which is not reported: it may be meant.

## References
burn-derive 0.22.1, src/config/analyzer.rs (`is_of_type(&["Option"])`). Run on 0.22.1 and 0.21.0:
fixtures/module/config-std-option/proof.rs. Compiled on both: fixtures/module/config-std-option/compile_fail.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL326",
    "config-std-option",
    symptom="compile",
    severity="note",
    confidence="medium",
    group="pedantic",
    pitfalls=("B17",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("option",),
)


def check(file: FileView) -> Iterator[Finding]:
    for config in file.deriving("Config"):
        if config.is_enum:
            continue
        for field in config.fields:
            prefix = field.type_prefix
            if field.is_option and field.type_name == "Option" and prefix and not field.attributes("config"):
                yield Finding(
                    field.type_place,
                    f"`{field.name}` becomes a required argument of `{config.name}::new`, unlike an `Option` without a path",
                    help="write `Option`",
                ).with_fix("write `Option`", Edit(prefix, ""), safe=True)
