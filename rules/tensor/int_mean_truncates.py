"""The mean of an Int tensor is an integer again: the fraction is cut off.

## Why
`mean` and `mean_dim` divide in the type of the tensor: the mean of `[1, 2]` is 1, of `[-1, -2]` it is -1, and an accuracy taken
as the mean of zeros and ones is 0 until everything is right. `.float()` behind the mean comes too late.

## PyTorch
`mean` of an integer tensor is refused there ("could not infer output dtype").

## Fires
    # use burn::tensor::{Bool, Int, Tensor};
    # fn accuracy(correct: Tensor<1, Bool>) -> Tensor<1> {
    correct.int().mean().float()
    # }

## Clean
    # use burn::tensor::{Bool, Int, Tensor};
    # fn accuracy(correct: Tensor<1, Bool>) -> Tensor<1> {
    correct.float().mean()
    # }

## Known gaps
A mean by hand (`counts.sum() / n`) is a plain division of integers and not looked at. Whoever wants the whole number of the mean is
reported too: hence confidence medium.

## References
burn-tensor 0.22.1, src/tensor/api/numeric.rs (`mean`, `mean_dim`).
Run on 0.22.1 and 0.21.0: fixtures/tensor/int-mean-truncates/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL103",
    "int-mean-truncates",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P2",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("mean", "mean_dim", "mean_dims"),
)


def check(file: FileView) -> Iterator[Finding]:
    # Tests of burn itself ask for just this (clean.rs, of_the_fraction).
    for call in file.calls(*RULE.listens, tests=False):
        if not call.key.startswith("Tensor::") or call.operands[0].kind != "Int":
            continue
        tensor = call.operands[0]
        name = tensor.named_or("the tensor")
        finding = Finding(
            call.name_place,
            f"{name} holds integers: `{call.name}` cuts the fraction of the mean off",
            help="convert to Float first: `.float()`",
        )
        # What else takes the mean may want an Int tensor.
        later = next(call.around, None)
        if later is not None and later.key == "Tensor::float" and later.operands[0].expr is call.expr:
            text = call.wrapped_with(tensor.wrapped("", ".float()"), "").text
            finding = finding.with_fix("convert to Float first", Edit(later.place, text), safe=False)
        yield finding
