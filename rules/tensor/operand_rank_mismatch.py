"""An operator between tensors of different rank does not compile, and rustc's text does not say why (E0277, ElementConversion).

## Why
Operators take two tensors of the same rank, or a tensor and a number. burn adds no dimensions by itself. `mean()`, `sum()` and
`max()` give a tensor of rank 1, never a number, so `x - x.mean()` is refused for any `x` of a higher rank.

## PyTorch
Leading dimensions are added there when shapes meet.

## Fires
    # use burn::tensor::Tensor;
    # fn shift(x: Tensor<2>, bias: Tensor<1>) -> Tensor<2> {
    x + bias
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn shift(x: Tensor<2>, bias: Tensor<1>) -> Tensor<2> {
    x + bias.unsqueeze::<2>()
    # }

## Known gaps
Ranks that are generic are not compared. Test code is not looked at.

## References
burn-tensor 0.22.1, src/tensor/api/numeric.rs (`impl Add<Self>`, `impl Add<E: ElementConversion>`). E0277 on 0.22.1 and 0.21.0:
fixtures/tensor/operand-rank-mismatch/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule, released

RULE = Rule(
    "BL108",
    "operand-rank-mismatch",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("P6",),
    burn=">=0.13",
    proven=released(">=0.13"),
    listens=("Tensor",),
    messages=(
        r"the trait bound `(?:\w+::)*Tensor<(?:\w+, )?\d+.*>: ElementConversion` is not satisfied",
        r"required for `(?:\w+::)*Tensor<.*>` to implement `(?:std::ops::)?(?:Add|Sub|Mul|Div|Rem)<(?:\w+::)*Tensor<.*>>`",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for operation in file.operators("+", "-", "*", "/", "%", tests=False, both=True):
        left, right = operation.operands
        if left.rank is None or right.rank is None or left.rank == right.rank:
            continue
        lower, higher = sorted((left, right), key=lambda each: each.rank or 0)
        made = lower.operation
        name = lower.named_or(f"`{made.name}`" if made and made.name else "the other side")
        finding = Finding(
            operation.place,
            f"{name} gives rank {lower.rank} and the other operand has rank {higher.rank}: the operator does not compile",
            help=f"add the missing dimensions in front: `.unsqueeze::<{higher.rank}>()`",
        )
        if made is not None:
            finding = finding.with_because(made.method_name, f"this gives rank {lower.rank}")
        # In front as PyTorch does; a single element fits everywhere.
        one = lower.shape() == (1,)
        yield finding.with_fix(
            "add the missing dimensions in front",
            lower.wrapped("", f".unsqueeze::<{higher.rank}>()"),
            safe=one,
        )
