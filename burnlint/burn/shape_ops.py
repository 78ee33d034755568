"""What each operation of burn gives for the shapes of its operands.

Rows follow burn-tensor 0.22.1, src/tensor/api/{base,numeric,orderable,float,int,bool}.rs, and
burn-nn 0.22.1, src/modules. An operation that is not here, nor decided by its class in `burnlint.burn.ops`, gives None: unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from burnlint.burn import ops, shapes
from burnlint.burn.shapes import Size, Sizes, Span
from burnlint.burn.signature import Signature


@dataclass(slots=True, frozen=True)
class Sized:
    """The shape of a tensor that is an operand, or an array of sizes."""

    sizes: Sizes


Arg: TypeAlias = "Size | Sized | Span | list[Arg]"
"""An operand: a number, a shape, an entry of a slice, or a list that is written out."""

PAIRS = frozenset(
    """
    max_dim_with_indices min_dim_with_indices sort_with_indices sort_descending_with_indices topk_with_indices
    median_with_indices
    """.split()  # noqa: SIM905
)
"""Operations that give two tensors of one shape."""


def result(signature: Signature, args: Sequence[Arg], rank: int | None) -> Sizes | None:
    """The sizes of what an operation gives; None: unknown.

    `rank` is the rank of its result as far as its type tells.
    """
    name = signature.name
    if signature.owner != "Tensor":
        return _of_other(signature, args, rank)
    group = ops.elements(signature)
    if group == ops.ALL:
        return (1,)
    made = _MAKERS.get(name)
    if made is not None:
        return made(args, rank)
    receiver = args[0] if args else None
    if not isinstance(receiver, Sized):
        return None
    change = _CHANGES.get(name)
    if change is not None:
        return change(receiver.sizes, list(args[1:]), rank)
    if name in _RECEIVER or (group == ops.NEW and name.endswith("_like")):
        return receiver.sizes
    return _met(args) if group == ops.EACH else None


def operator(args: Sequence[Arg]) -> Sizes | None:
    """The sizes of what an operator gives."""
    return _met(args)


def _met(args: Sequence[Arg]) -> Sizes | None:
    return shapes.broadcast([arg.sizes for arg in args if isinstance(arg, Sized)])


def _of_other(signature: Signature, args: Sequence[Arg], rank: int | None) -> Sizes | None:
    """Of modules, losses and free functions."""
    owner, name, group = signature.owner, signature.name, ops.elements(signature)
    receiver = args[0] if args else None
    if owner == "LinearConfig" and name == "new" and len(args) == 2:
        return tuple(_size(arg) for arg in args)
    if owner == "LinearConfig" and isinstance(receiver, Sized):
        return receiver.sizes
    if group == ops.LOSS_MEAN and rank == 1:
        return (1,)
    sized = [arg for arg in args if isinstance(arg, Sized)]
    tensors = [each for each in sized if len(each.sizes) == rank]
    if group in (ops.LOSS_RAW, ops.LOSS_DIM):
        met = _met(tensors) if len(tensors) > 1 and owner not in ("CTCLoss", "RNNTLoss") else None
        return _dims_one(met, list(args[-1:]), rank) if met is not None and group == ops.LOSS_DIM else met
    if group == ops.EACH:
        return sized[0].sizes if sized else None
    if not owner and name in _NORMS and len(args) > _NORMS[name]:
        met = _met(tensors)
        return _dim_one(met, [args[_NORMS[name]]], rank) if met is not None else None
    if name == "forward" and len(args) == 2 and isinstance(args[1], Sized):
        if owner == "Linear":
            # A layer that is not known in sight still changes the last dimension only.
            last = receiver.sizes[1] if isinstance(receiver, Sized) and len(receiver.sizes) == 2 else None
            return (*args[1].sizes[:-1], last)
        if owner in _SHAPE_KEEPING:
            return args[1].sizes
    return None


# Source: burn-linalg 0.22.1, src/functions/{cosine_similarity,vector_norm}.rs; burn-tensor 0.21.0, src/tensor/linalg.
_NORMS = {
    "cosine_similarity": 2,
    "l0_norm": 1,
    "l1_norm": 1,
    "l2_norm": 1,
    "lp_norm": 2,
    "max_abs_norm": 1,
    "min_abs_norm": 1,
    "vector_norm": 2,
}
"""Functions that keep one dimension with a size of 1, and which argument names it."""
# Source: burn-nn 0.22.1, src/activation, src/modules/{dropout,noise,norm}: the shape of the input.
_SHAPE_KEEPING = frozenset(
    """
    BatchNorm Celu Dropout Elu GaussianNoise Gelu GroupNorm HardSigmoid HardSwish InstanceNorm LayerNorm
    LeakyRelu PRelu Relu RmsNorm Selu Sigmoid SoftPlus Softsign Tanh
    """.split()  # noqa: SIM905
)
_RECEIVER = frozenset(
    """
    argsort argsort_descending flip roll scatter select_assign slice_assign sort sort_descending
    sort_descending_with_indices sort_with_indices
    """.split()  # noqa: SIM905
)
"""Operations that keep the receiver's shape, whatever the other operands have."""

