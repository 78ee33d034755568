"""The optimizer's saved state is loaded beside weights from SafeTensors or PyTorch files: no parameter matches, and it
starts afresh.

## Why
An optimizer keeps its state by the id of each parameter. Records and burnpack files bring these ids along, SafeTensors
and PyTorch files have none, so the module keeps the new ids that it got when it was made. The loaded state belongs to
ids that nothing has: on burn 0.22.1 training goes on exactly as with a new Adam, and the next saved file holds eight
tensors in place of four.

## PyTorch
`optimizer.load_state_dict` goes by the order of the parameters.

## Fires
    # use burn::nn::{Linear, LinearConfig};
    # use burn::optim::{AdamConfig, ModuleOptimizer};
    # use burn::store::{ModuleSnapshot, SafetensorsStore};
    # use burn::tensor::Device;
    # fn resume(device: &Device) -> Result<(Linear, ModuleOptimizer), Box<dyn std::error::Error>> {
    let mut model = LinearConfig::new(2, 2).init(device);
    model.load_from(&mut SafetensorsStore::from_file("model.safetensors"))?;
    let optim = AdamConfig::new().init().load("optim")?;
    # Ok((model, optim)) }

## Clean
    # use burn::module::Module;
    # use burn::nn::{Linear, LinearConfig};
    # use burn::optim::{AdamConfig, ModuleOptimizer};
    # use burn::tensor::Device;
    # fn resume(device: &Device) -> Result<(Linear, ModuleOptimizer), Box<dyn std::error::Error>> {
    let model = LinearConfig::new(2, 2).init(device).load_file("model");
    let optim = AdamConfig::new().init().load("optim")?;
    # Ok((model, optim)) }

## Known gaps
Looked for within one function, and for modules of burn that are made there. A model that is only rebuilt, with no
load at all, is not reported.

## References
burn-store 0.22.1, src/applier.rs; burn-optim 0.22.1, src/optim/module/module_optimizer.rs. Run on 0.22.1:
fixtures/training/optimizer-state-without-param-ids/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL406",
    "optimizer-state-without-param-ids",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P19",),
    burn=">=0.22",
    listens=("load_from",),
)


def check(file: FileView) -> Iterator[Finding]:
    for state, weights in file.states_without_param_ids():
        store = weights.operands[1].owner.type_name
        yield Finding(
            state.name_place,
            f"this state will never be used: it goes by parameter ids, and weights from a `{store}` have new ones",
            help="save and load the model as a record too (`save_file`, `load_file`), which keeps the ids",
        ).with_because(weights.name_place, "the weights are loaded here")
