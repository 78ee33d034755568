"""`Param::initialized` of plain data makes a parameter that asks for no gradient: it never trains.

## Why
`Param::initialized` takes the flag from the tensor it is given, and a new tensor has none. `GradientsParams` leaves
such a parameter out, and the optimizer hands it on unchanged: the loss goes down by the other parameters, this one
stays as it is. `Param::from_tensor` sets the flag.

## PyTorch
`nn.Parameter(data)` requires a gradient unless told otherwise: that is `Param::from_tensor`.

## Fires
    # use burn::module::{Module, Param, ParamId};
    # use burn::optim::GradientsParams;
    # use burn::tensor::{Device, Tensor};
    #[derive(Module, Debug)]
    struct Scale {
        gain: Param<Tensor<1>>,
    }

    # fn gradients(device: &Device, x: Tensor<1>) -> GradientsParams {
    let scale = Scale {
        gain: Param::initialized(ParamId::new(), Tensor::ones([1], device)),
    };
    let loss = (x * scale.gain.val()).mean();
    GradientsParams::from_grads(loss.backward(), &scale)
    # }

## Clean
    # use burn::module::{Module, Param};
    # use burn::optim::GradientsParams;
    # use burn::tensor::{Device, Tensor};
    #[derive(Module, Debug)]
    struct Scale {
        gain: Param<Tensor<1>>,
    }

    # fn gradients(device: &Device, x: Tensor<1>) -> GradientsParams {
    let scale = Scale {
        gain: Param::from_tensor(Tensor::ones([1], device)),
    };
    let loss = (x * scale.gain.val()).mean();
    GradientsParams::from_grads(loss.backward(), &scale)
    # }

## Known gaps
Where nothing is seen to train the module, only what its constructor puts into a field is told, as a note, and not in a
package that freezes modules by `no_grad()`. A buffer that is
kept as a parameter to be saved is meant so, which is why the confidence is medium.

## References
burn-core 0.22.1, src/module/param/base.rs (`initialized`), src/module/param/tensor.rs (`from_tensor`). Run on 0.21.0
and 0.22.1: fixtures/autodiff/param-initialized-untracked/proof.rs.
"""

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Rule

RULE = Rule(
    "BL227",
    "param-initialized-untracked",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("P14",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=("initialized",),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("initialized", tests=False):
        if call.key != "Param::initialized":
            continue
        value = call.operands[1]
        if value.kind != "Float" or not value.is_new_data:
            continue
        training = next(call.trainings(), None)
        finding = Finding(
            call.place,
            "this parameter asks for no gradient: the optimizer hands it on unchanged and it never trains",
            help="use `Param::from_tensor`, or append `.require_grad()` to the value",
        )
        if training is not None:
            finding = finding.with_because(training.place, "the module that holds it is trained here")
        elif file.freezes_modules:
            continue  # It freezes modules on purpose, and this one may be among them.
        elif any(call.site == value.site for _, value in file.fields_of_literals("initialized")):
            finding = finding.lowered(severity="note")
        else:
            continue
        yield finding.with_fix(
            "use `Param::from_tensor`", Edit(call.place, f"Param::from_tensor({value.text})"), safe=False
        )
