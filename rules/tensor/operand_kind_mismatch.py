"""An operator between Float, Int and Bool tensors does not compile, and rustc's text does not say why (E0277, ElementConversion).

## Why
Operators take two tensors of the same kind. burn converts nothing by itself: a count, an index or a mask has to be made Float
first.

## PyTorch
Integers and truth values become floats there when they meet floats.

## Fires
    # use burn::tensor::{Int, Tensor};
    # fn scale(x: Tensor<2>, counts: Tensor<2, Int>) -> Tensor<2> {
    x * counts
    # }

## Clean
    # use burn::tensor::{Int, Tensor};
    # fn scale(x: Tensor<2>, counts: Tensor<2, Int>) -> Tensor<2> {
    x * counts.float()
    # }

## Known gaps
Kinds that are generic are not compared, nor are the operands of methods, for which rustc's text is clear. Test
code is not looked at.

## References
burn-tensor 0.22.1, src/tensor/api/numeric.rs. E0277 on 0.22.1 and 0.21.0: fixtures/tensor/operand-kind-mismatch/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL109",
    "operand-kind-mismatch",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("P6",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("Tensor",),
    messages=(r"the trait bound `(?:\w+::)*Tensor<.*(?:Int|Bool)>: ElementConversion` is not satisfied",),
)


def check(file: FileView) -> Iterator[Finding]:
    for operation in file.operators("+", "-", "*", "/", "%", tests=False, both=True):
        left, right = operation.operands
        if left.kind is None or right.kind is None or left.kind == right.kind:
            continue
        if left.rank is not None and right.rank is not None and left.rank != right.rank:
            continue  # That says more: operand-rank-mismatch.
        finding = Finding(
            operation.place,
            f"{left.kind} meets {right.kind}: the operator does not compile",
            help="convert one side, for example with `.float()`",
        )
        other = right if left.kind == "Float" else left
        if "Float" in (left.kind, right.kind):
            finding = finding.with_fix("convert to Float", other.wrapped("", ".float()"), safe=True)
        yield finding
