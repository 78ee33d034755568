"""A `PytorchStore` only reads: saving a module into it always fails.

## Why
The method exists, since it belongs to every store, and returns an error each time: "Saving to PyTorch format is not
yet supported. Use other formats for saving." Training that ends with such a save loses its weights.

## PyTorch
`torch.save` writes what `torch.load` reads. From burn, PyTorch can read SafeTensors.

## Fires
    # use burn::nn::Linear;
    # use burn::store::{ModuleSnapshot, PytorchStore};
    # fn save(model: &Linear) {
    let mut store = PytorchStore::from_file("model.pt");
    model.save_into(&mut store).expect("saved");
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::store::{BurnToPyTorchAdapter, ModuleSnapshot, SafetensorsStore};
    # fn save(model: &Linear) {
    let mut store = SafetensorsStore::from_file("model.safetensors").with_to_adapter(BurnToPyTorchAdapter).overwrite(true);
    model.save_into(&mut store).expect("saved");
    # }

## Known gaps
A store behind a generic is not known to be this one. Tests are left alone: they may want the error.

## References
burn-store 0.22.1 and 0.21.0, src/pytorch/store.rs (`collect_from`). Run on 0.22.1:
fixtures/record/pytorch-store-save/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL521",
    "pytorch-store-save",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("B18",),
    burn=">=0.19",
    proven=("0.22.1",),
    listens=("save_into", "collect_from"),
    messages=(r"Saving to PyTorch format is not yet supported",),
)


def check(file: FileView) -> Iterator[Finding]:
    for use in file.store_uses(tests=False):
        if use.saves and use.store_kind == "PytorchStore":
            yield Finding(
                use.call.name_place,
                "this always fails: a `PytorchStore` reads files and cannot write them",
                help="save into a `SafetensorsStore` (with `BurnToPyTorchAdapter`, if PyTorch is to read it) or a "
                "`BurnpackStore`",
            )
