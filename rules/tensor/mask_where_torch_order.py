"""`a.mask_where(c, b)` takes `b` where the mask is true, the complement of `torch.where(c, a, b)`.

## Why
`mask_where` puts the **argument** where the mask is true. Written down in the order of `torch.where(c, a,
b)` it selects exactly the wrong elements, with the right shape and no error. burnlint reads the intended
order from a comment or string beside the call.

## PyTorch
`torch.where(c, a, b)` takes `a` where `c` is true: in burn `b.mask_where(c, a)`.

## Fires
    # use burn::tensor::Tensor;
    # fn leaky(x: Tensor<2>) -> Tensor<2> {
    let positive = x.clone().greater_scalar(0.0);
    let scaled = x.clone() * 0.01;
    // torch.where(positive, x, scaled)
    x.mask_where(positive, scaled)
    # }

## Clean
    # use burn::tensor::Tensor;
    # fn leaky(x: Tensor<2>) -> Tensor<2> {
    let positive = x.clone().greater_scalar(0.0);
    let scaled = x.clone() * 0.01;
    // torch.where(positive, x, scaled)
    scaled.mask_where(positive, x)
    # }

## Known gaps
Without a word of the intent beside it the order cannot be told to be wrong.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs (`mask_where`). Run on 0.22.1:
fixtures/tensor/mask-where-torch-order/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Place, Rule

RULE = Rule(
    "BL118",
    "mask-where-torch-order",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P8",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("mask_where",),
)

_WHERE = re.compile(r"\b(?:torch|np|numpy|jnp|F|tf)\.where\(")
_IN_COMMENTS = re.compile(rb"\.where\(")
_DENIED = re.compile(
    r"\b(?:not|unlike|opposite|inverse|inverted|reverse|contrary|complement)\b[^.;\n]*$", re.I
)
_COMPARED = re.compile(r"(?P<name>[\w.]+)\s*(?P<sign>>=|<=|==|!=|>|<)\s*[\w.+-]+")
_SIGNS = {
    ">": "greater",
    ">=": "greater_equal",
    "<": "lower",
    "<=": "lower_equal",
    "==": "equal",
    "!=": "not_equal",
}


def check(file: FileView) -> Iterator[Finding]:
    if _IN_COMMENTS.search(file.source.content) is None:
        return
    for call in file.calls("mask_where"):
        if call.key != "Tensor::mask_where":
            continue
        receiver, mask, value = call.operands
        kept, written = receiver.spellings, value.spellings
        for remark in call.remarks():
            for condition, first, second in _wheres(remark.text):
                if (
                    first in kept
                    and second not in kept
                    and first not in written
                    and _is_mask(mask, condition)
                ):
                    finding = Finding(
                        call.name_place,
                        f"`{kept[0]}.mask_where(..)` writes `{written[0]}` where the mask is true; the comment "
                        f"wants `{first}` there",
                        help=f"swap them: `{written[0]}.mask_where(.., {kept[0]})`, or negate the mask",
                    ).with_because(
                        Place(call.source.path, *remark.span),
                        f"`where` takes `{first}` where the condition is true",
                    )
                    yield finding.with_fix("negate the mask", mask.wrapped("", ".bool_not()"), safe=False)


def _is_mask(mask: Expr, condition: str) -> bool:
    """Whether the mask is true exactly where the condition of the comment is, as far as both spell it."""
    test = mask.operation
    if condition in mask.spellings:
        # The name may stand for the negated mask by now (clean_conditions.rs, negated_under_its_own_name).
        negated = test.negates if test is not None else None
        return negated is None or condition not in negated.spellings
    compared = _COMPARED.fullmatch(condition)
    if compared is None or test is None or not test.key.startswith("Tensor::"):
        return False
    method = test.name.removesuffix("_scalar").removesuffix("_elem")
    return method == _SIGNS[compared["sign"]] and compared["name"] in test.operands[0].spellings


def _wheres(text: str) -> Iterator[tuple[str, str, str]]:
    """The arguments of each `where(condition, first, second)` in a comment."""
    for match in _WHERE.finditer(text):
        # "the opposite of torch.where(..)" (clean_conditions.rs, denied).
        if _DENIED.search(text, 0, match.start()):
            continue
        arguments, depth = [""], 1
        for character in text[match.end() :]:
            depth += (character in "([") - (character in ")]")
            if depth == 0:
                break
            if character == "," and depth == 1:
                arguments.append("")
            else:
                arguments[-1] += character
        if depth == 0 and len(arguments) == 3:
            yield tuple(" ".join(each.split()) for each in arguments)  # type: ignore[misc]
