"""A loop runs a model on autodiff and never runs `backward`: each pass is recorded, and Dropout stays on.

## Why
On an autodiff device (an autodiff backend up to burn 0.21) every operation is recorded for a `backward`. A loop that
only evaluates keeps the activations of all its passes: 31 kB for each batch of 32 through a small network on 0.22.1.
And the model is in training mode: Dropout drops, and BatchNorm normalises by the batch at hand and updates its
statistics.

## PyTorch
`with torch.inference_mode():` and `model.eval()`. In burn `model.valid()` is both.

## Fires
    # use burn::nn::{Linear, LinearConfig};
    # use burn::tensor::{Device, Tensor};
    fn scores(model: &Linear, batches: Vec<Tensor<2>>) -> Vec<f32> {
        let mut scores = Vec::new();
        for x in batches {
            scores.push(model.forward(x).mean().into_scalar::<f32>());
        }
        scores
    }

    fn serve(batches: Vec<Tensor<2>>) -> Vec<f32> {
        let model: Linear = LinearConfig::new(64, 64).init(&Device::default().autodiff());
        scores(&model, batches)
    }

## Clean
    # use burn::nn::{Linear, LinearConfig};
    # use burn::tensor::{Device, Tensor};
    fn scores(model: &Linear, batches: Vec<Tensor<2>>) -> Vec<f32> {
        let mut scores = Vec::new();
        for x in batches {
            scores.push(model.forward(x).mean().into_scalar::<f32>());
        }
        scores
    }

    fn serve(batches: Vec<Tensor<2>>) -> Vec<f32> {
        let model: Linear = LinearConfig::new(64, 64).init(&Device::default());
        scores(&model, batches)
    }

## Known gaps
A program that has device, model and passes in one function is inference-on-autodiff-device; a model that is visibly
trained is validation-without-valid or eval-fn-called-with-train-model. What a field holds is not followed.

## References
burn-autodiff 0.22.1, src/runtime (records are freed by `backward`); burn-nn 0.22.1, src/modules/dropout.rs. The
symptoms are run in fixtures/autodiff/inference-on-autodiff-device/proof.rs (0.22.1) and proof_021.rs (0.21.0).
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL209",
    "autodiff-forward-loop",
    symptom="memory",
    severity="warning",
    confidence="medium",
    pitfalls=("B13", "B16"),
    burn=">=0.13",
    listens=("forward",),
)


def check(file: FileView) -> Iterator[Finding]:
    if not file.spells_autodiff:
        return
    for output in file.passes(in_loops=True):
        if output.loop_without_training is None:
            continue
        model = output.operands[0]
        if model.autodiff() != "autodiff" or model.is_trained:
            continue
        use = output.host_use
        if use is None or use.flag is not None or _is_reported(file, output):
            continue
        name = model.named_or("the model")
        yield Finding(
            output.name_place,
            f"nothing in this loop runs `backward`, yet {name} is on autodiff: each pass is recorded, and Dropout and "
            "BatchNorm stay in training mode",
            help="evaluate a copy that is off autodiff (`valid()`), or make the model off autodiff",
        )


def _is_reported(file: FileView, output: Expr) -> bool:
    """Whether another rule reports the device, a `no_grad()` model, or a caller that gives the model in training."""
    model = output.operands[0]
    if model.no_grad_copy is not None and model.contents.holds("flag"):
        return True
    index = model.parameter
    if index is not None and any(given.is_trained for _, given in output.given_to(index)):
        return True
    return any(device.fn is output.fn and device.predictions for device in file.calls("autodiff"))
