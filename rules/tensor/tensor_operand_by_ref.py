"""An operator with a reference to a tensor does not compile: burn's operators take tensors by value (E0277, E0369).

## Why
No operator is implemented for `&Tensor`. On the right of a tensor rustc asks for `ElementConversion` and hints at removing the
`&`, which then moves the tensor. A clone shares the data: it copies nothing. The same error comes of a `Param` as an operand:
its tensor is what `val()` gives.

## Fires
    # use burn::tensor::Tensor;
    # fn residual(x: Tensor<2>, y: &Tensor<2>) -> Tensor<2> {
    x + y
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn residual(x: Tensor<2>, y: &Tensor<2>) -> Tensor<2> {
    x + y.clone()
    # }

## Known gaps
Test code is not looked at.

## References
burn-tensor 0.22.1, src/tensor/api/numeric.rs (`impl Add<Self> for Tensor`). E0277 and E0369 on 0.22.1, E0277 on 0.21.0:
fixtures/tensor/tensor-operand-by-ref/compile_fail.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule, released

RULE = Rule(
    "BL110",
    "tensor-operand-by-ref",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("P6", "P9"),
    burn=">=0.13",
    proven=released(">=0.13"),
    listens=("Tensor",),
    messages=(
        r"the trait bound `&(?:\w+::)*Tensor<.*>: ElementConversion` is not satisfied",
        r"the trait bound `(?:\w+::)*Param<.*>: ElementConversion` is not satisfied",
        r"cannot (?:add|subtract|multiply|divide|calculate) .*`&(?:\w+::)*Tensor<.*>`",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for operation in file.operators("+", "-", "*", "/", "%", tests=False):
        lent = [each for each in operation.operands if each.kind is not None and each.is_reference]
        if not lent:
            yield from _parameters(operation)
            continue
        finding = Finding(
            operation.place,
            f"`{lent[0].spelling}` is a reference: the operator takes tensors by value and does not compile",
            help="clone it: `.clone()` shares the data",
        )
        yield finding.with_fix("clone the tensor", *(each.owned_copy() for each in lent), safe=True)


def _parameters(operation: Expr) -> Iterator[Finding]:
    """Operands that are parameters of a module instead of their values."""
    held = [each for each in operation.operands if each.is_parameter]
    if held:
        finding = Finding(
            operation.place,
            f"`{held[0].spelling}` is a `Param`: the operator takes tensors and does not compile",
            help="take its value: `.val()`",
        )
        yield finding.with_fix("take the value", *(each.value_of_parameter() for each in held), safe=True)
