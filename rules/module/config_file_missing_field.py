"""A config file in the project lacks a field of the `derive(Config)` type that it is loaded into: `load` fails.

## Why
`#[config(default = ..)]` is for `new` only. Loading asks for every field that is no `Option`, also of nested
configs, and a file that was written before a field was added or renamed gives "missing field `num_workers` at line
1 column 80", without a word on the outer field or the file. Fields that the type does not have are ignored.

## Fires
    use burn::config::Config;

    #[derive(Config, Debug)]
    pub struct Training {
        epochs: usize,
        #[config(default = 0.1)]
        dropout: f64,
    }

    // config.json: {"epochs": 5}
    pub fn training() -> Training {
        Training::load("config.json").expect("config")
    }

## Clean
    # use burn::config::Config;
    #[derive(Config, Debug)]
    pub struct Training {
        epochs: usize,
        dropout: Option<f64>,
    }

    // config.json: {"epochs": 5}
    # pub fn training() -> Training {
    Training::load("config.json").expect("config")
    # }

## Known gaps
Only a path that is a literal or a constant, relative to the package or its workspace, is followed. A path that is put
together at run time is not.

## References
burn-derive 0.22.1, src/config/analyzer_struct.rs (`gen_deserialize_fn`); burn-core 0.22.1, src/config.rs. Run on
0.22.1 and 0.21.0: fixtures/module/config-file-missing-field/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL315",
    "config-file-missing-field",
    symptom="panic",
    severity="warning",
    confidence="high",
    pitfalls=("B17",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("load",),
    messages=(
        r"Config error => Invalid format: missing field `\w+`",
        r"InvalidFormat\(\"missing field `\w+`",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("load", tests=False):
        loaded = call.loaded_file()
        if loaded is None or not loaded.missing:
            continue
        first, *others = loaded.missing
        more = f" (and {len(others)} more)" if others else ""
        finding = Finding(
            call.operands[0].place,
            f'`{loaded.written}` has no `{first.name}`{more}: `{loaded.config}::load` fails with "missing field"',
            help="add it to the file, or make the field an `Option`: `#[config(default)]` is not used when loading",
        )
        for each in loaded.missing[:3]:
            finding = finding.with_because(each.place, f"`{each.name}` is required")
        yield finding
