"""Burn 0.22 has no back end parameter on `Tensor`: `Tensor<B, 2>` does not compile there.

## Why
Up to 0.21 the first argument of `Tensor` is the back end. From 0.22 on the device carries it, and the first argument is
the rank: rustc says "type provided when a constant was expected" (E0747), and for three arguments "struct takes at most
2 generic arguments but 3 generic arguments were supplied" (E0107). It says neither while a `Backend` bound elsewhere
does not resolve.

## Fires
    use burn::tensor::{Int, Tensor};

    # pub struct B;
    pub fn pick(x: Tensor<B, 2>, at: Tensor<B, 1, Int>) -> Tensor<B, 2> {
        x.select(0, at)
    }

## Clean
    use burn::tensor::{Int, Tensor};

    pub fn pick(x: Tensor<2>, at: Tensor<1, Int>) -> Tensor<2> {
        x.select(0, at)
    }

## Known gaps
What a macro of the workspace writes is not seen. Two type parameters without a bound that tells them apart
(`Tensor<X, Y>`) are left alone.

## References
burn-tensor 0.22.1, src/tensor/api/base.rs. Compiled on 0.22.1:
fixtures/migration/tensor-backend-parameter/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Place, Rule

RULE = Rule(
    "BL801",
    "tensor-backend-parameter",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    listens=("Tensor",),
)


def check(file: FileView) -> Iterator[Finding]:
    for each in file.migration.surplus:
        if each.key == "Tensor":
            written = file.source.text.decode(*each.args[0].span)
            yield Finding(
                Place(file.path, *each.span),
                f"`{each.name}` takes no back end since burn 0.22, and `{written}` does not compile",
                help="leave the back end out: the tensor is on the one of its device",
            ).with_fix(f"leave out `{written}`", *file.migration.cut(*each.cuts), safe=False)
