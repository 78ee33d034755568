"""`RUST_BACKTRACE` is committed as 0: a failed tensor check only names a line inside burn.

## Why
burn's checks of shapes and devices panic within burn-tensor; which line of this project it was stands in the backtrace
alone. With the variable at 0 nobody who runs the project, its tests or its image gets one.

## Fires
    use std::env::set_var;

    use burn::tensor::{Device, Tensor};

    pub fn run() -> Tensor<1> {
        unsafe { set_var("RUST_BACKTRACE", "0") };
        Tensor::ones([8], &Device::default())
    }

## Clean
    use std::env::set_var;

    use burn::tensor::{Device, Tensor};

    pub fn run() -> Tensor<1> {
        unsafe { set_var("RUST_BACKTRACE", "1") };
        Tensor::ones([8], &Device::default())
    }

## Known gaps
Read are `[env]` in .cargo/config.toml, `env:` in workflows, `ENV` in Dockerfiles, .env files, what shell scripts,
justfiles and Makefiles export, and `set_var` in Rust. A variable for one command is left alone.
`RUST_LIB_BACKTRACE` has no say in panics.

## References
std::backtrace, "Environment Variables"; burn-tensor 0.22.1, src/tensor/api/check.rs (`check!`).
"""

from __future__ import annotations

from collections.abc import Iterator

from burnlint import RELEASED, Edit, FileView, Finding, Place, Rule, SideView

_VARIABLE = "RUST_BACKTRACE"

RULE = Rule(
    "BL720",
    "backtrace-disabled",
    symptom="diagnosis",
    severity="note",
    confidence="high",
    pitfalls=("B9",),
    proven=RELEASED,
    listens=(_VARIABLE,),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.environment_set(_VARIABLE):
        if call.value == "0" and not call.is_asked_for:
            yield _finding(call.place, call.value_place, '"1"')


def check_text(file: SideView) -> Iterator[Finding]:
    for setting in file.settings:
        if setting.name == _VARIABLE and setting.value == "0":
            written = file.text.decode(setting.place.start, setting.place.end)
            yield _finding(setting.entry, setting.place, written.replace("0", "1"))


def _finding(place: Place, value: Place, one: str) -> Finding:
    return Finding(
        place,
        f"`{_VARIABLE}` is 0: a failed check of a tensor only names a line inside burn, and none of this project",
        "set it to 1",
    ).with_fix("set it to 1", Edit(value, one), safe=True)
