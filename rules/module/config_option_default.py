"""The default of an `Option` field in a `derive(Config)` type counts for `new`: a file that lacks the field gives `None`.

## Why
`#[config(default = ..)]` is used by `new` only. Loading goes through serde, which reads a missing `Option` as
`None`, without an error. So a config that `new` gives a value of, say, `Some(0.1)` has none after it was loaded
from an older file.

## Fires
    # use burn::config::Config;
    #[derive(Config, Debug)]
    struct Training {
        epochs: usize,
        #[config(default = "Some(0.1)")]
        dropout: Option<f64>,
    }

## Clean
    # use burn::config::Config;
    #[derive(Config, Debug)]
    struct Training {
        epochs: usize,
        dropout: Option<f64>,
    }

    # impl Training {
    fn dropout(&self) -> f64 {
        self.dropout.unwrap_or(0.1)
    }
    # }

## Known gaps
Whether the config is ever loaded from a file is not asked.

## References
burn-derive 0.22.1, src/config/analyzer_struct.rs (`gen_deserialize_fn`). Run on 0.22.1 and 0.21.0:
fixtures/module/config-option-default/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL319",
    "config-option-default",
    symptom="silent",
    severity="note",
    confidence="high",
    pitfalls=("B17",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("Option",),
)


def check(file: FileView) -> Iterator[Finding]:
    for config in file.deriving("Config"):
        if config.is_enum:
            continue
        for field in config.fields:
            if field.default is None or not field.is_option:
                continue
            value, place = field.default
            inner = value.strip('"').strip()
            if inner.startswith("Some"):
                shown = inner.replace('\\"', '"')
                yield Finding(
                    place,
                    f"`{field.name}` is `{shown}` from `new`, but `None` when a file without it is loaded",
                    help="leave the default out and use `unwrap_or` where the value is read",
                )
