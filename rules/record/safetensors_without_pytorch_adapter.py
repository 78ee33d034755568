"""Weights from PyTorch are read without `PyTorchToBurnAdapter`: square Linear layers load transposed, silently.

## Why
PyTorch keeps the weight of a Linear as `[out, in]`, burn as `[in, out]`. A `PytorchStore` always converts, a
`SafetensorsStore` only with the adapter. Without it a layer of another shape fails with "ShapeMismatch", and a square
one loads and computes with the transposed weight.

## PyTorch
`nn.Linear.weight` is `[out_features, in_features]`; norms have `weight` and `bias`, in burn `gamma` and `beta`.

## Fires
    # use burn::nn::Linear;
    # use burn::store::{ModuleSnapshot, SafetensorsStore};
    # fn load(model: &mut Linear) {
    // exported from PyTorch
    let mut store = SafetensorsStore::from_file("model.safetensors");
    model.load_from(&mut store).expect("weights");
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::store::{ModuleSnapshot, PyTorchToBurnAdapter, SafetensorsStore};
    # fn load(model: &mut Linear) {
    // exported from PyTorch
    let mut store = SafetensorsStore::from_file("model.safetensors").with_from_adapter(PyTorchToBurnAdapter);
    model.load_from(&mut store).expect("weights");
    # }

## Known gaps
Nothing in a file's name says who wrote it. Reported is a store whose path, comment, renamings (to `gamma`, `beta`) or
download from the Hugging Face hub point to PyTorch, for a module with a `Linear`, in a package that saves no
SafeTensors itself.

## References
burn-store 0.22.1, src/adapter.rs; burn-nn 0.22.1, src/modules/linear.rs. Run on 0.21.0 and 0.22.1:
fixtures/record/safetensors-without-pytorch-adapter/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Place, Rule, Store, StoreUse

RULE = Rule(
    "BL511",
    "safetensors-without-pytorch-adapter",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("B19",),
    burn=">=0.19",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("load_from", "apply_to"),
    messages=(r"Import errors: \[ShapeMismatch \{ path:",),
)

_IN_PATH = re.compile(r"torch|hugging_?-?face|(?<![a-z])hf(?![a-z])|(?<![a-z])timm(?![a-z])", re.I)
_IN_COMMENT = re.compile(
    r"\b(?:exported|converted|saved|written|downloaded|trained|comes?|weights|checkpoint|file)\s+"
    r"(?:by|from|in|with)\s+(?:the\s+)?(?:Py)?Torch\b|\bfrom (?:the )?Hugging ?Face\b",
    re.I,
)
_TO_BURN = re.compile(r"\b(?:gamma|beta)$")


def check(file: FileView) -> Iterator[Finding]:
    for use in file.store_uses(tests=False):
        store = use.store if not use.saves else None
        if store is None or store.kind != "SafetensorsStore" or store.setter("with_from_adapter") is not None:
            continue
        evidence = _evidence(use, store)
        if evidence is None or use.module.contents.holds("linear") is not True or _saves_safetensors(file):
            continue
        place, why = evidence
        finding = Finding(
            use.call.name_place,
            "weights from PyTorch are loaded without `PyTorchToBurnAdapter`: square `Linear` layers load transposed",
            help="call `.with_from_adapter(PyTorchToBurnAdapter)` on the store",
        ).with_because(place, why)
        yield finding.with_fix("give it the adapter", _adapted(file, use, store), safe=False)


def _evidence(use: StoreUse, store: Store) -> tuple[Place, str] | None:
    """What says that the weights come from PyTorch."""
    path = store.path
    if path is not None and _IN_PATH.search(path.end):
        return store.made.operands[0].place, "the path names PyTorch or its hub"
    for call in store.settings:
        to = call.operands[-1].written if call.name == "with_key_remapping" else None
        if to is not None and _TO_BURN.search(to.end):
            return call.operands[-1].place, "only a PyTorch file has other names for `gamma` and `beta`"
    for remark in (*store.made.remarks(), *use.call.remarks()):
        if _IN_COMMENT.search(remark.text):
            return Place(use.call.source.path, *remark.span), "the comment says so"
    if store.made.function_spells("hf_hub", "huggingface"):
        return store.made.place, "the file comes from the Hugging Face hub"
    return None


def _adapted(file: FileView, use: StoreUse, store: Store) -> Edit | None:
    """An edit that gives the store the adapter; None for keys that are renamed by hand, and for a store that another
    function makes: others may use it."""
    if store.settings or store.made.fn is not use.call.fn or not file.package_spells("burn::store"):
        return None
    return Edit(store.made.end_place, ".with_from_adapter(burn::store::PyTorchToBurnAdapter)")


def _saves_safetensors(file: FileView) -> bool:
    return file.package_spells("save_into") and any(
        use.saves and use.store_kind in ("SafetensorsStore", "")
        for view in file.around()
        for use in view.store_uses()
    )
