"""`to_device` makes initialised parameters outputs of the move: the optimizer finds no gradient for them;
use `fork`.

## Why
On an autodiff device `Module::to_device` is a recorded operation. What comes out are derived tensors, not
leaves: the first step updates nothing and says nothing, the second `backward` panics ("graph tape has
already been consumed"). Up to burn 0.21 there is no panic: the loss drops once and then stays exactly
constant. From burn 0.22 on a module straight from `init` is still lazy and moves well; one that was loaded,
used, printed or cloned before is not. `fork` moves **and** makes leaves, in every state.

## PyTorch
`model.to(device)` moves the parameters in place and they stay leaves.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::{Device, Tensor};
    # fn tune(model: Linear, optim: &mut ModuleOptimizer, gpu: &Device, batches: Vec<Tensor<2>>) -> Linear {
    let mut model = model.to_device(gpu);
    for batch in batches {
        let loss = model.forward(batch).square().mean();
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    # model }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::optim::{GradientsParams, ModuleOptimizer};
    # use burn::tensor::{Device, Tensor};
    # fn tune(model: Linear, optim: &mut ModuleOptimizer, gpu: &Device, batches: Vec<Tensor<2>>) -> Linear {
    let mut model = model.fork(gpu);
    for batch in batches {
        let loss = model.forward(batch).square().mean();
        let grads = GradientsParams::from_grads(loss.backward(), &model);
        model = optim.step(1e-3, model, grads);
    }
    # model }

## Known gaps
A parameter of a function may still be lazy where its caller made it: the finding is then of medium
confidence. A module that a function of another crate trains is not seen. Tests are left alone.

## References
burn-core 0.22.1, src/module/base.rs (`to_device`, `fork`), src/module/param/base.rs (a lazy parameter is
re-targeted). Run on 0.21.0 and 0.22.1: fixtures/autodiff/trained-module-to-device/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL224",
    "trained-module-to-device",
    symptom="panic",
    severity="warning",
    confidence="high",
    pitfalls=("B15",),
    burn=">=0.16",
    proven=("0.21.0", "0.22.1"),
    listens=("to_device",),
    messages=(
        r"graph tape has already been consumed",
        r"Can't convert a non leaf tensor into a tracked tensor",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    lazy_moves_well = file.burn_at_least("0.22")
    if not file.spells_training:
        return
    for move in file.calls("to_device", tests=False):
        # Of an unknown type, what is trained is a module all the same (tests/burn/test_view.py, a module of
        # unknown type).
        if not move.operands or (
            move.key != "Module::to_device" and (move.target is not None or move.operands[0].term is not None)
        ):
            continue
        training = next(move.trainings(), None)
        if training is None:
            continue
        module = move.operands[0]
        state, place = module.laziness()
        if lazy_moves_well and state in ("lazy", "unknown"):
            continue
        name = module.named_or("the module")
        effect = (
            "the second `backward` panics"
            if lazy_moves_well
            else "the loss drops once and then stays constant"
        )
        finding = Finding(
            move.name_place,
            f"`to_device` makes the parameters of {name} outputs of the move: the optimizer finds no "
            f"gradient for them and {effect}",
            help="use `fork`, which moves them and makes them leaves again",
        )
        if move.target is None or (lazy_moves_well and state == "perhaps"):
            finding = finding.lowered(confidence="medium")
        # After an earlier move, or on a plain module, `fork` makes no leaves that train either (proof.rs).
        safe = state in ("initialised", "lazy") and not module.was_moved and module.mode != "plain"
        if place is not None:
            finding = finding.with_because(place.place, "its parameters exist from here on")
        finding = finding.with_because(training.place, "trained here")
        yield finding.with_fix("use `fork`", Edit(move.method_name, "fork"), safe=safe)
