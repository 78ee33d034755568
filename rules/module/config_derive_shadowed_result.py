"""A `Result` with one parameter in scope of a `derive(Config)` breaks the code that the derive writes: it does not compile.

## Why
That code names `Result<S::Ok, S::Error>`, and the name means what it means where the type stands. With `use
std::io::Result`, `use std::fmt::Result`, or an alias of the package (`type Result<T> = ..`) in scope, the compiler
complains inside of the derive: "type alias takes 1 generic argument but 2 generic arguments were supplied" (E0107).

## Fires
    # use burn::config::Config;
    use std::io::Result;

    #[derive(Config, Debug)]
    struct Training {
        epochs: usize,
    }

    # fn save() -> Result<()> { Ok(()) }

## Clean
    # use burn::config::Config;
    use std::io;

    #[derive(Config, Debug)]
    struct Training {
        epochs: usize,
    }

    # fn save() -> io::Result<()> { Ok(()) }

## Known gaps
What a `Result` of another crate takes is not known, so it is not reported. `anyhow::Result` takes two parameters
and compiles.

## References
burn-derive 0.22.1, src/config/analyzer_struct.rs (`gen_serialize_fn`). E0107 on 0.21.0 and 0.22.1:
fixtures/module/config-derive-shadowed-result/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL321",
    "config-derive-shadowed-result",
    symptom="compile",
    severity="error",
    confidence="high",
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("Config",),
)


def check(file: FileView) -> Iterator[Finding]:
    for config in file.deriving("Config"):
        derive = config.derives_of_burn("Config")
        if derive is not None and config.has_narrow_result:
            yield Finding(
                derive.place,
                f"`{config.name}` does not compile: `derive(Config)` writes `Result<T, E>`, and `Result` means another type here",
                help="name the other one by its module (`io::Result`) or import it `as` something else",
            )
