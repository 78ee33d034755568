"""A gradient is asked for after `grad_remove` took it out: the answer is `None`.

## Why
`grad_remove` moves the gradient out of `Gradients`. A second `grad` or `grad_remove` for the same tensor finds nothing and answers
`None`; an `unwrap` on it panics.

## PyTorch
`.grad` stays until `zero_grad()` there.

## Fires
    # use burn::tensor::{Gradients, Tensor};
    # fn slopes(w: Tensor<1>, mut grads: Gradients) -> Option<Tensor<1>> {
    let norm = w.grad_remove(&mut grads).map(|slope| slope.abs().mean());
    println!("{norm:?}");
    w.grad(&grads)
    # }

## Clean
    # use burn::tensor::{Gradients, Tensor};
    # fn slopes(w: Tensor<1>, mut grads: Gradients) -> Option<Tensor<1>> {
    let norm = w.grad(&grads).map(|slope| slope.abs().mean());
    println!("{norm:?}");
    w.grad_remove(&mut grads)
    # }

## Known gaps
What `GradientsParams::from_module` takes out for a whole module is not followed.

## References
burn-autodiff 0.22.1, src/grads.rs (`remove`). Run on 0.22.1: fixtures/autodiff/gradients-already-taken/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL218",
    "gradients-already-taken",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B11",),
    burn=">=0.13",
    listens=("grad_remove",),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("grad", "grad_remove"):
        if call.in_test or call.key not in ("Tensor::grad", "Tensor::grad_remove"):
            continue
        tensor, grads = call.operands
        for change in grads.changes_before:
            if change.key != "Tensor::grad_remove" or not change.operands[0].same_as(tensor):
                continue
            name = tensor.named_or("the tensor")
            yield Finding(
                call.name_place,
                f"the gradient of {name} was taken out before: `{call.name}` gives `None`",
                help="keep the gradient that `grad_remove` gave, or ask with `grad` first",
            ).with_because(change.name_place, "taken out here")
            break
