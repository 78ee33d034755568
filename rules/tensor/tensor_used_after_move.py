"""A tensor is used again after a method or call took it: the code does not compile (E0382); clone it before.

## Why
Operations take tensors by value, so that a buffer which nobody else holds can be reused in place. `x.exp()`, `x + y`
and `layer.forward(x)` move `x`, and so does a closure that does this with it, where it is made; what reads it
afterwards, or moves it again in the next round of a loop, is E0382. `clone()` copies a handle, not the data.

## PyTorch
Every operation takes tensors by reference there.

## Fires
    # use burn::nn::Linear;
    # use burn::tensor::Tensor;
    # fn residual(layer: &Linear, x: Tensor<2>) -> Tensor<2> {
    let y = layer.forward(x);
    y + x
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::tensor::Tensor;
    # fn residual(layer: &Linear, x: Tensor<2>) -> Tensor<2> {
    let y = layer.forward(x.clone());
    y + x
    # }

## Known gaps
Moves into async blocks and macros, by `match`, and in functions with conditional compilation are left to rustc.

## References
burn-tensor 0.22.1, src/tensor/api (operations take `self`). Error E0382, on 0.21.0 and 0.22.1:
fixtures/tensor/tensor-used-after-move/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule, released

RULE = Rule(
    "BL111",
    "tensor-used-after-move",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("P9",),
    burn=">=0.13",
    proven=released(">=0.13"),
    listens=("Tensor",),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.used_after_move():
        moved, used = each.moved, each.used
        again = moved.site == used.site
        when = "in the round before" if again else "before"
        where = "into a closure " if each.into_closure else ""
        finding = Finding(
            used.place,
            f"`{used.spelling}` was moved {where}{when}: this does not compile",
            help="clone it before the closure, and let that take the clone"
            if each.into_closure
            else "clone it where it is moved: `.clone()` shares the data",
        )
        if not again:
            finding = finding.with_because(moved.place, "moved here")
        # In a closure a clone may be made too late: it goes on borrowing, or takes the tensor all the same (`move`).
        if not each.into_closure:
            finding = finding.with_fix("clone the tensor", moved.wrapped("", ".clone()"), safe=True)
        yield finding
