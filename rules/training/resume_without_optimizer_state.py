"""A training is resumed with the saved weights and a new optimizer: its moments start at zero.

## Why
Adam and its kin carry running averages. A resumed run whose weights are loaded and whose optimizer is made anew takes
first steps again, each of the size of the whole learning rate: on burn 0.22.1 ten steps with a break differ from ten
without one, unless the state is loaded too.

## PyTorch
A checkpoint holds the `state_dict` of the optimizer as well.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::optim::{AdamConfig, GradientsParams};
    # use burn::tensor::Tensor;
    fn resume(model: Linear, batches: Vec<Tensor<2>>) -> Linear {
        let mut model = model.load_file("model");
        let mut optim = AdamConfig::new().init();
        for x in batches {
            let grads = GradientsParams::from_grads(model.forward(x).mean().backward(), &model);
            model = optim.step(1e-3, model, grads);
        }
        model
    }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::optim::{AdamConfig, GradientsParams};
    # use burn::tensor::Tensor;
    fn resume(model: Linear, batches: Vec<Tensor<2>>) -> Linear {
        let mut model = model.load_file("model");
        let mut optim = AdamConfig::new().init().load("optim").expect("the optimizer's state");
        for x in batches {
            let grads = GradientsParams::from_grads(model.forward(x).mean().backward(), &model);
            model = optim.step(1e-3, model, grads);
        }
        model
    }

## Known gaps
Fine-tuning looks the same and is right: so only functions that speak of resuming are looked at, and the rule is
pedantic. The function that loads the weights for one has to stand in its file; an optimizer that is kept in a struct
and stepped elsewhere is not followed, as its state may be loaded there.

## References
burn-optim 0.22.1, src/optim/module/module_optimizer.rs. Run on 0.22.1:
fixtures/training/optimizer-state-without-param-ids/proof.rs (`kept` against `fresh`).
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL408",
    "resume-without-optimizer-state",
    symptom="silent",
    severity="note",
    confidence="medium",
    pitfalls=("P19",),
    group="pedantic",
    burn=">=0.13",
    listens=("load_file", "load_record", "try_load_file", "try_load_record"),
)


def check(file: FileView) -> Iterator[Finding]:
    for made, weights in file.fresh_optimizers():
        yield Finding(
            made.name_place,
            "the weights are resumed, but this optimizer is new: its moments start at zero",
            help="save the optimizer's state beside the weights and load it too",
        ).with_because(weights.name_place, "the weights are loaded here")
