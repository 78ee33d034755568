"""`derive(Module)` without `Debug` does not compile: `Module` requires it, and the derive does not write it.

## Why
`Module: Clone + Send + Debug`. The derive writes `Clone` and `Display`, but `Debug` is left to the user: "`Net`
doesn't implement `Debug`" (E0277).

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    #[derive(Module)]
    struct Net {
        linear: Linear,
    }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    #[derive(Module, Debug)]
    struct Net {
        linear: Linear,
    }

## Known gaps
Where a derive of another crate or a macro may write `Debug`, nothing is reported.

## References
burn-core 0.21.0 and 0.22.1, src/module/base.rs (`trait Module`). E0277 on 0.21.0 and 0.22.1, and the fix compiles:
fixtures/module/module-without-debug/compile_fail.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Place, Rule

RULE = Rule(
    "BL309",
    "module-without-debug",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B14",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("Module",),
    messages=(r"`\w+` doesn't implement `Debug`",),
)

_WRITE_NO_DEBUG = frozenset(
    {"Module", "Clone", "Copy", "Default", "PartialEq", "Eq", "Hash", "Serialize", "Deserialize", "Config"}
)


def check(file: FileView) -> Iterator[Finding]:
    for module in file.deriving("Module"):
        derive = module.derives_of_burn("Module")
        if derive is None or not module.derives_only(_WRITE_NO_DEBUG):
            continue
        if module.has_foreign_attribute or module.has_impl("Debug") is not False:
            continue
        after = Place(derive.place.path, derive.place.end, derive.place.end)
        yield Finding(
            derive.place,
            f"`{module.name}` does not compile: a module must be `Debug`, and `derive(Module)` does not write it",
            help="derive `Debug` as well",
        ).with_fix("derive `Debug`", Edit(after, ", Debug"), safe=True)