_Maker: TypeAlias = Callable[[Sequence[Arg], "int | None"], "Sizes | None"]
_Change: TypeAlias = Callable[[Sizes, "list[Arg]", "int | None"], "Sizes | None"]


def _list(arg: Arg) -> Sizes | None:
    """A list of sizes."""
    if isinstance(arg, Sized):
        return arg.sizes
    if isinstance(arg, list):
        return tuple(_size(each) for each in arg)
    return None


def _size(arg: Arg) -> Size:
    return arg if isinstance(arg, int | shapes.Symbol) else None


def _filled(args: Sequence[Arg], rank: int | None) -> Sizes | None:
    found = _list(args[0]) if args else None
    return None if found is None or (rank is not None and len(found) != rank) else found


def _from_data(args: Sequence[Arg], rank: int | None) -> Sizes | None:
    """The lengths of nested lists, as deep as the rank goes."""
    out: list[Size] = []
    at: Arg = args[0] if args else None
    while isinstance(at, list) and (rank is None or len(out) < rank):
        out.append(len(at))
        at = at[0] if at else None
    return tuple(out) if out and rank in (None, len(out)) else None


def _counted(args: Sequence[Arg], rank: int | None) -> Sizes | None:
    """As many as the range counts."""
    span = args[0][0] if args and isinstance(args[0], list) and args[0] else None
    if not isinstance(span, Span) or span.open or span.index or span.step != 1:
        return None
    ends = span.low, span.high
    return (max(0, ends[1] - ends[0]),) if isinstance(ends[0], int) and isinstance(ends[1], int) else None


def _cat(args: Sequence[Arg], rank: int | None) -> Sizes | None:
    if len(args) != 2 or not isinstance(args[0], list):
        return None
    parts = [arg.sizes for arg in args[0] if isinstance(arg, Sized)]
    return shapes.concatenated(parts, _size(args[1])) if len(parts) == len(args[0]) else None


def _stack(args: Sequence[Arg], rank: int | None) -> Sizes | None:
    if len(args) != 2 or not isinstance(args[0], list):
        return None
    parts = [arg.sizes for arg in args[0] if isinstance(arg, Sized)]
    if not parts or len(parts) != len(args[0]):
        return None
    common = shapes.common(parts)
    return None if common is None else shapes.inserted(common, _size(args[1]), len(parts))


_MAKERS: dict[str, _Maker] = {
    **dict.fromkeys(("zeros", "ones", "full", "empty", "random"), _filled),
    **dict.fromkeys(("from_floats", "from_ints", "from_bool", "from_data", "from_data_dtype"), _from_data),
    "arange": _counted,
    "eye": lambda args, rank: (_size(args[0]), _size(args[0])) if args else None,
    "cat": _cat,
    "stack": _stack,
}


def _dim_one(sizes: Sizes, args: list[Arg], rank: int | None) -> Sizes | None:
    return shapes.with_size(sizes, _size(args[0]) if args else None, 1)


def _dims_one(sizes: Sizes, args: list[Arg], rank: int | None) -> Sizes | None:
    dims = _list(args[0]) if args else None
    return (None,) * len(sizes) if dims is None else shapes.reduced(sizes, dims)


def _squeeze(sizes: Sizes, args: list[Arg], rank: int | None) -> Sizes | None:
    # Up to burn 0.18 `squeeze(dim)` was what `squeeze_dim` is now.
    return shapes.without(sizes, _size(args[0])) if args else shapes.squeezed(sizes, rank)


def _squeeze_dims(sizes: Sizes, args: list[Arg], rank: int | None) -> Sizes | None:
    dims = _list(args[0]) if args else None
    places = [shapes.axis(dim, len(sizes)) for dim in dims] if dims is not None else [None]
    if None in places or not places:
        return None
    return tuple(size for n, size in enumerate(sizes) if n not in places)


def _reshape(sizes: Sizes, args: list[Arg], rank: int | None) -> Sizes | None:
    wanted = _list(args[0]) if args else None
    return None if wanted is None or rank not in (None, len(wanted)) else shapes.reshaped(sizes, wanted)


def _slice(sizes: Sizes, args: list[Arg], rank: int | None) -> Sizes | None:
    if not args or not isinstance(args[0], list) or not args[0]:
        return (None,) * len(sizes)
    return shapes.sliced(sizes, [each if isinstance(each, Span) else None for each in args[0]])


