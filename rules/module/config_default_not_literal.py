"""`#[config(default = ..)]` takes a literal: any other expression makes the derive panic, unless it is quoted.

## Why
The derive reads the value as a literal and panics on a constant, a call or a calculation: "Only literal is
supported", with nothing but the derive's name as the place. In quotes the text is put into the generated code as it
is.

## Fires
    # use burn::config::Config;
    # const RATE: f64 = 0.1;
    #[derive(Config, Debug)]
    struct Training {
        #[config(default = RATE)]
        rate: f64,
        #[config(default = 1024 * 4)]
        hidden: usize,
    }

## Clean
    # use burn::config::Config;
    # const RATE: f64 = 0.1;
    #[derive(Config, Debug)]
    struct Training {
        #[config(default = "RATE")]
        rate: f64,
        #[config(default = "1024 * 4")]
        hidden: usize,
        #[config(default = -1.5)]
        bias: f64,
    }

## Known gaps
Attributes behind `cfg_attr` are not read.

## References
burn-derive 0.21.0 and 0.22.1, src/shared/attribute.rs (`AttributeAnalyzer::item`). The panic on 0.21.0 and 0.22.1,
and the fix compiles: fixtures/module/config-default-not-literal/compile_fail.
"""

import re
from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL318",
    "config-default-not-literal",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B17",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("Config",),
    messages=(r"Only literal is supported",),
)

_LITERAL = re.compile(
    r"""-?\s*[0-9][\w.]*(?:[eE][+-]?\d+\w*)?|true|false|b?c?r?\#*".*"\#*|b?'.*'""", re.DOTALL
)


def check(file: FileView) -> Iterator[Finding]:
    for config in file.deriving("Config"):
        if config.is_enum:
            continue
        for field in config.fields:
            if field.default is None:
                continue
            value, place = field.default
            if _LITERAL.fullmatch(value):
                continue
            quoted = value.replace("\\", "\\\\").replace('"', '\\"')
            yield Finding(
                place,
                f"`{config.name}` does not compile: `derive(Config)` panics on the default `{' '.join(value.split())}`, which is "
                "no literal",
                help="put the expression into quotes",
            ).with_fix("put it into quotes", Edit(place, f'"{quoted}"'), safe=True)
