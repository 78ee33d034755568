"""PyTorch weights are converted for a Linear with the `Col` layout, which wants them as they are: twice transposed.

## Why
A `Col` Linear keeps its weight as `[out, in]`, like PyTorch. `PyTorchToBurnAdapter`, which a `PytorchStore` always
uses, transposes it: a square layer then computes with the transposed weight, silently, and another one does not fit
or panics in its first forward.

## Fires
    # use burn::nn::{LinearConfig, LinearLayout};
    # use burn::store::{ModuleSnapshot, PytorchStore};
    # use burn::tensor::Device;
    # fn load(device: &Device) {
    let mut model = LinearConfig::new(64, 64).with_layout(LinearLayout::Col).init(device);
    model.load_from(&mut PytorchStore::from_file("linear.pt")).expect("weights");
    # }

## Clean
    # use burn::nn::LinearConfig;
    # use burn::store::{ModuleSnapshot, PytorchStore};
    # use burn::tensor::Device;
    # fn load(device: &Device) {
    let mut model = LinearConfig::new(64, 64).init(device);
    model.load_from(&mut PytorchStore::from_file("linear.pt")).expect("weights");
    # }

## Known gaps
Of a module with several layers it is not known which one is `Col` where a function makes it: confidence is medium
then.

## References
burn-nn 0.22.1, src/modules/linear.rs; burn-store 0.22.1, src/adapter.rs, src/pytorch/store.rs. Run on 0.22.1 and 0.21.0:
fixtures/record/pytorch-weights-into-col-linear/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL512",
    "pytorch-weights-into-col-linear",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B19",),
    burn=">=0.19",
    proven=("0.21.0", "0.22.1"),
    listens=("load_from", "apply_to"),
)


def check(file: FileView) -> Iterator[Finding]:
    for use in file.store_uses(tests=False):
        store = use.store if not use.saves else None
        adapters = store.adapters("with_from_adapter") if store is not None else None
        if use.store_kind != "PytorchStore" and "PyTorchToBurnAdapter" not in (adapters or ()):
            continue
        found = use.module.col_layout
        if found is None or use.saves:
            continue
        layout, certain = found
        finding = Finding(
            use.call.name_place,
            "PyTorch weights are transposed for a `Linear` that keeps PyTorch's layout: a square layer computes wrongly",
            help="use the `Row` layout, or a `SafetensorsStore` without `PyTorchToBurnAdapter`",
        ).with_because(layout.name_place, "the `Col` layout is set here")
        yield finding if certain else finding.lowered(confidence="medium")
