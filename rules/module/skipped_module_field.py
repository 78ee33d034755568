"""`#[module(skip)]` hides what a field holds: its parameters are not trained, moved, saved or counted.

## Why
The derive leaves a skipped field out of everything but `clone`. With a layer inside, nothing fails: the optimizer
finds no gradient for it, a record does not hold it, `load_record` keeps the random values, and on burn 0.22.1 even
`valid()` and `freeze()` do not reach it. The compiler's note suggests the attribute for every type that is no
module, also where it is wrong (`HashMap<String, Linear>`). `Dropout`, `GaussianNoise` and `RRelu` have no
parameters but a training flag: skipped, they stay random on an autodiff device after `valid()`.

## PyTorch
A module in a plain Python `dict` or `list` is not registered and is lost in the same way; `ModuleDict` and
`ModuleList` are the cure. In burn a `Vec` is.

## Fires
    # use std::collections::HashMap;
    # use burn::module::Module;
    # use burn::nn::Linear;
    #[derive(Module, Debug)]
    struct Heads {
        trunk: Linear,
        #[module(skip)]
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
A struct of the package may be skipped on purpose (a frozen teacher): the finding is then of medium confidence. What
an enum holds in some of its variants only (`Activation`) is not reported, nor what a type of another crate holds.

## References
burn-derive 0.21.0 and 0.22.1, src/module/codegen_struct.rs; burn-nn 0.22.1, src/modules/dropout.rs (`training:
Param<Flag>`). Run on 0.22.1: fixtures/module/skipped-module-field/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL301",
    "skipped-module-field",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("P15",),
    burn=">=0.21",
    proven=("0.22.1",),
    listens=("skip", "Ignored"),
)


def check(file: FileView) -> Iterator[Finding]:
    modern = file.burn_at_least("0.22")
    for module in file.deriving("Module"):
        for field in module.fields:
            hidden = "#[module(skip)]" if field.skip else "Ignored" if field.type_name == "Ignored" else ""
            # A skipped `Param` does not compile, and in a variant the attribute does nothing.
            if not hidden or field.in_enum or field.type_name == "Param":
                continue
            # Up to 0.21 what is no module does not compile with the attribute either.
            if not modern and field.contents.is_module is False:
                continue
            if field.contents.holds("parameter"):
                lost = "they are not trained, moved to a device or saved"
                finding = Finding(
                    field.place,
                    f"`{field.name}` holds parameters that `{hidden}` hides: {lost}",
                    help="leave the attribute out; modules by name go into a `Vec` beside a `Vec` of their names",
                )
                known = field.contents.holds("parameter", through=False)
                yield finding if known else finding.lowered(confidence="medium")
            elif field.contents.holds("flag"):
                yield Finding(
                    field.place,
                    f"`{hidden}` keeps `valid()` and `freeze()` from `{field.name}`: it stays in training mode",
                    help="leave the attribute out: the layer has no parameters, but a training flag",
                )
