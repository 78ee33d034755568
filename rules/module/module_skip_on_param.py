"""`#[module(skip)]` on a `Param`, or on a generic that is a module, is refused by the derive.

## Why
A parameter that nothing trains, saves or moves is none: the derive says so ("Fields of type 'Param' should not be
marked as 'skip'"). From burn 0.22 on it refuses the attribute on a generic with a `Module` bound as well, since
that would hide whatever the generic stands for.

## PyTorch
A tensor that is no parameter and is not saved is `register_buffer(.., persistent=False)` there; in burn it is a
plain `Tensor` field.

## Fires
    # use burn::module::{Module, Param};
    # use burn::tensor::Tensor;
    #[derive(Module, Debug)]
    struct Scale {
        #[module(skip)]
        factor: Param<Tensor<1>>,
    }

## Clean
    # use burn::module::{Module, Param};
    # use burn::tensor::Tensor;
    #[derive(Module, Debug)]
    struct Scale {
        factor: Param<Tensor<1>>,
        offset: Tensor<1>,
    }

## Known gaps
The derive looks at how the type is written, and so does this rule: `Option<Param<..>>` and an
alias of a `Param` compile, and are `skipped-module-field`.

## References
burn-derive 0.21.0 and 0.22.1, src/module/codegen_struct.rs (`parse_module_field_type`). The macro's errors on
0.21.0 and 0.22.1: fixtures/module/module-skip-on-param/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL306",
    "module-skip-on-param",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B14",),
    burn=">=0.21",
    proven=("0.21.0", "0.22.1"),
    listens=("skip",),
    messages=(
        r"Fields of type 'Param' should not be marked as 'skip'",
        r"Fields with module generics should not be marked as 'skip'",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    modern = file.burn_at_least("0.22")
    for module in file.deriving("Module"):
        for field in module.fields:
            attribute = field.attributes("module")[0] if field.skip else None
            if attribute is None or (field.in_enum and not modern):
                continue
            generics = field.generics & module.bounded("Module") if modern else frozenset()
            if field.type_name == "Param":
                what, help = "is a `Param`", "remove the attribute; what is no parameter is a plain `Tensor`"
            elif generics:
                what, help = f"is of the module `{min(generics)}`", "remove the attribute"
            else:
                continue
            finding = Finding(
                field.place,
                f"`{module.name}` does not compile: the derive refuses `#[module(skip)]`, as `{field.name}` {what}",
                help=help,
            )
            if attribute.arguments == "skip":
                finding = finding.with_fix(
                    "remove the attribute", field.without_attribute(attribute), safe=True
                )
            yield finding
