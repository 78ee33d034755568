"""A gradient is asked for after `grad_remove` or `from_module` took it out: the answer is `None`.

## Why
`grad_remove` moves the gradient out of `Gradients`, and `GradientsParams::from_module` those of all parameters of a module. A
`grad` or `grad_remove` for the same tensor then finds nothing and answers `None`; an `unwrap` on it panics.

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
A parameter that another handle than the module's field holds is not known as taken out, nor what `from_params` takes.

## References
burn-autodiff 0.22.1, src/grads.rs (`remove`), burn-optim 0.22.1, src/optim/visitor.rs.
Run on 0.22.1 and 0.21.0: fixtures/autodiff/gradients-already-taken/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL218",
    "gradients-already-taken",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B11",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("grad_remove", "from_module"),
)


_TAKES = ("Tensor::grad_remove", "GradientsParams::from_module")


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("grad", "grad_remove", tests=False):
        if call.key not in ("Tensor::grad", "Tensor::grad_remove") or call.is_expected_none:
            continue
        for run in call.runs():
            taken = _taken(*run.operands)
            if taken is None:
                continue
            name = run.operands[0].named_or("the tensor")
            finding = Finding(
                call.name_place,
                f"the gradient of {name} was taken out before: `{call.name}` gives `None`",
                help="keep the gradient that was taken out, or ask with `grad` first",
            ).with_because(taken.name_place, "taken out here")
            caller = run.called_by
            yield finding.with_because(caller.place, "as called here") if caller is not None else finding
            break


def _taken(tensor: Expr, grads: Expr) -> Expr | None:
    """The call before that took the tensor's gradient out."""
    for change in grads.changes_before:
        if change.key not in _TAKES:
            continue
        of_module = change.key == "GradientsParams::from_module"
        if tensor.lies_in(change.operands[1]) if of_module else change.operands[0].same_as(tensor):
            return change
    return None
