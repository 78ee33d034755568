"""`backward` on a loss that nothing reduced multiplies the gradients by the number of elements of the loss.

## Why
burn accepts a tensor of any shape as the root of `backward` and starts from ones: the gradients are those of
the **sum** over all elements. With a loss of `[batch, classes]` they are batch times classes as large as
with `.mean()`, so the learning rate means something else with each batch size. `mean_dim` and `sum_dim`
leave elements over and are no reductions. On burn 0.22.1 a loss of 8 x 4 elements gives gradients exactly 32
times as large. Adam and its kin hardly notice it, as long as nothing clips gradients.

## PyTorch
`loss.backward()` refuses a tensor with more than one element ("grad can be implicitly created only for
scalar outputs"), and losses reduce by the mean unless told otherwise; `SmoothL1Loss`, `CTCLoss` and
`RNNTLoss` of burn do not.

## Fires
    # use burn::nn::Linear;
    # use burn::nn::loss::SmoothL1Loss;
    # use burn::optim::GradientsParams;
    # use burn::tensor::Tensor;
    # fn gradients(model: &Linear, criterion: &SmoothL1Loss, x: Tensor<2>, y: Tensor<2>) -> GradientsParams {
    let loss = criterion.forward(model.forward(x), y);
    GradientsParams::from_grads(loss.backward(), model)
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::nn::loss::SmoothL1Loss;
    # use burn::optim::GradientsParams;
    # use burn::tensor::Tensor;
    # fn gradients(model: &Linear, criterion: &SmoothL1Loss, x: Tensor<2>, y: Tensor<2>) -> GradientsParams {
    let loss = criterion.forward(model.forward(x), y).mean();
    GradientsParams::from_grads(loss.backward(), model)
    # }

## Known gaps
An explicit `.sum()` or `Reduction::Sum` is taken as meant. A loss that a function of another crate returns
is taken as reduced. A rank alone proves nothing: `[1, 1]` has rank 2 and one element.

## References
burn-autodiff 0.22.1, src/grads.rs (the root's gradient is ones); burn-nn 0.22.1, src/loss/smooth_l1.rs,
ctc.rs, rnnt.rs. Run on 0.22.1: fixtures/autodiff/backward-on-unreduced-loss/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL201",
    "backward-on-unreduced-loss",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("P12",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("backward",),
)

ASSERTS_ONE = re.compile(r"assert(?:_eq)?!\(\s*[\w.()\[\]]+\s*(?:,|==)\s*1\b")


def check(file: FileView) -> Iterator[Finding]:
    for backward in file.calls("backward", tests=False):
        if backward.key != "Tensor::backward":
            continue
        loss = backward.operands[0]
        optimizers = backward.optimizers()
        # A learning rate that is divided may make up for it (clean_cases.rs, rate_by_elements).
        if optimizers is None or optimizers.rate_divided:
            continue
        reduction = loss.reduction()
        unreduced = (reduction.may("many") or reduction.may("weighted")) and reduction.must(
            "many", "weighted", "constant"
        )
        computed = reduction.must("open") and reduction.must_be_computed and loss.rank_at_least(2)
        # A loss of one element needs no reduction (clean_not_for_the_optimizer.rs, one_row_written_out).
        if not (unreduced or computed) or set(loss.shape() or (None,)) == {1}:
            continue
        name = loss.named_or("the loss")
        finding = Finding(
            backward.name_place,
            f"nothing reduced {name}: its gradients are multiplied by its number of elements",
            help="reduce it first, for example with `.mean()`",
        )
        # Rank alone proves nothing, and weights may hold the mean (fires_cases.rs, weighted_samples); a constant
        # is what a sum over a loop starts from (fires.rs, carried_by_a_loop); Adam and its kin divide the factor
        # out again (fires.rs, scale_invariant_optimizer).
        # A batch that the function asserts to be one may leave a single element (fires_scaled.rs, batch_of_one).
        one = ASSERTS_ONE.search(backward.fn_text) is not None
        if one or optimizers.must_be_scale_invariant or not reduction.must("many"):
            finding = finding.lowered(confidence="medium")
        for cause in map(loss.at, reduction.causes("many", "weighted")):
            finding = finding.with_because(
                cause.place, f"`{cause.key}` gives a value for each element or sample"
            )
        yield _with_fix(finding, loss)


def _with_fix(finding: Finding, loss: Expr) -> Finding:
    if loss.is_borrowed:
        return finding
    copy = ".clone()" if loss.read_later else ""
    return finding.with_fix("reduce by the mean", loss.wrapped("", f"{copy}.mean()"), safe=False)
