"""A weights file is given to the store of another format: the load fails before the first tensor.

## Why
A `.pt` or `.pth` file is a zip archive with pickled Python, a `.safetensors` file has a JSON header, a `.bpk` file is
burnpack. The store looks at the content: a `SafetensorsStore` says "header too large", a `PytorchStore` "not a PyTorch
checkpoint", a `BurnpackStore` "Invalid magic number".

## Fires
    # use burn::nn::Linear;
    # use burn::store::{ModuleSnapshot, SafetensorsStore};
    # fn load(model: &mut Linear) {
    let mut store = SafetensorsStore::from_file("resnet18.pth");
    model.load_from(&mut store).expect("weights");
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::store::{ModuleSnapshot, PytorchStore};
    # fn load(model: &mut Linear) {
    let mut store = PytorchStore::from_file("resnet18.pth");
    model.load_from(&mut store).expect("weights");
    # }

## Known gaps
The end of the path has to be written out. What a package itself saves under such a name is not reported.

## References
burn-store 0.22.1, src/safetensors/store.rs, src/pytorch/store.rs, src/burnpack.rs. Run on 0.22.1:
fixtures/record/store-and-extension-mismatch/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Place, Rule, Store, StoreUse

RULE = Rule(
    "BL514",
    "store-and-extension-mismatch",
    symptom="panic",
    severity="error",
    confidence="high",
    pitfalls=("P24",),
    burn=">=0.19",
    proven=("0.22.1",),
    listens=("load_from", "apply_to"),
    messages=(
        r"PyTorch reader error: invalid PyTorch file format",
        r"\bReader\(InvalidFormat\(\"not a PyTorch checkpoint",
        r"SafeTensors error: header too large",
        r"\bSafetensors\(HeaderTooLarge\)",
    ),
)

_STORE_OF = {
    ".safetensors": "SafetensorsStore",
    ".pt": "PytorchStore",
    ".pth": "PytorchStore",
    ".bpk": "BurnpackStore",
}


def check(file: FileView) -> Iterator[Finding]:
    for use in file.store_uses(tests=False):
        store = use.store if not use.saves else None
        path = store.path if store is not None else None
        if store is None or path is None:
            continue
        extension = next((each for each in _STORE_OF if path.end.lower().endswith(each)), "")
        right = _STORE_OF.get(extension, store.kind)
        if right == store.kind or _is_saved(file, store.kind, path.end):
            continue
        name = path.end.rpartition("/")[2]
        finding = Finding(
            store.made.operands[0].place,
            f"a `{store.kind}` cannot read `{name}`: the load fails",
            help=f"read `{extension}` files with a `{right}`",
        ).with_because(use.call.name_place, "loaded here")
        yield finding.with_fix(f"use a `{right}`", _of_kind(file, use, store, right), safe=False)


def _of_kind(file: FileView, use: StoreUse, store: Store, right: str) -> Edit | None:
    """An edit that makes the store of the right kind; None where its settings or its error may be of another type, where
    the package does not use that kind elsewhere (it may need a feature), and for SafeTensors, which may need an adapter."""
    around = next(use.call.around, None)
    panics = around is not None and around.name in ("unwrap", "expect") and not use.call.is_argument
    made, kind = store.made, store.kind
    named_once = made.fn_text.count(kind) == 1 and made.text.startswith(f"{kind}::from_file(")
    if (
        right == "SafetensorsStore"
        or not panics
        or store.settings
        or made.fn is not use.call.fn
        or not named_once
    ):
        return None
    if not (file.package_spells(right) and file.package_spells("burn::store")):
        return None
    # A `PytorchStore` cannot do without its adapter, which transposes what a Linear of this layout has as it is.
    if right == "PytorchStore" and file.package_spells("LinearLayout"):
        return None
    start = made.place.start
    return Edit(Place(made.place.path, start, start + len(kind)), f"burn::store::{right}")


def _is_saved(file: FileView, kind: str, end: str) -> bool:
    """Whether the package writes a file of that name through such a store, or as a record."""
    for view in file.around():
        for use in view.store_uses():
            path = use.store.path if use.saves and use.store is not None else None
            if use.saves and use.store_kind == kind and (path is None or path.end == end):
                return True
        if kind == "BurnpackStore" and any(
            path.end == end and call.name in ("save_file", "save") for call, path in view.record_files()
        ):
            return True
    return False
