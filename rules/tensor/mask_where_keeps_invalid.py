"""A constant is written exactly where the mask says valid, so the invalid elements stay and the good ones
are lost.

## Why
`x.mask_where(x.is_finite(), zeros)` and `x.mask_fill(x.is_finite(), 0.0)` write the constant where the mask
is **true**. `[1, NaN, 3]` becomes `[0, NaN, 0]`: the NaN that was to be cleaned out is all that is left.
`zeros.mask_where(x.is_nan(), x)` gives the same. Nothing fails.

## PyTorch
`torch.where(torch.isfinite(x), x, 0.0)` keeps the elements for which the mask is true.

## Fires
    # use burn::tensor::Tensor;
    # fn clean(x: Tensor<2>) -> Tensor<2> {
    let finite = x.clone().is_finite();
    x.mask_fill(finite, 0.0)
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn clean(x: Tensor<2>) -> Tensor<2> {
    let finite = x.clone().is_finite();
    x.mask_fill(finite.bool_not(), 0.0)
    # }

## Known gaps
Only `is_finite` of the very tensor that is written to says for sure what is valid; a mask whose name says so
does not.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs (`mask_where`, `mask_fill`).
Run on 0.22.1: fixtures/tensor/mask-where-keeps-invalid/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL119",
    "mask-where-keeps-invalid",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P8",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("mask_where", "mask_fill"),
)

_TESTS = {"Tensor::is_finite": True, "Tensor::is_nan": False, "Tensor::is_inf": False}
"""Whether the elements for which the test is true are the valid ones."""


def check(file: FileView) -> Iterator[Finding]:
    # Most packages never ask whether elements are valid.
    if not any(file.package_spells(key.removeprefix("Tensor::")) for key in _TESTS):
        return
    for call in file.calls("mask_where", "mask_fill"):
        if call.key not in ("Tensor::mask_where", "Tensor::mask_fill"):
            continue
        finding = next((found for run in call.runs() if (found := _judged(run)) is not None), None)
        if finding is not None:
            yield finding


def _judged(call: Expr) -> Finding | None:
    written, mask, value = call.operands
    test, valid = _test(mask)
    if test is None:
        return None
    # Infinite elements alone may be wanted (clean.rs, the_infinite_part).
    broken = not valid and test.key != "Tensor::is_inf"
    if broken and call.name == "mask_where" and written.is_constant and value.same_as(test.operands[0]):
        return _only_invalid(call, value, test)
    # A mask of another tensor says nothing about this one (clean.rs, mask_of_another_tensor).
    if not valid or not value.is_constant or not written.same_as(test.operands[0]):
        return None
    name = written.owner.text
    finding = Finding(
        call.name_place,
        f"`{call.name}` writes the constant where the mask is true: the valid elements of `{name}` "
        "are lost and the invalid ones stay",
        help="negate the mask with `bool_not()`",
    ).with_because(test.place, f"true for the elements of `{name}` that are valid")
    if call.called_by is not None:
        return finding.with_because(call.called_by.place, "as called here")
    return finding.with_fix("negate the mask", mask.wrapped("", ".bool_not()"), safe=False)


def _only_invalid(call: Expr, value: Expr, test: Expr) -> Finding:
    """`zeros.mask_where(x.is_nan(), x)`: what was to be cleaned out is all that is kept."""
    name = value.owner.text
    finding = Finding(
        call.name_place,
        f"`mask_where` takes from `{name}` only the elements where the mask is true, and they are invalid",
        help="swap the receiver and the value, or negate the mask with `bool_not()`",
    ).with_because(test.place, f"true for the elements of `{name}` that are not valid")
    caller = call.called_by
    return finding.with_because(caller.place, "as called here") if caller is not None else finding


def _test(mask: Expr) -> tuple[Expr | None, bool]:
    """The test that a mask stems from, and whether the mask is true for valid elements."""
    operation, negated = mask.test_behind
    if operation is None or operation.key not in _TESTS:
        return None, False
    return operation, _TESTS[operation.key] != negated
