"""The optimizer's state is loaded from the file of a module: `load` says Ok, and no state is there.

## Why
Every record of burn is a burnpack file, and `ModuleOptimizer::load` takes what it finds for its own algorithm. In the
file of a module, or of another kind of optimizer, that is nothing: on burn 0.22.1 Adam loads a model's file with `Ok`
and holds no state afterwards. A module that is given an optimizer's file, in contrast, refuses it.

## PyTorch
`load_state_dict` refuses a dictionary of another shape.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::optim::{AdamConfig, ModuleOptimizer};
    # use burn::store::RecordError;
    # fn resume(model: Linear) -> Result<(Linear, ModuleOptimizer), RecordError> {
    let model = model.load_file("run/model");
    let optim = AdamConfig::new().init().load("run/model")?;
    # Ok((model, optim)) }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::optim::{AdamConfig, ModuleOptimizer};
    # use burn::store::RecordError;
    # fn resume(model: Linear) -> Result<(Linear, ModuleOptimizer), RecordError> {
    let model = model.load_file("run/model");
    let optim = AdamConfig::new().init().load("run/optim")?;
    # Ok((model, optim)) }

## Known gaps
Only paths that are spelt out, within one file. An optimizer of another kind is not seen; whether anything was loaded
can be asked with `optim.to_record().is_empty()`.

## References
burn-optim 0.22.1, src/optim/module/module_optimizer.rs (`load_record`). Run on 0.22.1:
fixtures/training/optimizer-load-unchecked/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL423",
    "optimizer-load-unchecked",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("P19",),
    burn=">=0.22",
    listens=("load",),
)


def check(file: FileView) -> Iterator[Finding]:
    for load, shown in file.optimizer_loads_of_modules():
        yield Finding(
            load.name_place,
            "this file holds a module: the optimizer loads no state from it, and `load` says Ok",
            help="load the file that the optimizer's `save` wrote",
        ).with_because(shown.name_place, f"the same path in `{shown.name}` of a module")
