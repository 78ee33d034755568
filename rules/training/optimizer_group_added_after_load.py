"""`with_group` after a load throws the loaded state of the group's parameters away: their optimizer starts afresh.

## Why
Adding a group resets the state of every parameter that it matches. Written after `load`, which looks natural in a
builder chain, the moments that were just read from the file are gone, and nothing says so. On burn 0.22.1 Adam has no
state left after `.load(..)?.with_group(ParamGroup::all(), ..)` and trains on like a new one; with the two calls swapped
the resumed run is equal to the last bit.

## PyTorch
`add_param_group` after `load_state_dict` leaves the state of other groups alone.

## Fires
    # use burn::module::ParamGroup;
    # use burn::optim::{AdamConfig, ModuleOptimizer, SgdConfig};
    # use burn::store::RecordError;
    # fn resume() -> Result<ModuleOptimizer, RecordError> {
    let optim = AdamConfig::new().init().load("optim")?;
    Ok(optim.with_group(ParamGroup::from_predicate("head"), SgdConfig::new().build(), None))
    # }

## Clean
    # use burn::module::ParamGroup;
    # use burn::optim::{AdamConfig, ModuleOptimizer, SgdConfig};
    # use burn::store::RecordError;
    # fn resume() -> Result<ModuleOptimizer, RecordError> {
    let optim = AdamConfig::new().init();
    optim.with_group(ParamGroup::from_predicate("head"), SgdConfig::new().build(), None).load("optim")
    # }

## Known gaps
A load and a group that meet only through a field of a struct are not seen. Where a new group is meant to start
afresh, say so with a suppression.

## References
burn-optim 0.22.1, src/optim/module/module_optimizer.rs (`with_group`, "State Reset"). Run on 0.22.1:
fixtures/training/optimizer-group-added-after-load/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL407",
    "optimizer-group-added-after-load",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("P19",),
    burn=">=0.22",
    listens=("with_group",),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("with_group"):
        if call.key != "ModuleOptimizer::with_group":
            continue
        load = call.operands[0].loaded_before
        if load is not None and not call.is_loaded_into:
            yield Finding(
                call.name_place,
                "`with_group` resets the loaded state of the parameters that it matches: they train on like new ones",
                help=f"add the groups first and call `{load.name}` last",
            ).with_because(load.name_place, "the state is loaded here")
