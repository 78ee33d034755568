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

A tensor in a plain field that `forward` multiplies or adds like a weight: nothing shows whether it is
to be learned. Fields that are called like tables or statistics (`mask`, `positions`, `mean`) are left out.

    # use burn::module::Module;
    # use burn::tensor::Tensor;
    #[derive(Module, Debug)]
    struct Gate {
        weight: Tensor<1>,
    }

    impl Gate {
        fn forward(&self, x: Tensor<2>) -> Tensor<2> {
            x * self.weight.clone().unsqueeze()
        }
    }

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
Pedantic: what is drawn from a fixed seed comes out the same again, and of a field that `forward` uses like a weight
only its name tells whether it is one.

## References
burn-core 0.22.1, src/module/param/constant.rs. Run on 0.22.1 and 0.21.0: fixtures/module/bare-tensor-field/proof.rs.
"""

import re
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
    proven=("0.21.0", "0.22.1"),
    listens=("random", "forward"),
)
_TABLE = re.compile(
    r"mask|table|grid|anchor|cache|buffer|running|mean|std|var|norm|bound|min|max|range|pos|freq|time|sin|cos|rope|rot"
    r"|angle|alibi|window|filter|kernel|mel|dct|fft|basis|schedule|alpha|beta|gamma|sigma|noise|target|label|offset|shift"
)
"""Names of what is computed once and not learned."""
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
    for constant, operation in file.constants_in_forward():
        if _TABLE.search(constant.name) is None:
            yield Finding(
                constant.place,
                f"`{constant.name}` is a plain tensor: if it is to be learned, no optimizer sees it, and no record holds it",
                help="make it a `Param<Tensor<..>>`",
            ).with_because(operation.place, "used like a weight")
