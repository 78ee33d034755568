"""Burn 0.22 does not know the type of `into_scalar()` where nothing says it: the code does not compile.

## Why
Up to 0.21 `into_scalar` gives the back end's element. From 0.22 on it converts to the type that is asked for, and where
none is, as before `.elem()` or in `println!`, rustc says "type annotations needed" (E0282, E0283).

## Fires
    use burn::tensor::Tensor;

    pub fn show(loss: Tensor<1>) {
        let value = loss.into_scalar();
        println!("{value}");
    }

## Clean
    use burn::tensor::Tensor;

    pub fn show(loss: Tensor<1>) {
        let value = loss.into_scalar::<f32>();
        println!("{value}");
    }

## Known gaps
Only what is printed, or has a method called, is reported: elsewhere another line may say the type. `f32` and `i64` are put
in where the old code named no element, which is what it was unless the back end was named with another one.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs. Compiled on 0.22.1: fixtures/migration/untyped-scalar-read/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL810",
    "untyped-scalar-read",
    symptom="compile",
    severity="error",
    confidence="medium",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("into_scalar",),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.migration.scalar_reads():
        finding = Finding(
            each.place,
            f"`{each.text}` has no type of its own in burn 0.22, and this does not compile",
            help=f"write `{each.successor}`" if each.successor else "say the type: `into_scalar::<f32>()`",
        )
        yield finding.with_fix(f"write `{each.successor}`", *each.edits, safe=False)
