"""A module keeps random values in a plain tensor field: they are neither trained nor saved, and a loaded model has others.

## Why
`derive(Module)` takes a plain `Tensor` field for a constant: it is moved and cloned, but no optimizer sees it and no
record holds it. That suits a table that can be computed again. Random values cannot: after `load_record` or
`load_file` the field still holds what `new` drew, and the model answers differently from the one that was saved.

## PyTorch
A plain attribute is left out of `parameters()` and `state_dict()` there too; `register_buffer` saves it.

## Fires
    # use burn::module::Module;
    # use burn::tensor::{Device, Distribution, Tensor};
    #[derive(Module, Debug)]
    struct Projection {
        weight: Tensor<2>,
    }

    # fn make(device: &Device) -> Projection {
    Projection {
        weight: Tensor::random([64, 64], Distribution::Default, device),
    }
    # }

## Clean
    # use burn::module::{Module, Param};
    # use burn::tensor::{Device, Distribution, Tensor};
    #[derive(Module, Debug)]
    struct Projection {
        weight: Param<Tensor<2>>,
    }

    # fn make(device: &Device) -> Projection {
    Projection {
        weight: Param::from_tensor(Tensor::random([64, 64], Distribution::Default, device)),
    }
    # }

## Known gaps
Pedantic: what is drawn from a fixed seed comes out the same again. Weights that are given to the constructor, or start
as zeros, are not seen.

## References
burn-core 0.22.1, src/module/param/constant.rs. Run on 0.22.1: fixtures/module/bare-tensor-field/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL303",
    "bare-tensor-field",
    symptom="silent",
    severity="note",
    confidence="medium",
    group="pedantic",
    pitfalls=("P15",),
    burn=">=0.13",
    proven=("0.22.1",),
    listens=("random",),
)
RANDOM = ("Tensor::random", "Tensor::random_like")


def check(file: FileView) -> Iterator[Finding]:
    for field, value in file.constants_of_modules("random"):
        drawn = value.computed_by(*RANDOM)
        if drawn:
            yield Finding(
                value.place,
                f"`{field}` holds random values in a plain tensor: they are not trained, not in the record, and a loaded "
                "model has others",
                help="keep them in a `Param`, with `set_require_grad(false)` if they are to stay as they are",
            ).with_because(drawn[0].place, "drawn here")
