"""A statement such as `model.freeze()` whose result is dropped changes nothing: modules have no methods in
place.

## Why
`no_grad`, `freeze`, `valid`, `train`, `fork`, `to_device` and their kin take a module by value, or read it, and give
another one back. In a statement, mostly after the `clone()` that rustc proposes for the moved value, that one is
lost. On burn 0.22.1 a model trains all its parameters after `model.clone().freeze();`, and is still on autodiff after
`model.valid();`.

## PyTorch
`model.eval()`, `model.to(device)` and `model.requires_grad_(False)` change the module in place.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # fn prepare(model: Linear) -> Linear {
    model.clone().freeze();
    model
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # fn prepare(model: Linear) -> Linear {
    let model = model.freeze();
    model
    # }

## Known gaps
Reported only where the module is read again or belongs to somebody else. Tests are left alone. Where a
function returns the changed copy, the confidence is medium: it may be called for what else it does.

## References
burn-core 0.22.1, src/module/base.rs. Run on 0.21.0 and 0.22.1:
fixtures/training/module-result-dropped/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

GIVES_A_MODULE = (
    "freeze",
    "freeze_group",
    "unfreeze",
    "unfreeze_group",
    "no_grad",
    "set_require_grad",
    "set_require_grad_group",
    "valid",
    "train",
    "fork",
    "to_device",
    "quantize_weights",
    "quantize_weights_group",
    "apply_lora",
    "apply_qlora",
)

RULE = Rule(
    "BL421",
    "module-result-dropped",
    symptom="silent",
    severity="error",
    confidence="high",
    pitfalls=("P17",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=GIVES_A_MODULE,
)


def check(file: FileView) -> Iterator[Finding]:
    for at, call in file.discarded(*GIVES_A_MODULE):
        if not call.key.endswith(f"Module::{call.name}") or at.is_only_tried:
            continue
        module = call.outlived_by
        if module is None:
            continue
        if at is not call:
            # The function may be called for what else it does.
            message = f"the module that `{at.name}` returns is dropped: what it is given stays as it is"
            finding = Finding(at.place, message, help="assign the result")
            yield finding.with_because(call.name_place, "changed here").lowered(confidence="medium")
            continue
        finding = Finding(
            call.place,
            f"the module that `{call.name}` returns is dropped: `{module.spelling}` stays as it is",
            help=f"assign the result: `{module.spelling} = …`",
        )
        yield finding.with_fix("assign the result", call.assigned_to(module), safe=False)
