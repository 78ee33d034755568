"""Up to burn 0.21 `derive(Module)` knows the backend by the name `B` with its bound in place: anything else breaks the module.

## Why
The derive looks for a generic called `B`. With another name it takes the type for a constant: without `Clone` that
does not compile ("the trait bound `Net<Back>: Clone` is not satisfied"), and with a derived `Clone` it compiles to
a module that has no parameters at all: nothing is trained, moved or saved. With the bound in a where-clause only,
it panics ("Modules should be generic over a backend").

## Fires
    use burn::module::Module;
    use burn::nn::Linear;
    use burn::tensor::backend::Backend;

    #[derive(Module, Debug)]
    pub struct Net<Back: Backend> {
        linear: Linear<Back>,
    }

## Clean
    use burn::module::Module;
    use burn::nn::Linear;
    use burn::tensor::backend::Backend;

    #[derive(Module, Debug)]
    pub struct Net<B: Backend> {
        linear: Linear<B>,
    }

## Known gaps
From burn 0.22 on there is no backend parameter. A generic that only a trait of another crate makes a backend is not
seen.

## References
burn-derive 0.21.0, src/module/base.rs (`ident == "B"`), src/shared/generics.rs (`fetch_backend_trait`). Compiled
and run on 0.21.0: fixtures/module/misnamed-backend-parameter/compile_fail and proof_021.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL311",
    "misnamed-backend-parameter",
    symptom="compile",
    severity="error",
    confidence="high",
    pitfalls=("B14",),
    burn=">=0.13,<0.22",
    proven=("0.20.1", "0.21.0"),
    listens=("Module",),
    messages=(r"Modules should be generic over a backend",),
)


def check(file: FileView) -> Iterator[Finding]:
    for module in file.deriving("Module"):
        backends = module.backends
        if "B" in backends:
            if not module.has_bound_in_place("B"):
                yield Finding(
                    module.name_place,
                    f"`{module.name}` does not compile: `derive(Module)` wants the bound of `B` where `B` is declared",
                    help="write `<B: Backend>` and keep further bounds in the where-clause",
                )
        elif backends and not any(param.name == "B" for param in module.type_params()):
            copied = bool(module.derived("Clone")) or module.has_impl("Clone") is not False
            if copied and not any(field.contents.holds("module") for field in module.fields):
                continue
            effect = (
                "is a module without parameters: nothing of it is trained, moved or saved"
                if copied
                else "does not compile"
            )
            yield Finding(
                module.name_place,
                f"`{module.name}` {effect}, as `derive(Module)` does not take `{backends[0]}` for the backend",
                help=f"call the parameter `B` in place of `{backends[0]}`"
                + (", and do not derive `Clone`" if copied else ""),
            )
