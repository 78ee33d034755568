"""A `no_grad()` model evaluates in training mode: Dropout drops, and BatchNorm goes on updating its statistics.

## Why
`no_grad()` only says that no parameter asks for a gradient. The model stays on autodiff and keeps its training
flags: the same input gives another answer each time, BatchNorm normalises by the batch at hand and writes it into
its running statistics, and what is computed is still recorded (11 kB per pass of a small network). `valid()` is the
copy for evaluation: off autodiff, flags off.

## PyTorch
`with torch.no_grad():` does not switch Dropout off there either: that is `model.eval()`. `valid()` is both.

## Fires
    # use burn::module::Module;
    # use burn::nn::BatchNorm;
    # use burn::tensor::{Device, Tensor};
    # fn score(model: &BatchNorm, x: Tensor<3>, grads: Tensor<1>) -> f32 {
    # let _ = grads.backward();
    let model = model.clone().no_grad();
    model.forward(x).mean().into_scalar::<f32>()
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::BatchNorm;
    # use burn::tensor::{Device, Tensor};
    # fn score(model: &BatchNorm, x: Tensor<3>, grads: Tensor<1>) -> f32 {
    # let _ = grads.backward();
    let model = model.valid();
    model.forward(x).mean().into_scalar::<f32>()
    # }

## Known gaps
Only where the outputs are read on the host: a frozen teacher in a loss may be meant so. Where nothing shows that the
model is on autodiff the confidence is medium, and the rule is silent in packages that never run `backward`.

## References
burn-core 0.22.1, src/module/base.rs (`no_grad` keeps the training flags, `valid` clears them); burn-nn 0.22.1,
src/modules/dropout.rs, src/modules/norm/batch.rs. Run on 0.22.1: fixtures/autodiff/no-grad-used-for-eval/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL230",
    "no-grad-used-for-eval",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B16", "P11"),
    burn=">=0.22",
    listens=("no_grad",),
)


def check(file: FileView) -> Iterator[Finding]:
    seen = set()
    for output in file.passes():
        model = output.operands[0]
        made = model.no_grad_copy
        if made is None or made.place in seen or not model.contents.holds("flag"):
            continue
        state = model.autodiff()
        if state == "plain" or (state != "autodiff" and not file.trains):
            continue
        use = output.host_use
        if use is None or use.flag is not None:
            continue
        seen.add(made.place)
        name = model.named_or("the model")
        finding = Finding(
            made.name_place,
            f"{name} is only evaluated, yet `no_grad()` leaves it in training mode: Dropout drops, BatchNorm uses and "
            "updates the statistics of the batch",
            help="use `valid()`, which leaves autodiff and training mode",
        ).with_because(output.name_place, "evaluated here")
        if made.call_place is not None:
            finding = finding.with_fix("use `valid()`", Edit(made.method_name, "valid"), safe=False)
        yield finding if state == "autodiff" else finding.lowered(confidence="medium")
