"""`#[serde(..)]` in a `derive(Config)` type does not compile: the derive knows `#[config(..)]` only.

## Why
The derive reads and writes through a private copy of the struct that has the same fields and none of their
attributes. It does not register `serde`, so the compiler says "cannot find attribute `serde` in this scope".
Deriving serde's traits beside it is no way out (`config-derive-duplicate`). For a field that old files lack, make
it an `Option`.

## Fires
    # use burn::config::Config;
    #[derive(Config, Debug)]
    struct Training {
        epochs: usize,
        #[serde(default)]
        dropout: f64,
    }

## Clean
    # use burn::config::Config;
    #[derive(Config, Debug)]
    struct Training {
        epochs: usize,
        dropout: Option<f64>,
    }

## Known gaps
Where another derive of the type registers `serde`, nothing is reported.

## References
burn-derive 0.22.1, src/config/analyzer_struct.rs (`gen_serde_struct`), src/lib.rs (`attributes(config)`). The
compiler's error on 0.21.0 and 0.22.1: fixtures/module/config-serde-attribute/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL316",
    "config-serde-attribute",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B17",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("serde",),
    messages=(r"cannot find attribute `serde` in this scope",),
)

_REGISTER_NO_SERDE = frozenset(
    {"Config", "Debug", "Default", "PartialEq", "Eq", "Hash", "Copy", "PartialOrd", "Ord"}
)


def check(file: FileView) -> Iterator[Finding]:
    for config in file.deriving("Config"):
        # With `Clone`, which collides as well, the attribute is still the first thing to go.
        if not config.derives_only(_REGISTER_NO_SERDE | {"Clone"}):
            continue
        if config.has_conditional_attribute:
            continue
        for attribute in config.item.attributes:
            if attribute.path == "serde":
                yield Finding(
                    config.attribute_place(attribute),
                    f"`{config.name}` does not compile: `derive(Config)` knows no `#[serde(..)]`",
                    help="remove the attribute",
                ).with_fix("remove the attribute", config.without_attribute(attribute), safe=True)
        for field in config.fields:
            for attribute in field.attributes("serde"):
                default = attribute.arguments.startswith("default")
                yield Finding(
                    config.attribute_place(attribute),
                    f"`{config.name}` does not compile: `derive(Config)` knows no `#[serde(..)]`",
                    help=f"make `{field.name}` an `Option`, which a file may lack"
                    if default
                    else "remove the attribute",
                ).with_fix("remove the attribute", field.without_attribute(attribute), safe=True)
