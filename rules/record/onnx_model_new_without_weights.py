"""A model that burn-onnx generated is made with `new` and run without its weights: the output means nothing.

## Why
`Model::new(&device)` only builds the structure: constants are zero, layers with parameters are random. The weights
come with `Model::default()`, `from_file`, `from_bytes`, or a load afterwards.

## Fires
    # // Cargo.toml: burn = { version = "=0.22.1", features = ["flex"] }
    # // Cargo.toml: burn-onnx = "0.22"
    # // build.rs: fn main() { burn_onnx::ModelGen::new().input("denoiser.onnx").run_from_script(); }
    mod denoiser {
        include!(concat!(env!("OUT_DIR"), "/model/denoiser.rs"));
    }

    fn main() {
        let model = denoiser::Model::new(&device());
        println!("{}", model.forward(input()));
    }
    # fn device() -> burn::tensor::Device { Default::default() }
    # fn input() -> burn::tensor::Tensor<2> { burn::tensor::Tensor::zeros([1, 2], &device()) }

## Clean
    # // Cargo.toml: burn = { version = "=0.22.1", features = ["flex"] }
    # // Cargo.toml: burn-onnx = "0.22"
    # // build.rs: fn main() { burn_onnx::ModelGen::new().input("denoiser.onnx").run_from_script(); }
    mod denoiser {
        include!(concat!(env!("OUT_DIR"), "/model/denoiser.rs"));
    }

    fn main() {
        let model = denoiser::Model::from_file("denoiser.bpk", &device());
        println!("{}", model.forward(input()));
    }
    # fn device() -> burn::tensor::Device { Default::default() }
    # fn input() -> burn::tensor::Tensor<2> { burn::tensor::Tensor::zeros([1, 2], &device()) }

## Known gaps
Only a model that is made and run in one function, and used for nothing else there.

## References
burn-onnx 0.22.0, src/lib.rs ("Never run a model built with `new` alone"). The generated code was run; no proof is
among the fixtures, since they do not build burn-onnx.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL519",
    "onnx-model-new-without-weights",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P26",),
    burn=">=0.21",
    proven=(),
    listens=("OUT_DIR",),
)


def check(file: FileView) -> Iterator[Finding]:
    if not file.includes_generated or not any(True for view in file.around() for _ in view.generators()):
        return
    for made in file.generated_models("new"):
        runs = _only_runs(made)
        if runs is not None and not made.in_test:
            yield Finding(
                made.place,
                "this model has no weights: `new` only builds it, and its constants are zero",
                help="load them: `Model::from_file(path, &device)`, `from_bytes`, or `load_from` a store",
            ).with_because(runs.name_place, "run here")


def _only_runs(model: Expr) -> Expr | None:
    """The first `forward` of a model that nothing but `forward` is called on."""
    runs = []
    for reach in model.reaches():
        call = model.at(reach.site)
        if reach.kind != "operand" or reach.index != 0 or not call.name.startswith("forward"):
            return None
        runs.append(call)
    return runs[0] if runs else None
