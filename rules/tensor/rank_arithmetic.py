"""Axes and ranks that do not add up: the call compiles and panics every time it runs.

## Why
The rank of the result of `flatten`, `stack`, `squeeze_dim` and `unsqueeze_dim` is a type parameter that nothing checks against
the axes before the program runs: merging axes 1 to 2 of rank 3 leaves rank 2, whatever the type says. An axis that the tensor
does not have panics likewise.

## Fires
    # use burn::tensor::Tensor;
    # fn to_row(patch: Tensor<3>) -> Tensor<1> {
    patch.flatten::<1>(1, 2)
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn to_row(patch: Tensor<3>) -> Tensor<1> {
    patch.flatten::<1>(0, 2)
    # }

## Known gaps
`reshape`, `unsqueeze` and `squeeze` are not looked at, nor ranks that are too high: `unsqueeze_dim` fills up with ones. Axes
only where they are numbers in sight.

## References
burn-tensor 0.22.1, src/tensor/api/{base,check}.rs. Run on 0.22.1, 0.21.0, 0.20.1 and 0.17:
fixtures/tensor/rank-arithmetic/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

_AXES = dict.fromkeys(
    [
        "sum_dim",
        "mean_dim",
        "prod_dim",
        "argmax",
        "argmin",
        "max_dim",
        "min_dim",
        "narrow",
        "cat",
        "squeeze_dim",
    ],
    1,
) | {"swap_dims": 2, "flatten": 2}
"""How many of the arguments are axes of the tensor."""
_CHANGE = {"squeeze_dim": -1, "unsqueeze_dim": 1, "stack": 1}
"""By how much the rank changes."""

RULE = Rule(
    "BL121",
    "rank-arithmetic",
    symptom="panic",
    severity="error",
    confidence="high",
    burn=">=0.13",
    proven=("0.17.0", "0.17.1", "0.20.1", "0.21.0", "0.22.1"),
    listens=tuple(dict.fromkeys([*_AXES, *_CHANGE])),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls(*RULE.listens, tests=False):
        owner, _, name = call.key.partition("::")
        rank = call.operands[0].rank if owner == "Tensor" and call.operands else None
        if rank is None and name in ("cat", "stack") and owner == "Tensor":
            rank = call.operands[0].element_rank
        if rank is None:
            continue
        axes = [operand.number() for operand in call.operands[1 : 1 + _AXES.get(name, 0)]]
        outside = next((axis for axis in axes if axis is not None and not -rank <= axis < rank), None)
        if outside is not None:
            yield Finding(
                call.name_place,
                f"`{name}` panics: a tensor of rank {rank} has no axis {outside}",
                help=f"axes go from 0 to {rank - 1}",
            )
        else:
            old = all(
                version.startswith("0.") and int(version.split(".")[1]) < 22 for version in file.versions
            )
            yield from _ranks(call, name, rank, axes, old)


def _ranks(call: Expr, name: str, rank: int, axes: list[int | None], old: bool) -> Iterator[Finding]:
    if name == "flatten":
        if len(axes) != 2 or None in axes:
            return
        start, end = ((axis or 0) % rank for axis in axes)
        if start > end:
            yield Finding(
                call.name_place,
                f"`flatten` panics: the first axis, {start}, lies behind the last, {end}",
                help="write the lower axis first",
            )
            return
        becomes, what = rank - (end - start), f"merging axes {start} to {end} of rank {rank}"
    elif name in _CHANGE:
        becomes, what = rank + _CHANGE[name], f"`{name}` of rank {rank}"
    else:
        return
    wanted = call.rank
    # burn takes a rank that is too high for some of them, and fills up with ones (clean.rs, filled_up); up to 0.21
    # `unsqueeze_dim` does so behind the last axis only.
    inside = old and name == "unsqueeze_dim" and call.operands[1].number() not in (None, rank)
    exact = name == "squeeze_dim" or inside
    if wanted is not None and (wanted < becomes or (exact and wanted > becomes)):
        yield Finding(
            call.name_place,
            f"{what} gives rank {becomes}, not {wanted}: `{name}` panics",
            help=f"ask for rank {becomes}, or for other axes",
        )
