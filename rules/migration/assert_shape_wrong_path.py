"""`assert_shape!` lives in `burn::tensor`: `use burn::assert_shape` does not compile.

## Why
Exported macros mostly stand at the root of a crate; this one does not: "unresolved import `burn::assert_shape`" (E0432).

## Fires
    use burn::assert_shape;

## Clean
    use burn::tensor::{Tensor, assert_shape};

    pub fn pairs(x: &Tensor<2>) {
        assert_shape!(x, [_, 2]);
    }

## Known gaps
In a list below another module than the root the path is said, without a fix.

## References
burn-core 0.22.1, src/lib.rs (prelude); the exports: burnlint/burn/data/api.txt. Compiled on 0.22.1:
fixtures/migration/assert-shape-wrong-path/compile_fail.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL819",
    "assert-shape-wrong-path",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B9",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("assert_shape", "debug_assert_shape"),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.shape_macros():
        if not each.exists:
            name = each.path.rpartition("::")[2]
            finding = Finding(
                each.place,
                f"burn has no `{each.path}!`, and this does not compile",
                help=f"write `burn::tensor::{name}`",
            )
            if each.successor:
                finding = finding.with_fix(
                    f"write `burn::tensor::{name}`", Edit(each.place, each.successor), safe=True
                )
            yield finding
