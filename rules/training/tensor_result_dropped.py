"""A tensor operation whose result is dropped changes nothing: tensors have no operations in place.

## Why
Every operation of burn's `Tensor` takes the tensor by value and gives a new one back; names such as
`slice_assign`, `mask_fill`, `clamp` or `require_grad` sound as if they changed it. Written after `x.clone()`, a
statement compiles without a warning and `x` stays what it was: on burn 0.22.1 zeros remain zeros after
`x.clone().slice_assign([0..1], ones);`. rustc itself proposes that `clone()` for the moved value.

## PyTorch
`x[0:1] = 1`, `x.clamp_(0, 1)`, `x.masked_fill_(..)` and `x.requires_grad_()` change the tensor in place.

## Fires
    # use burn::tensor::Tensor;
    # fn mark(x: Tensor<2>, one: Tensor<2>) -> Tensor<2> {
    x.clone().slice_assign([0..1, 0..1], one);
    x
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn mark(x: Tensor<2>, one: Tensor<2>) -> Tensor<2> {
    let x = x.slice_assign([0..1, 0..1], one);
    x
    # }

## Known gaps
Reported only where the tensor is read again, for what is never read may be there to warm a device up. Operators,
functions of `burn::tensor::activation` and tests are left alone. Where a function returns the changed copy, the
confidence is medium: it may be called for what else it does.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs. Run on 0.21.0 and 0.22.1:
fixtures/training/tensor-result-dropped/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

# What sounds as if it changed the tensor in place. A dropped `matmul` or `exp` may measure or warm up.
CHANGES = (
    "slice_assign",
    "slice_fill",
    "select_assign",
    "scatter",
    "scatter_nd",
    "mask_fill",
    "mask_where",
    "clamp",
    "clamp_min",
    "clamp_max",
    "require_grad",
    "set_require_grad",
    "detach",
    "to_device",
    "cast",
    "reshape",
    "unsqueeze",
    "unsqueeze_dim",
    "squeeze",
    "squeeze_dim",
    "swap_dims",
    "transpose",
    "permute",
    "flatten",
    "add_scalar",
    "sub_scalar",
    "mul_scalar",
    "div_scalar",
    "zeros_like",
)

RULE = Rule(
    "BL422",
    "tensor-result-dropped",
    symptom="silent",
    severity="error",
    confidence="high",
    pitfalls=("P17",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=CHANGES,
)


def check(file: FileView) -> Iterator[Finding]:
    for at, call in file.discarded(*CHANGES):
        tensor = call.outlived_by
        if tensor is None or at.is_only_tried or at.in_timed_code or call.key != f"Tensor::{call.name}":
            continue
        if at is not call:
            # The function may be called for what else it does.
            message = f"the tensor that `{at.name}` returns is dropped: what it is given stays as it is"
            finding = Finding(at.place, message, help="assign the result")
            yield finding.with_because(call.name_place, "changed here").lowered(confidence="medium")
            continue
        finding = Finding(
            call.place,
            f"the tensor that `{call.name}` returns is dropped: `{tensor.spelling}` stays as it is",
            help=f"assign the result: `{tensor.spelling} = …`",
        )
        yield finding.with_fix("assign the result", call.assigned_to(tensor), safe=False)
