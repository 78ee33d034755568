"""A PyTorch `Sequential` is read from SafeTensors without closing the gaps in its indices: layers are not found.

## Why
`nn.Sequential` numbers activations too: the weights of Linear, ReLU, Linear are called `0` and `2`. A list of layers
in burn is numbered 0, 1, …, so layer 1 is missing ("Tensor not found", "Did you mean: 'layers.2.bias'?"), and with
`allow_partial(true)` weights land in other layers. A `PytorchStore` closes the gaps by default, a `SafetensorsStore`
does not.

## PyTorch
`nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2))` has the keys `0.weight` and `2.weight`.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::store::{ModuleSnapshot, PyTorchToBurnAdapter, SafetensorsStore};
    # #[derive(Module, Debug)]
    # struct Mlp { layers: Vec<Linear> }
    # fn load(model: &mut Mlp) {
    let mut store = SafetensorsStore::from_file("mlp.safetensors").with_from_adapter(PyTorchToBurnAdapter);
    model.load_from(&mut store).expect("weights");
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # use burn::store::{ModuleSnapshot, PyTorchToBurnAdapter, SafetensorsStore};
    # #[derive(Module, Debug)]
    # struct Mlp { layers: Vec<Linear> }
    # fn load(model: &mut Mlp) {
    let mut store = SafetensorsStore::from_file("mlp.safetensors")
        .with_from_adapter(PyTorchToBurnAdapter)
        .map_indices_contiguous(true);
    model.load_from(&mut store).expect("weights");
    # }

## Known gaps
The file is not read. Reported is a module with a list of burn's own layers (blocks of one's own, as in a `ModuleList`,
are numbered without gaps), or any module where a comment speaks of a Sequential. A file without gaps is not hurt by
the setting.

## References
burn-store 0.22.1, src/safetensors/store.rs, src/keyremapper.rs (`map_indices_contiguous`). Run on 0.21.0 and 0.22.1:
fixtures/record/safetensors-sequential-indices/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule, Store, StoreUse

RULE = Rule(
    "BL503",
    "safetensors-sequential-indices",
    symptom="panic",
    severity="warning",
    confidence="medium",
    pitfalls=("P25",),
    burn=">=0.20",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("load_from", "apply_to"),
    messages=(r"\.(\d+)\.(\w+)(?:\\n|[\s│])*Did you mean: '[\w.]*\.(?!\1\.)\d+\.\2'",),
)

_SEQUENTIAL = re.compile(r"\bSequential\b")
_RENAMES = ("with_key_remapping", "remap", "map_indices_contiguous", "map_indices_contiguous_except")


def check(file: FileView) -> Iterator[Finding]:
    for use in file.store_uses(tests=False):
        store = use.store if not use.saves else None
        if store is None or store.kind != "SafetensorsStore" or store.setter(*_RENAMES) is not None:
            continue
        adapters = store.adapters("with_from_adapter") or frozenset()
        adapter = store.setter("with_from_adapter")
        if adapter is not None and "PyTorchToBurnAdapter" in adapters and _may_have_gaps(use, store):
            yield (
                Finding(
                    adapter.name_place,
                    "this store does not close the gaps that a PyTorch `Sequential` leaves in its indices: layers behind "
                    "an activation are not found",
                    help="call `.map_indices_contiguous(true)` on the store, or rename the keys",
                )
                .with_because(use.call.name_place, "loaded here")
                .with_fix(
                    "close the gaps in indices",
                    Edit(store.settings[-1].end_place, ".map_indices_contiguous(true)"),
                    safe=False,
                )
            )


def _may_have_gaps(use: StoreUse, store: Store) -> bool:
    if use.module.contents.holds("layers") is True:
        return True
    unknown = use.module.contents.holds("module") is None
    remarks = (*store.made.remarks(), *use.call.remarks())
    return unknown and any(_SEQUENTIAL.search(remark.text) for remark in remarks)
