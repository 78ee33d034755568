"""Burn 0.22 has no associated types and functions of a back end: `B::Device` and `B::seed(..)` do not compile there.

## Why
Up to 0.21 the device type, the element types and functions like `seed` belong to the back end. From 0.22 on there is one
`Device`, and `seed`, `sync` and `memory_cleanup` are its methods. rustc says "associated type `Device` not found for `B`"
(E0220) and "no function or associated item named `seed` found for type parameter `B`" (E0599), and until then only that
it cannot find the trait `Backend`.

## Fires
    # use burn::tensor::Tensor;
    pub fn start<B>(device: &B::Device) {
        B::seed(device, 42);
    }

## Clean
    use burn::tensor::Device;

    pub fn start(device: &Device) {
        device.seed(42);
    }

## Known gaps
`FloatElem` becomes `f32` and `IntElem` `i32`, which is what the elements were unless the back end was named with others.
Functions without a successor, and `seed` without a device as up to 0.19, are left to people.

## References
burn-backend 0.21.0, src/backend/base.rs; burn-tensor 0.22.1, src/device.rs. The table: burnlint/burn/data/migration.toml.
Compiled on 0.22.1: fixtures/migration/backend-associated-item/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL804",
    "backend-associated-item",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    messages=(r"associated type `(?:FloatElem|IntElem|BoolElem|InnerBackend)` not found for `\w+`",),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.migration.associated():
        finding = Finding(
            each.place,
            f"burn 0.22 has no `{each.name}` of a back end, and `{each.text}` does not compile",
            help=f"write {each.successor}" if each.successor else "its successor depends on what it is for",
        )
        yield finding.with_fix(f"write {each.successor}", *each.edits, safe=False)
