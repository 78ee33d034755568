"""`run_from_script` outside of a build script: there is no `OUT_DIR`, and the program panics.

## Why
`ModelGen::run_from_script` writes below the folder that Cargo names in `OUT_DIR`. A program of a package without a
build script has no such folder. `run_from_cli` writes where `out_dir` says.

## Fires
    // src/main.rs
    # // Cargo.toml: burn = { version = "=0.22.1", features = ["flex"] }
    # // Cargo.toml: burn-onnx = "0.22"
    use burn_onnx::ModelGen;

    fn main() {
        ModelGen::new().input("denoiser.onnx").out_dir("model/").run_from_script();
    }

## Clean
    // src/main.rs
    # // Cargo.toml: burn = { version = "=0.22.1", features = ["flex"] }
    # // Cargo.toml: burn-onnx = "0.22"
    use burn_onnx::ModelGen;

    fn main() {
        ModelGen::new().input("denoiser.onnx").out_dir("model/").run_from_cli();
    }

## Known gaps
Libraries are left alone: a build script may call them. So are packages with a build script, for which Cargo sets
`OUT_DIR` when it runs the program.

## References
burn-onnx 0.22.0, src/import/model_gen.rs (`run_from_script`); 0.21.0, src/model_gen.rs. Read, not run: hence medium.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL505",
    "codegen-outside-build-script",
    symptom="panic",
    severity="error",
    confidence="medium",
    pitfalls=("P26",),
    burn=">=0.21",
    proven=(),
    listens=("run_from_script",),
)


def check(file: FileView) -> Iterator[Finding]:
    kinds = file.target_kinds
    if file.has_build_script or not kinds or not kinds <= {"bin", "example"}:
        return
    for generator in file.generators():
        if generator.call.name == "run_from_script":
            yield Finding(
                generator.call.name_place,
                "`run_from_script` panics here: only a build script has the `OUT_DIR` that it writes to",
                help="call it in build.rs, or call `run_from_cli`",
            )
