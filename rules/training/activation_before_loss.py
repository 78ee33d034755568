"""A loss that squashes its input itself is given probabilities, or one that does not is given raw outputs: it trains
badly or gives NaN.

## Why
`CrossEntropyLoss` and `cross_entropy_with_logits` take logits and apply `log_softmax` themselves; given the result of
`softmax` they squash twice: the loss of a perfect answer over two classes stays at 0.31 instead of 0, and gradients
shrink. `BinaryCrossEntropyLoss` is the other way round: it takes probabilities unless `with_logits(true)` is set, and of
the raw output of a layer it takes the logarithm. On burn 0.22.1 a confident right answer then gives a loss of
NaN or far from 0. Nothing warns.

## PyTorch
`CrossEntropyLoss` and `BCEWithLogitsLoss` take logits, `BCELoss` probabilities and `NLLLoss` log-probabilities; burn has
one loss with a switch for the last three.

## Fires
    # use burn::nn::loss::CrossEntropyLossConfig;
    # use burn::tensor::activation::softmax;
    # use burn::tensor::{Int, Tensor};
    # fn objective(output: Tensor<2>, labels: Tensor<1, Int>) -> Tensor<1> {
    let probabilities = softmax(output, 1);
    CrossEntropyLossConfig::new().init(&probabilities.device()).forward(probabilities, labels)
    # }

## Clean
    # use burn::nn::loss::CrossEntropyLossConfig;
    # use burn::tensor::{Int, Tensor};
    # fn objective(output: Tensor<2>, labels: Tensor<1, Int>) -> Tensor<1> {
    CrossEntropyLossConfig::new().init(&output.device()).forward(output, labels)
    # }

## Known gaps
A loss that is kept in a field or given from outside, and a tensor whose last activation is out of sight, are left
alone. `log_softmax` before a loss that takes logits changes nothing and is not reported.

## References
burn-nn 0.22.1, src/loss/cross_entropy.rs and binary_cross_entropy.rs (`logits`); burn-tensor 0.22.1,
src/tensor/loss/mod.rs. Run on 0.21.0 and 0.22.1: fixtures/training/activation-before-loss/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL418",
    "activation-before-loss",
    symptom="silent",
    severity="warning",
    confidence="high",
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=(
        "CrossEntropyLoss",
        "CrossEntropyLossConfig",
        "BinaryCrossEntropyLoss",
        "BinaryCrossEntropyLossConfig",
        "cross_entropy_with_logits",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("forward", "cross_entropy_with_logits", tests=False):
        if call.arity not in (2, 3):
            continue
        given = call.loss_input
        scale = given.scale if given is not None else None
        logits = call.takes_logits if scale is not None else None
        if given is None or scale is None or logits is None:
            continue
        kind, made = scale
        # `log_softmax` of log-probabilities is the same again.
        logs = kind == "log-probabilities" and (not logits or call.key.startswith("Binary"))
        if not logs and kind != ("probabilities" if logits else "raw"):
            continue
        name = given.named_or("its input")
        if kind == "raw":
            message = f"this loss takes the logarithm of probabilities, but {name} is the raw output of `{made.key}`"
            help = "let the loss squash it (`with_logits(true)`), or apply the activation first"
        elif logits:
            message = f"this loss squashes its input itself, but {name} went through `{made.key}` already: it is squashed twice"
            help = "give it the logits, without the activation"
        else:
            message = (
                f"this loss takes the logarithm of its input, but {name} went through `{made.key}` already"
            )
            help = "give it probabilities, or the logits with `with_logits(true)`"
        finding = Finding(call.place, message, help=help).with_because(made.place, f"{kind} come from here")
        if kind == "probabilities" and made.expr is given.owner.expr and made.arity > 0:
            logits_given = Edit(made.place, made.operands[-1 if "::" in made.key else 0].text)
            finding = finding.with_fix("give it the logits", logits_given, safe=False)
        yield finding
