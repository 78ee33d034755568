"""A store saves to a file of a fixed name and may not replace it: the second save ends with "File already exists".

## Why
`BurnpackStore` and `SafetensorsStore` refuse a file that is there unless `.overwrite(true)` was called. The first
run works, the second one trains as long and then fails at the save. (`save_file` and `ModuleRecord::save` replace the
file without a word.)

## PyTorch
`torch.save` replaces the file.

## Fires
    # use burn::nn::Linear;
    # use burn::store::{BurnpackStore, ModuleSnapshot};
    # fn train(model: &Linear, epochs: usize) {
    for _epoch in 0..epochs {
        let mut store = BurnpackStore::from_file("model.bpk");
        model.save_into(&mut store).expect("saved");
    }
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::store::{BurnpackStore, ModuleSnapshot};
    # fn train(model: &Linear, epochs: usize) {
    for _epoch in 0..epochs {
        let mut store = BurnpackStore::from_file("model.bpk").overwrite(true);
        model.save_into(&mut store).expect("saved");
    }
    # }

## Known gaps
A path that is put together at run time is not followed. A function that asks whether the file exists, removes
something or works in a temporary folder is left alone, and so are tests.

## References
burn-store 0.22.1, src/burnpack.rs, src/safetensors/store.rs (`collect_from`). Run on 0.21.0 and 0.22.1:
fixtures/record/store-save-without-overwrite/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL502",
    "store-save-without-overwrite",
    symptom="panic",
    severity="warning",
    confidence="high",
    pitfalls=("P25",),
    burn=">=0.19",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("save_into", "collect_from"),
    messages=(r"File already exists: [^\n]*\.overwrite\(true\)", r"\bAlreadyExists\(\""),
)

_GUARDS = ("create_dir(", "exists", "remove_", "temp", "tmp", "symlink_metadata", "rename")


def check(file: FileView) -> Iterator[Finding]:
    saved = []
    for use in file.store_uses(tests=False):
        store = use.store if use.saves else None
        path = store.path if store is not None else None
        if (
            store is None
            or store.kind == "PytorchStore"
            or store.flag("overwrite", default=False) is not False
            or path is None
        ):
            continue
        if not path.whole or use.call.function_spells(*_GUARDS) or use.call.error_tested:
            continue
        saved.append((use, store, path.end))
    for use, store, name in saved:
        earlier = [
            other.call for other, _, where in saved if where == name and use.call.always_after(other.call)
        ]
        if use.call.repeats:
            message = (
                f"each round saves to `{name}`, which this store does not replace: the second round fails"
            )
        elif earlier:
            message = f"`{name}` is there already, and this store does not replace it: the save fails"
        else:
            message = f"this store does not replace `{name}`: the second run of the program fails here"
        finding = Finding(
            use.call.name_place,
            message,
            help="call `.overwrite(true)` on the store, or save under another name each time",
        )
        if store.setter("overwrite") is None:
            edit = Edit(store.made.end_place, ".overwrite(true)")
            finding = finding.with_fix("let the store replace the file", edit, safe=False)
        if earlier:
            finding = finding.with_because(earlier[-1].name_place, "saved here before")
        yield finding if use.call.repeats or earlier else finding.lowered(severity="note")
