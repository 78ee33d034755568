"""A map, `Box` or `Arc` of modules in a `derive(Module)` type does not compile: `Module` is not implemented for it.

## Why
burn implements `Module` for `Option`, `Vec`, arrays and tuples of two to ten modules, and for nothing else that
holds modules. The compiler's note suggests `#[module(skip)]`, which compiles and loses the parameters
(`skipped-module-field`). Up to burn 0.21 even that does not compile.

## PyTorch
`nn.ModuleDict` is what a `HashMap` of modules is meant to be; burn has no such container.

## Fires
    # use std::collections::HashMap;
    # use burn::module::Module;
    # use burn::nn::Linear;
    #[derive(Module, Debug)]
    struct Heads {
        trunk: Linear,
        heads: HashMap<String, Linear>,
    }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    #[derive(Module, Debug)]
    struct Heads {
        trunk: Linear,
        names: Vec<String>,
        heads: Vec<Linear>,
    }

## Known gaps
Containers of other crates (`IndexMap`) are not reported. Up to burn 0.21 only fields whose type names the backend
`B` are.

## References
burn-core 0.22.1, src/module/param/primitive.rs (`impl Module for Option<T>` and others). E0277 on 0.21.0 and 0.22.1:
fixtures/module/unsupported-module-container/compile_fail.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL302",
    "unsupported-module-container",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("P15", "B14"),
    burn=">=0.21",
    proven=("0.21.0", "0.22.1"),
    listens=("Module",),
    messages=(
        r"the trait bound `[^`]*(?:HashMap|BTreeMap|VecDeque|Box|Rc|Arc|RefCell|Mutex|RwLock)<[^`]*>: "
        r"(?:\w+::)*Module(?:<\w+>)?` is not satisfied",
    ),
)


def check(file: FileView) -> Iterator[Finding]:
    skippable = file.burn_at_least("0.22")
    for module in file.deriving("Module"):
        for field in module.fields:
            if (field.skip and skippable) or (not skippable and "B" not in field.generics):
                continue
            if field.contents.is_module is False and field.contents.holds("module"):
                boxed = field.type_name in ("Box", "Rc", "Arc", "RefCell", "Mutex", "RwLock")
                yield Finding(
                    field.place,
                    f"`{module.name}` does not compile: burn implements `Module` neither for `{field.type_text}` nor for any "
                    "map or pointer",
                    help="hold the module itself; `#[module(skip)]` would lose its parameters"
                    if boxed
                    else "use a `Vec` of modules beside a `Vec<String>` of their names; `#[module(skip)]` would lose their "
                    "parameters",
                )