def _slice_dim(sizes: Sizes, args: list[Arg], rank: int | None) -> Sizes | None:
    entries = args[1] if len(args) == 2 else None
    span = entries[0] if isinstance(entries, list) and len(entries) == 1 else None
    at = shapes.axis(_size(args[0]), len(sizes)) if args else None
    if at is None:
        return (None,) * len(sizes)
    return shapes.with_size(sizes, at, span.width(sizes[at]) if isinstance(span, Span) else None)


def _along(sizes: Sizes, args: list[Arg], rank: int | None) -> Sizes | None:
    """`select(dim, indices)`: as many as there are indices."""
    count = (
        args[1].sizes[0]
        if len(args) == 2 and isinstance(args[1], Sized) and len(args[1].sizes) == 1
        else None
    )
    return shapes.with_size(sizes, _size(args[0]), count)


def _unsqueeze(sizes: Sizes, args: list[Arg], rank: int | None) -> Sizes | None:
    return None if rank is None or rank < len(sizes) else ((1,) * (rank - len(sizes)) + sizes)


def _repeat_dim(sizes: Sizes, args: list[Arg], rank: int | None) -> Sizes | None:
    at = shapes.axis(_size(args[0]), len(sizes)) if len(args) == 2 else None
    return (
        (None,) * len(sizes)
        if at is None
        else shapes.with_size(sizes, at, shapes.times(sizes[at], _size(args[1])))
    )


def _matmul(sizes: Sizes, args: list[Arg], rank: int | None) -> Sizes | None:
    return shapes.matmul(sizes, args[0].sizes) if args and isinstance(args[0], Sized) else None


def _expand(sizes: Sizes, args: list[Arg], rank: int | None) -> Sizes | None:
    wanted = _list(args[0]) if args else None
    return None if wanted is None else shapes.expanded(sizes, wanted)


def _two(args: list[Arg]) -> tuple[Size, Size]:
    return (_size(args[0]), _size(args[1])) if len(args) == 2 else (None, None)


_CHANGES: dict[str, _Change] = {
    # A row of indices for each element that is true, or not 0.
    "argwhere": lambda sizes, args, rank: (None, len(sizes)),
    **dict.fromkeys(
        """
        all_dim any_dim argmax argmin max_abs_dim max_dim max_dim_with_indices mean_dim median
        median_with_indices min_dim min_dim_with_indices prod_dim sum_dim var var_bias
        """.split(),  # noqa: SIM905
        _dim_one,
    ),
    **dict.fromkeys(
        ("max_abs_dims", "max_dims", "mean_dims", "min_dims", "prod_dims", "sum_dims"), _dims_one
    ),
    "expand": _expand,
    "flatten": lambda sizes, args, rank: shapes.flattened(sizes, *_two(args)),
    "gather": lambda sizes, args, rank: (
        args[1].sizes if len(args) == 2 and isinstance(args[1], Sized) else None
    ),
    "matmul": _matmul,
    "narrow": lambda sizes, args, rank: (
        shapes.with_size(sizes, _size(args[0]), _size(args[2])) if len(args) == 3 else None
    ),
    "permute": lambda sizes, args, rank: shapes.permuted(sizes, _list(args[0]) or ()) if args else None,
    "repeat_dim": _repeat_dim,
    "reshape": _reshape,
    "select": _along,
    "select_dim": lambda sizes, args, rank: shapes.without(sizes, _size(args[0])) if args else None,
    "slice": _slice,
    "slice_dim": _slice_dim,
    "squeeze": _squeeze,
    "squeeze_dim": lambda sizes, args, rank: shapes.without(sizes, _size(args[0])) if args else None,
    "squeeze_dims": _squeeze_dims,
    "swap_dims": lambda sizes, args, rank: shapes.swapped(sizes, *_two(args)),
    "t": lambda sizes, args, rank: shapes.swapped(sizes, -1, -2),
    "transpose": lambda sizes, args, rank: shapes.swapped(sizes, -1, -2),
    **dict.fromkeys(
        ("argtopk", "topk", "topk_with_indices"),
        lambda sizes, args, rank: (
            shapes.with_size(sizes, _size(args[1]), _size(args[0])) if len(args) == 2 else None
        ),
    ),
    "unsqueeze": _unsqueeze,
    "unsqueeze_dim": lambda sizes, args, rank: shapes.inserted(sizes, _size(args[0])) if args else None,
    "unsqueeze_dims": lambda sizes, args, rank: (
        shapes.unsqueezed(sizes, _list(args[0]) or (), rank) if args else None
    ),
}
"""What changes the shape of the receiver: its sizes, the other operands, the rank of the result."""
