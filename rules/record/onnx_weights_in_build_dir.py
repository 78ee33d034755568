"""A model that burn-onnx generated reads its weights from the build folder: moved or installed, the program panics.

## Why
By default the generated `Model::default()` holds the absolute path of the folder in which Cargo built it. After
`cargo install`, in a container or on another machine nothing is there: "Failed to load burnpack file".

## Fires
    // build.rs
    # // Cargo.toml: burn = { version = "=0.22.1", features = ["flex"] }
    # // Cargo.toml: burn-onnx = "0.22"
    use burn_onnx::ModelGen;

    fn main() {
        ModelGen::new().input("denoiser.onnx").out_dir("model/").run_from_script();
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
Code that the older burn-import generated is not judged. A build script that asks for another strategy anywhere is
left alone. Where no use of the model is in sight, this is a note.

## References
burn-onnx 0.22.0, src/import/model_gen.rs (`LoadStrategy`), src/import/burn/graph.rs; 0.21.0, src/model_gen.rs,
src/burn/graph.rs. The generated code was run in
place and with its folder moved; no proof is among the fixtures, since they do not build burn-onnx.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL504",
    "onnx-weights-in-build-dir",
    symptom="panic",
    severity="warning",
    confidence="medium",
    pitfalls=("P26",),
    burn=">=0.21",
    proven=(),
    listens=("run_from_script",),
    messages=(r"Failed to load (?:embedded )?burnpack(?: file| bytes)?\b",),
)


def check(file: FileView) -> Iterator[Finding]:
    if file.is_build_script is False:
        return
    for generator in file.generators():
        if generator.call.name != "run_from_script" or not generator.reads_from_disk:
            continue
        included, uses = _uses(file)
        if included and not uses:
            continue
        finding = Finding(
            generator.call.name_place,
            "the generated `Model::default()` reads its weights from this build folder: the program panics elsewhere",
            help="call `.load_strategy(LoadStrategy::Embedded)` before, or load with `Model::from_file(path, &device)`",
        )
        for use in uses[:3]:
            finding = finding.with_because(use.place, "the weights are read here")
        yield finding if uses else finding.lowered(severity="note")


def _uses(file: FileView) -> tuple[bool, list[Expr]]:
    """Whether the package includes generated code, and where its programs and libraries call
    `Model::default()`."""
    included, uses = False, []
    for view in file.around():
        included = included or view.includes_generated
        if view.target_kinds & {"lib", "bin"}:
            uses += [call for call in view.generated_models("default") if not call.in_test]
    return included, uses if included else []
