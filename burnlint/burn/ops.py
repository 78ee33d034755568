"""What an operation does to the elements of a tensor and to the record of autodiff: a classification of
burn's API.

Most of it follows from the signature; what does not is in the tables below. "Source" comments name the file
in the crates of burn 0.22.1 or the run that showed it (fixtures' proofs). A method that is not in a table and
not decided by its signature is `OTHER`, and nothing may be concluded from it.
"""

from __future__ import annotations

from burnlint.burn.signature import Signature
from burnlint.burn.terms import Const, Generic, Named, Ref, Tensor, Term, Tuple

EACH = "each"
"""As many elements as the operands (after broadcasting), each from the element at its place: `exp`, `+`,
`mask_where`."""
MOVED = "moved"
"""The same elements in another shape or order: `reshape`, `transpose`, `sort`."""
ALL = "all"
"""All elements become one: `mean`, `sum`."""
DIM = "dim"
"""The elements along one or some dimensions become one: `mean_dim`, `argmax`. The other dimensions stay."""
OTHER = "other"
"""Some of the elements, or several times, or combinations of them: `slice`, `cat`, `matmul`."""
NEW = "new"
"""A new tensor that takes nothing from the values of the operands: `zeros_like`, `Tensor::full`."""
HOST = "host"
"""No tensor any more: data, numbers, shapes, devices."""
LOSS_MEAN = "loss"
"""A loss that its `Reduction` argument or its own definition reduces to one element."""
LOSS_RAW = "raw loss"
"""A loss that nothing has reduced: a value for each element or each sample."""
LOSS_DIM = "partial loss"
"""A loss reduced along the dimensions given."""

TRACKS = "tracks"
"""Recorded by autodiff if an operand is."""
CUTS = "cuts"
"""No gradient passes: the result is never tracked."""
DETACHES = "detaches"
"""A new leaf: no gradient passes, but a leaf that required a gradient still does."""
REQUIRES = "requires"
"""A leaf that requires a gradient."""
LEAVES = "leaves"
"""The result is not on autodiff."""

# Source: burn-tensor src/tensor/api/{numeric,orderable,float}.rs: the dimension stays with size 1 (or is
# dropped for _squeeze).
_DIM = frozenset(
    {
        "all_dim",
        "any_dim",
        "argmax",
        "argmin",
        "max_abs_dim",
        "max_abs_dims",
        "max_dim",
        "max_dim_with_indices",
        "max_dims",
        "mean_dim",
        "mean_dims",
        "median",
        "median_with_indices",
        "min_dim",
        "min_dim_with_indices",
        "min_dims",
        "prod_dim",
        "prod_dims",
        "sum_dim",
        "sum_dims",
        "sum_dims_squeeze",
        "var",
        "var_bias",
        "var_mean",
        "var_mean_bias",
    }
)
# Source: burn-tensor src/tensor/api/base.rs and orderable.rs: views, permutations and sorting keep the number
# of elements.
_MOVED = frozenset(
    {
        "flatten",
        "flip",
        "movedim",
        "permute",
        "reshape",
        "roll",
        "roll_dim",
        "sort",
        "sort_descending",
        "sort_descending_with_indices",
        "sort_with_indices",
        "squeeze",
        "squeeze_dim",
        "squeeze_dims",
        "swap_dims",
        "t",
        "transpose",
        "unsqueeze",
        "unsqueeze_dim",
        "unsqueeze_dims",
    }
)
# Source: burn-tensor src/tensor/api/base.rs, take.rs, pad.rs, ..: another number of elements, or each from
# several.
_OTHER = frozenset(
    {
        "argsort",
        "argsort_descending",
        "argtopk",
        "argwhere",
        "categorical",
        "cov",
        "cross",
        "dot",
        "expand",
        "gather",
        "gather_nd",
        "grid_sample_2d",
        "grad",
        "grad_remove",
        "iter_dim",
        "mask_select",
        "mask_select_async",
        "matmul",
        "narrow",
        "one_hot",
        "one_hot_fill",
        "pad",
        "repeat",
        "repeat_dim",
        "select",
        "select_dim",
        "slice",
        "slice_dim",
        "take",
        "topk",
        "topk_with_indices",
        "unfold",
    }
)
# Source: burn-tensor src/tensor/api/autodiff.rs, float.rs; burn-autodiff src/ops/tensor.rs (float_detach).
_GRAPH = {
    "detach": DETACHES,
    "from_inner": CUTS,
    "grad": LEAVES,
    "grad_remove": LEAVES,
    "inner": LEAVES,
    "without_autodiff": LEAVES,
    "require_grad": REQUIRES,
    "set_require_grad": REQUIRES,
}
# Source: burn-nn src/loss/{smooth_l1,lp_loss,huber}.rs.
_RAW_LOSS_METHODS = frozenset({"forward_no_reduction", "forward_residuals"})

