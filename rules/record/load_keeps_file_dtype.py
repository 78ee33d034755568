"""Weights of another precision keep their dtype when they are loaded: the first matmul with F32 input panics.

## Why
A load gives each parameter the dtype of the file unless it is told to cast. It succeeds, and the first operation
with an F32 tensor panics with "matmul: dtype mismatch".

## PyTorch
`load_state_dict` copies into the parameters that are there and keeps their dtype.

## Fires
    # use burn::nn::Linear;
    # use burn::store::{ModuleSnapshot, SafetensorsStore};
    # fn load(model: &mut Linear) {
    let mut store = SafetensorsStore::from_file("model-fp16.safetensors");
    model.load_from(&mut store).expect("weights");
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::store::{FloatCastAdapter, ModuleSnapshot, SafetensorsStore};
    # use burn::tensor::DType;
    # fn load(model: &mut Linear) {
    let mut store = SafetensorsStore::from_file("model-fp16.safetensors").with_from_adapter(FloatCastAdapter::to(DType::F32));
    model.load_from(&mut store).expect("weights");
    # }

## Known gaps
The file is not read: its name has to say `fp16`, `bf16`, `half`, `f64` or `double`. A package that names a `DType` or
casts is left alone. A `PytorchStore`, which has no adapter setting, is not reported.

## References
burn-core 0.22.1, src/store/mod.rs (`DTypePolicy`); burn-store 0.22.1, src/adapter.rs (`FloatCastAdapter`). Run on
0.22.1: fixtures/record/load-keeps-file-dtype/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import Expr, FileView, Finding, Rule

RULE = Rule(
    "BL501",
    "load-keeps-file-dtype",
    symptom="panic",
    severity="warning",
    confidence="medium",
    pitfalls=("P24",),
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("load_from", "apply_to", "load_record", "try_load_record", "load_file", "try_load_file"),
    messages=(r"\bmatmul: dtype mismatch", r"DTypeMismatch \{ path: "),
)

_PRECISION = re.compile(
    r"(?<![a-z0-9])(fp16|f16|float16|bf16|bfloat16|half|fp64|f64|float64|double)(?![a-z0-9])"
)
_CASTS = re.compile(r"cast|precision|half|f16|f32|f64|upcast|dtype", re.I)
_HANDLES = ("DType::", "FloatDType", ".cast(", "cast_to_module_dtype")


def check(file: FileView) -> Iterator[Finding]:
    if any(file.package_spells(each) for each in _HANDLES):
        return
    for call, path, place in _loads(file):
        named = _PRECISION.search(path.rpartition("/")[2].lower())
        if named is None or call.in_test:
            continue
        store = call.name in ("load_from", "apply_to")
        yield Finding(
            call.name_place,
            f"the parameters keep the `{named[1]}` of the file: the first matmul with F32 input panics",
            help="call `.with_from_adapter(FloatCastAdapter::to(DType::F32))` on the store"
            if store
            else "load a `ModuleRecord` and call `.cast_to_module_dtype()` on it",
        ).with_because(place.place, "the name of the file says so")


def _loads(file: FileView) -> Iterator[tuple[Expr, str, Expr]]:
    """The loads without a cast, each with what is known of the path and where it stands."""
    for use in file.store_uses():
        store = use.store if not use.saves else None
        if store is None or store.path is None or store.kind == "PytorchStore":
            continue
        adapters = store.adapters("with_from_adapter") or frozenset()
        if adapters <= {"PyTorchToBurnAdapter"} and not any(map(_CASTS.search, adapters)):
            yield use.call, store.path.end, store.made.operands[0]
    for call in file.calls("load_record", "try_load_record"):
        if not call.key.startswith("Module::"):
            continue
        record = call.operands[1].record
        path = record.path
        casts = record.setter("with_dtype_policy", "cast_to_module_dtype") is not None
        if path is not None and record.made is not None and not casts:
            yield call, path.end, record.made.operands[0]
    for call, path in file.record_files():
        if call.name in ("load_file", "try_load_file"):
            yield call, path.end, call.operands[-1]
