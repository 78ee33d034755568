"""`embed_states` of burn-onnx's generator became `load_strategy` in 0.21: the build script does not compile.

## Why
Where a generated model reads its weights is one of four strategies now. rustc says of the old call "no method named
`embed_states` found for mutable reference `&mut ModelGen`" (E0599). `false` was the default and still is.

## Fires
    // build.rs
    # // Cargo.toml: burn = { version = "=0.22.1", features = ["flex"] }
    # // Cargo.toml: burn-onnx = "0.22"
    use burn_onnx::ModelGen;

    fn main() {
        ModelGen::new().input("denoiser.onnx").out_dir("model/").embed_states(true).run_from_script();
    }

## Clean
    // build.rs
    # // Cargo.toml: burn = { version = "=0.22.1", features = ["flex"] }
    # // Cargo.toml: burn-onnx = "0.22"
    use burn_onnx::{LoadStrategy, ModelGen};

    fn main() {
        ModelGen::new()
            .input("denoiser.onnx")
            .out_dir("model/")
            .load_strategy(LoadStrategy::Embedded)
            .run_from_script();
    }

## Known gaps
A generator that a function is given is not followed.

## References
burn-onnx 0.21.0 and 0.22.0, src/import/model_gen.rs; burn-import of the same versions hands it on, and 0.21.0-pre.1 still
has the old one. Both forms were compiled with the three crates by hand: the fixtures do not build burn-onnx.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL818",
    "onnx-embed-states",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("P26",),
    group="migration",
    burn=">=0.21",
    proven=("0.22.1",),
    listens=("embed_states",),
    messages=(r"no method named `embed_states` found for .*`(?:&mut )?ModelGen`",),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.embed_states():
        yield Finding(
            each.call.name_place,
            f"{each.crate} has no `embed_states` since 0.21, and this does not compile",
            help="write `load_strategy(LoadStrategy::Embedded)`, and nothing for `embed_states(false)`",
        ).with_fix("name the strategy", *each.edits, safe=True)
