"""`HalfPrecisionAdapter` turns F32 into F16 and back, and leaves other precisions: it is no cast to F32.

## Why
The adapter toggles. A file in F32 is loaded as F16, one in F64 or BF16 stays as it is, and the first matmul with F32
input panics with "matmul: dtype mismatch".

## Fires
    # use burn::nn::Linear;
    # use burn::store::{HalfPrecisionAdapter, ModuleSnapshot, SafetensorsStore};
    # fn load(model: &mut Linear) {
    let mut store = SafetensorsStore::from_file("model-bf16.safetensors").with_from_adapter(HalfPrecisionAdapter::new());
    model.load_from(&mut store).expect("weights");
    # }

## Clean
    # use burn::nn::Linear;
    # use burn::store::{FloatCastAdapter, ModuleSnapshot, SafetensorsStore};
    # use burn::tensor::DType;
    # fn load(model: &mut Linear) {
    let mut store = SafetensorsStore::from_file("model-bf16.safetensors")
        .with_from_adapter(FloatCastAdapter::to(DType::F32));
    model.load_from(&mut store).expect("weights");
    # }

## Known gaps
The file is not read: its name has to say which precision it has. burn 0.21 has no `FloatCastAdapter`.

## References
burn-store 0.22.1, src/adapter.rs (`HalfPrecisionAdapter`, `FloatCastAdapter`). Run on 0.22.1 and 0.21.0:
fixtures/record/half-adapter-on-full-precision/proof.rs.
"""

import re
from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL518",
    "half-adapter-on-full-precision",
    symptom="silent",
    severity="note",
    confidence="medium",
    pitfalls=("P24",),
    burn=">=0.21",
    proven=("0.21.0", "0.22.1"),
    listens=("HalfPrecisionAdapter",),
)

_BECOMES = {"32": "F32 becomes F16", "64": "F64 stays F64", "bf16": "BF16 stays BF16"}
_PRECISION = re.compile(r"(?<![a-z0-9])(?:(?:f|fp|float)(32|64)|(bf16|bfloat16)|(double))(?![a-z0-9])")


def check(file: FileView) -> Iterator[Finding]:
    has_cast = file.burn_at_least("0.22")
    for use in file.store_uses(tests=False):
        store = use.store if not use.saves else None
        path = store.path if store is not None else None
        adapters = store.adapters("with_from_adapter") if store is not None else None
        if store is None or path is None or adapters is None or "HalfPrecisionAdapter" not in adapters:
            continue
        named = _PRECISION.search(path.end.rpartition("/")[2].lower())
        if named is None or "FloatCastAdapter" in adapters:
            continue
        found = named[1] or ("bf16" if named[2] else "64")
        setting = store.setter("with_from_adapter")
        assert setting is not None, "its adapters were asked for"
        yield Finding(
            setting.name_place,
            f"`HalfPrecisionAdapter` only swaps F32 and F16: by the name of the file, {_BECOMES[found]}",
            help="use `FloatCastAdapter::to(DType::F32)`, which casts every float to F32"
            if has_cast
            else "leave it out, and cast the parameters that are loaded: `param.map(|tensor| tensor.cast(DType::F32))`",
        ).with_because(store.made.operands[0].place, "the file")
