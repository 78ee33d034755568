"""A validation model gets inputs that are on autodiff: no result changes, but each pass of the loop is recorded.

## Why
`valid()` takes the parameters off autodiff and switches Dropout and BatchNorm to evaluation; that holds whatever the
input is. An input that was made on the autodiff device still has its operations recorded: 6.6 kB per pass of a small
network on burn 0.22.1, until any `backward` of the process frees them.

## PyTorch
Nothing of the kind: `torch.no_grad()` holds for the inputs too.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::tensor::{Device, Tensor};
    # fn evaluate(model: &Linear, rounds: usize) {
    let device = Device::default().autodiff();
    let model = model.valid();
    for _ in 0..rounds {
        println!("{}", model.forward(Tensor::<2>::ones([1, 64], &device)));
    }
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::tensor::{Device, Tensor};
    # fn evaluate(model: &Linear, rounds: usize) {
    let device = Device::default();
    let model = model.valid();
    for _ in 0..rounds {
        println!("{}", model.forward(Tensor::<2>::ones([1, 64], &device)));
    }
    # }

## Known gaps
Pedantic: in a program that trains on, the next `backward` frees it. The device of the input has to be in sight.

## References
burn-autodiff 0.22.1, src/ops/base.rs (untracked operations are registered too). Run on 0.22.1:
fixtures/autodiff/valid-model-autodiff-input/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL210",
    "valid-model-autodiff-input",
    symptom="memory",
    severity="note",
    confidence="medium",
    group="pedantic",
    pitfalls=("B16",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("valid",),
)


def check(file: FileView) -> Iterator[Finding]:
    for output in file.passes():
        made = output.operands[0].operation
        if made is None or made.key != "Module::valid" or output.loop is None or len(output.operands) < 2:
            continue
        tensor = output.operands[1]
        if tensor.autodiff() != "autodiff":
            continue
        name = tensor.named_or("the input")
        yield Finding(
            output.name_place,
            f"{name} is on autodiff: each pass of this validation is recorded, though the model is off it",
            help="make the validation inputs on a device without autodiff",
        ).with_because(made.name_place, "the validation model")