OPERATORS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "remainder",
    "&": "bool_and",
    "|": "bool_or",
    "^": "bool_xor",
}
"""The methods that stand for binary operators on tensors."""


def elements(signature: Signature) -> str:
    """What the operation does to elements: EACH, MOVED, ALL, DIM, OTHER, NEW, HOST, or for losses one of the
    LOSS_ classes."""
    if signature.owner == "Tensor":
        return _of_tensor(signature)
    if signature.owner.endswith("Loss"):
        return _of_loss(signature)
    if not signature.owner:
        return _of_function(signature)
    return OTHER


def graph(signature: Signature) -> str:
    """What the operation does to the record of autodiff: TRACKS, CUTS, DETACHES, REQUIRES or LEAVES."""
    if signature.owner == "Tensor" and signature.name in _GRAPH:
        return _GRAPH[signature.name]
    result = _result(signature)
    if not isinstance(result, Tensor) or result.kind in (Named("Int"), Named("Bool")):
        return CUTS
    if signature.owner == "Tensor" and elements(signature) == NEW:
        return CUTS
    return TRACKS


def _of_tensor(signature: Signature) -> str:
    name, result = signature.name, _result(signature)
    if not isinstance(result, Tensor):
        return HOST
    if isinstance(signature.result, Named) and signature.result.name == "Vec":
        return OTHER
    if name == "from_inner":
        return EACH
    if not signature.self_mode:
        return OTHER if name in ("cat", "stack", "einsum") else NEW
    if name.endswith("_like"):
        return NEW
    for names, group in ((_DIM, DIM), (_MOVED, MOVED), (_OTHER, OTHER)):
        if name in names:
            return group
    receiver = signature.receiver
    if isinstance(receiver, Tensor) and isinstance(receiver.rank, Generic):
        if result.rank == Const(1):
            return ALL
        if result.rank == receiver.rank and _first_tensor_argument_fits(signature, receiver.rank):
            return EACH
    return OTHER


def _first_tensor_argument_fits(signature: Signature, rank: Term) -> bool:
    """Whether all tensor operands have the receiver's rank; else elements meet in some other way (`select`,
    `scatter_nd`)."""
    return all(p.term.rank == rank for p in signature.params if isinstance(p.term, Tensor))


def _of_loss(signature: Signature) -> str:
    if signature.name == "forward_reduce_dims":
        return LOSS_DIM
    if signature.name in _RAW_LOSS_METHODS:
        return LOSS_RAW
    result = _result(signature)
    if not signature.name.startswith("forward") or not isinstance(result, Tensor):
        return OTHER
    if result.rank != Const(1):
        return LOSS_RAW
    # Source: burn-nn src/loss/{ctc,rnnt}.rs: the plain `forward` of these gives a loss for each sample.
    if signature.name == "forward" and signature.owner in ("CTCLoss", "RNNTLoss"):
        return LOSS_RAW
    return LOSS_MEAN


def _of_function(signature: Signature) -> str:
    result = _result(signature)
    tensors = [p.term for p in signature.params if isinstance(p.term, Tensor)]
    if not isinstance(result, Tensor) or not tensors:
        return OTHER
    # `burn::tensor::activation`: softmax and its kin too give an element for each; `glu` halves a dimension.
    if signature.name in _ACTIVATIONS:
        return EACH
    if signature.name == "cross_entropy_with_logits":
        return LOSS_MEAN
    return OTHER


# Source: burn-tensor src/tensor/activation/base.rs.
_ACTIVATIONS = frozenset(
    """
    celu elu gelu gelu_approximate hard_shrink hard_sigmoid hard_swish hardtanh leaky_relu log_sigmoid
    log_softmax mish prelu quiet_softmax relu relu6 selu shrink sigmoid silu soft_shrink softmax softmin
    softplus softplus_with_threshold softsign tanh tanhshrink threshold thresholded_relu
    """.split()  # noqa: SIM905
)


def _result(signature: Signature) -> Term:
    """What comes out, behind a reference, in an `Option`, `Result` or `Vec`; of a tuple the first item."""
    result = signature.result
    while True:
        if isinstance(result, Ref):
            result = result.target
        elif (
            isinstance(result, Named)
            and result.name in ("Option", "Result", "Vec", "DimIter")
            and result.args
        ):
            result = result.args[0]
        elif isinstance(result, Tuple) and result.items:
            result = result.items[0]
        else:
            return result
