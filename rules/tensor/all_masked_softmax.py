"""Minus infinity under a mask and then a softmax: a row that is masked altogether becomes NaN.

## Why
A softmax over nothing but minus infinity divides zero by zero. In attention that is a padded query, or a sequence of
length zero; the NaN spreads through everything that is computed from that row, also through gradients that are masked
later. A large negative number (`-1e9`) gives the uniform distribution instead, and `mask_fill(mask, 0.0)` behind the
softmax takes the NaN out.

## PyTorch
The same there.

## Fires
    # use burn::tensor::{Bool, Tensor, activation::softmax};
    fn attend(scores: Tensor<3>, mask: Tensor<3, Bool>) -> Tensor<3> {
        softmax(scores.mask_fill(mask, f32::NEG_INFINITY), 2)
    }

## Clean
    # use burn::tensor::{Bool, Tensor, activation::softmax};
    fn attend(scores: Tensor<3>, mask: Tensor<3, Bool>) -> Tensor<3> {
        softmax(scores.mask_fill(mask, -1e9), 2)
    }

## Known gaps
Pedantic: a causal mask leaves each row at least one entry. Whether a row can be masked altogether is not known.

## References
burn-tensor 0.22.1, src/tensor/activation/base.rs (`softmax`). Run on 0.21.0 and 0.22.1:
fixtures/tensor/all-masked-softmax/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL123",
    "all-masked-softmax",
    symptom="silent",
    severity="note",
    confidence="medium",
    group="pedantic",
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("softmax",),
)
INFINITE = ("NEG_INFINITY", "-f32::INFINITY", "-f64::INFINITY")
GUARDS = ("Tensor::mask_fill", "Tensor::mask_where", "Tensor::is_nan")


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("softmax", tests=False):
        if call.key != "softmax":
            continue
        masked = next(
            (each for each in call.operands[0].derived_by() if each.key == "Tensor::mask_fill"), None
        )
        if masked is None or not masked.operands[2].text.endswith(INFINITE):
            continue
        if any(each.key in GUARDS for each in call.operations_after):
            continue
        yield Finding(
            call.name_place,
            "a row that the mask covers altogether becomes NaN",
            help="mask with a large negative number (`-1e9`), or `mask_fill` such rows with 0 behind the softmax",
        ).with_because(masked.name_place, "minus infinity comes from here")
