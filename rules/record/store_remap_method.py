"""The method that renames keys has another name on each store: the call does not compile.

## Why
It is `with_remap_pattern` on a `BurnpackStore`, `with_key_remapping` on a `SafetensorsStore` and a `PytorchStore`,
and a `ModuleRecord` has none. With the wrong one the compiler says "no method named `with_remap_pattern` found for
enum `SafetensorsStore`" and suggests `with_regex`, which is a filter: it leaves tensors out.

## Fires
    # use burn::store::SafetensorsStore;
    # fn store() -> SafetensorsStore {
    SafetensorsStore::from_file("old.safetensors").with_remap_pattern(r"^fc1\\.", "linear1.")
    # }

## Clean
    # use burn::store::SafetensorsStore;
    # fn store() -> SafetensorsStore {
    SafetensorsStore::from_file("old.safetensors").with_key_remapping(r"^fc1\\.", "linear1.")
    # }

## Known gaps
The receiver's type has to be known; a call written as a path is not looked at.

## References
burn-store 0.22.1, src/burnpack.rs, src/safetensors/store.rs, src/pytorch/store.rs. E0599 on 0.22.1 and 0.21.0:
fixtures/record/store-remap-method/compile_fail.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL510",
    "store-remap-method",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B18",),
    burn=">=0.19",
    proven=("0.21.0", "0.22.1"),
    listens=("with_remap_pattern", "with_key_remapping"),
    messages=(r"no method named `with_(?:remap_pattern|key_remapping)` found for ",),
)

_METHODS = {
    "SafetensorsStore": "with_key_remapping",
    "PytorchStore": "with_key_remapping",
    "BurnpackStore": "with_remap_pattern",
}


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("with_remap_pattern", "with_key_remapping"):
        owner = (
            call.operands[0].type_name if call.target is None and call.call_place and call.operands else ""
        )
        right = _METHODS.get(owner)
        if right is not None and right != call.name:
            yield Finding(
                call.method_name,
                f"this does not compile: a `{owner}` has no `{call.name}`",
                help=f"call `{right}`",
            ).with_fix(f"call `{right}`", Edit(call.method_name, right), safe=True)
        elif owner == "ModuleRecord":
            yield Finding(
                call.method_name,
                f"this does not compile: a `ModuleRecord` has no `{call.name}`",
                help="load the file through a `BurnpackStore`, which has `with_remap_pattern`",
            )
