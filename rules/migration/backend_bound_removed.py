"""Burn 0.22 has no back end parameters: `B: Backend` and its imports do not compile there.

## Why
`burn::tensor::backend` is gone and `Backend` is not in the prelude any more: rustc says "unresolved import
`burn::tensor::backend`" (E0432) or "cannot find trait `Backend` in this scope" (E0405), and says nothing of the rest of
the file until that is cured. A parameter that is left behind unused is the next error (E0392, E0207, E0282).

## Fires
    # pub mod training {
    use burn::tensor::backend::Backend;

    pub fn report<B: Backend>() {}
    # }

## Clean
    use burn::tensor::Device;

    pub fn report(device: &Device) {
        println!("{}", device.is_autodiff());
    }

## Known gaps
A parameter stays, and is left to people, where something needs it that has no successor: an associated type of a trait
of your own, `PhantomData<B>`, a bound with kernels of your own. One without a bound, left behind unused, is known by the
name `B`; in a function it is reported where a call names no argument for it, which rustc refuses. Low-level code under
`burn::backend::Backend` (feature `extension`) is not meant.

## References
burn-core 0.22.1, src/lib.rs (prelude); burn-tensor 0.22.1, src/tensor/mod.rs. Compiled on 0.22.1:
fixtures/migration/backend-bound-removed/compile_fail.
"""

from collections.abc import Iterator

from burnlint import Because, FileView, Finding, Place, Rule

RULE = Rule(
    "BL803",
    "backend-bound-removed",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B1",),
    group="migration",
    burn=">=0.22",
    proven=("0.22.1",),
    messages=(
        r"unresolved imports? [^\n]*`burn::tensor::backend`",
        r"cannot find trait `(?:Autodiff)?Backend` in this scope",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    migration = file.migration
    for parameter, place, edits in migration.parameters():
        held = tuple(
            Because(Place(each.item.file.path, *each.path.span), "this needs it, and has to go by hand")
            for each in parameter.held
        )
        finding = Finding(
            place,
            f"nothing uses the parameter `{parameter.name}` any more, and this does not compile"
            if parameter.sort == "left"
            else f"burn 0.22 has no trait for back ends, and the bound of `{parameter.name}` does not compile",
            help=f"remove `{parameter.name}` and every argument for it; what depends on it takes a `Device`",
            because=held,
        )
        yield finding.with_fix(f"remove `{parameter.name}`", *edits, safe=False)
    for each in migration.backend_traits():
        finding = Finding(
            each.place, f"burn 0.22 has no `{each.name}`, and this import does not compile", help="remove it"
        )
        yield finding.with_fix("remove the import", *each.edits, safe=False)
