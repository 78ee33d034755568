"""`assert_shape!` came with burn 0.22: with an older burn its import does not compile.

## Why
Examples and burn's own sources check shapes with `assert_shape!(x, [batch, _, 3])`. Up to 0.21 there is no such macro:
"unresolved import `burn::tensor::assert_shape`" (E0432).

## Fires
    use burn::tensor::assert_shape;

## Clean
    use burn::tensor::Tensor;
    use burn::tensor::backend::Backend;

    pub fn pairs<B: Backend>(x: Tensor<B, 2>) {
        assert_eq!(x.dims()[1], 2);
    }

## Known gaps
Where the prelude's glob should bring it, rustc's "cannot find macro" says enough.

## References
burn-tensor 0.21.0 and 0.22.1, src/tensor/mod.rs; the exports: burnlint/burn/data/api.txt. Compiled on 0.21.0:
fixtures/migration/assert-shape-too-early/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL816",
    "assert-shape-too-early",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B9",),
    group="migration",
    burn=">=0.13,<0.22",
    proven=("0.20.1", "0.21.0"),
    listens=("assert_shape", "debug_assert_shape"),
    messages=(
        r"unresolved imports? [^\n]*`burn(?:::\w+)*::(?:debug_)?assert_shape`",
        r"no `(?:debug_)?assert_shape` in `tensor`",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.shape_macros():
        if not each.exists:
            yield Finding(
                each.place,
                f"burn has no `{each.path}!` before 0.22, and this does not compile",
                help="compare `dims()` with `assert_eq!`, or take burn 0.22",
            )
