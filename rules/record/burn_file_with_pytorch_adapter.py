"""A file that burn itself wrote is read through `PyTorchToBurnAdapter`: square Linear layers load transposed.

## Why
The adapter turns PyTorch's `[out, in]` into burn's `[in, out]`. A file that was saved without `BurnToPyTorchAdapter`
is in burn's layout already: layers of another shape fail with "ShapeMismatch", square ones come out transposed
without an error.

## Fires
    # use burn::nn::Linear;
    # use burn::store::{ModuleSnapshot, PyTorchToBurnAdapter, SafetensorsStore};
    # fn round_trip(model: &mut Linear) {
    model.save_into(&mut SafetensorsStore::from_file("net.safetensors").overwrite(true)).expect("saved");
    let mut store = SafetensorsStore::from_file("net.safetensors").with_from_adapter(PyTorchToBurnAdapter);
    model.load_from(&mut store).expect("weights");
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::store::{BurnToPyTorchAdapter, ModuleSnapshot, PyTorchToBurnAdapter, SafetensorsStore};
    # fn round_trip(model: &mut Linear) {
    let mut store = SafetensorsStore::from_file("net.safetensors").with_to_adapter(BurnToPyTorchAdapter).overwrite(true);
    model.save_into(&mut store).expect("saved");
    let mut store = SafetensorsStore::from_file("net.safetensors").with_from_adapter(PyTorchToBurnAdapter);
    model.load_from(&mut store).expect("weights");
    # }

## Known gaps
Both paths have to be written out, and all saves to that path in the package have to be without an adapter.

## References
burn-store 0.22.1, src/adapter.rs. Run on 0.21.0 and 0.22.1:
fixtures/record/burn-file-with-pytorch-adapter/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule, StoreUse

RULE = Rule(
    "BL513",
    "burn-file-with-pytorch-adapter",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("B19",),
    burn=">=0.19",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("PyTorchToBurnAdapter",),
)


def check(file: FileView) -> Iterator[Finding]:
    for use in file.store_uses(tests=False):
        store = use.store if not use.saves else None
        path = store.path if store is not None else None
        adapters = store.adapters("with_from_adapter") if store is not None else None
        if path is None or not path.whole or adapters is None or "PyTorchToBurnAdapter" not in adapters:
            continue
        saves = list(_saves(file, path.end))
        if saves and all(each.store and each.store.setter("with_to_adapter") is None for each in saves):
            yield Finding(
                use.call.name_place,
                f"`{path.end}` is written by burn, and read as if by PyTorch: square `Linear` layers load transposed",
                help="leave the adapter out, or save with `.with_to_adapter(BurnToPyTorchAdapter)`",
            ).with_because(saves[0].call.name_place, "saved here without an adapter")


def _saves(file: FileView, path: str) -> Iterator[StoreUse]:
    """The saves of the package to a path, those to a path that is not known among them."""
    for view in file.around():
        for use in view.store_uses():
            where = use.store.path if use.store is not None else None
            if use.saves and (where is None or where.end == path):
                yield use
