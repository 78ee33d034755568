"""`derive(Config)` writes `Clone`, `Serialize` and `Deserialize` itself: deriving them beside it does not compile (E0119).

## Why
The derive implements all three, and `Display`, to read and write the config as JSON. A second derive of one of them
is a conflicting implementation.

## Fires
    # use burn::config::Config;
    #[derive(Config, Debug, Clone)]
    struct Training {
        epochs: usize,
    }

## Clean
    # use burn::config::Config;
    #[derive(Config, Debug)]
    struct Training {
        epochs: usize,
    }

## Known gaps
Derives behind `cfg_attr`, and implementations written by hand, are not reported.

## References
burn-derive 0.21.0 and 0.22.1, src/config/base.rs. E0119 on 0.21.0 and 0.22.1:
fixtures/module/config-derive-duplicate/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL317",
    "config-derive-duplicate",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B17",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("Config",),
    messages=(r"conflicting implementations of trait `(?:Clone|Serialize|Deserialize<'_>)` for type",),
)


def check(file: FileView) -> Iterator[Finding]:
    for config in file.deriving("Config"):
        for word in config.derived("Clone", "Serialize", "Deserialize"):
            yield Finding(
                word.place,
                f"`{config.name}` does not compile: `derive(Config)` implements `{word.name}` already",
                help=f"leave `{word.name}` out of the derive",
            ).with_fix(f"remove `{word.name}`", config.without_derive(word), safe=True)
