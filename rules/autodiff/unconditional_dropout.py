"""A hand-written dropout in `forward` knows no evaluation: it drops there too, and each answer is another one.

## Why
`nn::Dropout` asks whether it trains: its flag, which `valid()` clears, and the input's device. A Bernoulli mask that
`forward` draws itself and multiplies in asks nothing, so predictions vary from call to call, and validation measures a
thinned network.

## PyTorch
`F.dropout(x, p, training=self.training)`: the flag is asked there too.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::tensor::{Distribution, Tensor};
    # #[derive(Module, Debug)]
    # pub struct Net { layer: Linear }
    # impl Net {
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        let x = self.layer.forward(x);
        let mask = x.random_like(Distribution::Bernoulli(0.9));
        x * mask / 0.9
    }
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::{Dropout, Linear};
    # use burn::tensor::Tensor;
    # #[derive(Module, Debug)]
    # pub struct Net { layer: Linear, dropout: Dropout }
    # impl Net {
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        self.dropout.forward(self.layer.forward(x))
    }
    # }

## Known gaps
Pedantic: dropout that stays on in evaluation may be meant (Monte-Carlo dropout, noise of a generator). A condition
anywhere in the function counts as the question whether it trains.

## References
burn-nn 0.22.1, src/modules/dropout.rs. Run on 0.22.1 and 0.21.0: fixtures/autodiff/unconditional-dropout/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL212",
    "unconditional-dropout",
    symptom="silent",
    severity="note",
    confidence="medium",
    group="pedantic",
    pitfalls=("B16",),
    burn=">=0.13",
    proven=("0.21.0", "0.22.1"),
    listens=("Bernoulli",),
)


def check(file: FileView) -> Iterator[Finding]:
    for mask in file.calls("random", "random_like", tests=False):
        if not mask.fn.name.startswith("forward") or not mask.fn.self_mode:
            continue
        if not any(each.spells("Bernoulli") for each in mask.operands[1:]):
            continue
        if mask.key not in ("Tensor::random", "Tensor::random_like") or mask.is_conditional:
            continue
        if any(each.is_product for each in mask.operations_after):
            yield Finding(
                mask.name_place,
                f"`{mask.fn.name}` drops units whether it trains or not: predictions vary, and validation sees a thinned network",
                help="use `nn::Dropout`, which `valid()` switches off",
            )
