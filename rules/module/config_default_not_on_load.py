"""A field with a `#[config(default = ..)]` of a config that the package loads: files from before the field make `load` fail.

## Why
The default is for `new` only. Whoever adds a field with a default expects older files to go on working, as with
`#[serde(default)]`; they fail with "missing field". An `Option` is read as `None` where a file lacks it.

## Fires
    # use burn::config::Config;
    #[derive(Config, Debug)]
    pub struct Training {
        epochs: usize,
        #[config(default = 0.1)]
        dropout: f64,
    }

    # pub fn training(folder: &str) -> Training {
    Training::load(format!("{folder}/config.json")).expect("config")
    # }

## Clean
    # use burn::config::Config;
    #[derive(Config, Debug)]
    pub struct Training {
        epochs: usize,
        dropout: Option<f64>,
    }

    # pub fn training(folder: &str) -> Training {
    Training::load(format!("{folder}/config.json")).expect("config")
    # }

## Known gaps
Pedantic: most files are written by the version of the program that reads them. A config that another package loads,
or that stands in a config that is loaded, is not reported.

## References
burn-derive 0.22.1, src/config/analyzer_struct.rs (`gen_deserialize_fn`). Run on 0.22.1 and 0.21.0:
fixtures/module/config-default-not-on-load/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL320",
    "config-default-not-on-load",
    symptom="panic",
    severity="note",
    confidence="medium",
    group="pedantic",
    pitfalls=("B17",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("Config",),
    messages=(r"Config error => Invalid format: missing field `\w+`",),
)


def check(file: FileView) -> Iterator[Finding]:
    for config in file.deriving("Config"):
        if config.is_enum:
            continue
        fields = [field for field in config.fields if field.default is not None and not field.is_option]
        # A file in sight is judged by `config-file-missing-field`.
        load = next((each for each in config.loads() if each.loaded_file() is None), None) if fields else None
        if load is None:
            continue
        for field in fields:
            yield Finding(
                field.place,
                f"a file without `{field.name}` does not load: its default is for `{config.name}::new` only",
                help="make it an `Option` and give the default where it is read, if older files are to load",
            ).with_because(load.place, "loaded here")
