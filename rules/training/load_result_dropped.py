"""The module, optimizer or scheduler that a load returns is dropped: what was there keeps its old values.

## Why
`load_record`, `load_file`, `load` and `from_bytes` take their receiver by value and return the loaded one. Used
later, the moved value does not compile, and rustc proposes `model.clone().load_file(..)`: that compiles, says
nothing and loads into a copy which is thrown away at once. On burn 0.22.1 the model keeps its random weights, and a
scheduler goes on at its first learning rate. Only `load_from(&mut store)` of burn-store works in place, and
`load_record` of a concrete scheduler from burn 0.22 on.

## PyTorch
`model.load_state_dict(..)`, also of optimizers and schedulers, works in place.

## Fires
    # use burn::module::Module;
    # use burn::nn::Linear;
    # fn resume(model: Linear) -> Linear {
    model.clone().load_file("model");
    model
    # }

## Clean
    # use burn::module::Module;
    # use burn::nn::Linear;
    # fn resume(model: Linear) -> Linear {
    let model = model.load_file("model");
    model
    # }

## Known gaps
Reported only where the receiver is read again or belongs to somebody else; a load that is only tried
(`try_load_file(..).is_ok()`, `let _ =`) is left alone, and so are tests. Confidence is medium where the receiver comes
as a shared reference and is not read again, and where a function returns what it loads into a copy: the load may only
check that the file fits.

## References
burn-core 0.22.1, src/module/base.rs (`load_record`, `load_file`); burn-optim 0.22.1,
src/optim/module/module_optimizer.rs and src/lr_scheduler/module_lr_scheduler.rs (`load_record`). Run on 0.21.0 and
0.22.1: fixtures/training/load-result-dropped/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

LOADS = ("load_record", "load_file", "try_load_record", "try_load_file", "load", "from_bytes")

RULE = Rule(
    "BL405",
    "load-result-dropped",
    symptom="silent",
    severity="error",
    confidence="high",
    pitfalls=("P19",),
    burn=">=0.13",
    proven=("0.20.1", "0.21.0", "0.22.1"),
    listens=LOADS,
)


def check(file: FileView) -> Iterator[Finding]:
    for at, call in file.discarded(*LOADS):
        owner = call.outlived_by
        if owner is None or at.is_only_tried or not call.key or not call.consumes:
            continue
        if at is not call:
            # The function may be called for what else it does.
            message = f"what `{at.name}` loads is dropped: what it is given keeps its old values"
            finding = Finding(at.place, message, help="assign the result")
            yield finding.with_because(call.name_place, "loaded here").lowered(confidence="medium")
            continue
        finding = Finding(
            call.place,
            f"what `{call.name}` loads is dropped: `{owner.spelling}` keeps its old values",
            help=f"assign the result: `{owner.spelling} = …`",
        )
        if owner.is_only_lent and not owner.read_later:
            finding = finding.lowered(confidence="medium")  # It may check whether the file fits.
        yield finding.with_fix("assign the result", call.assigned_to(owner), safe=False)
