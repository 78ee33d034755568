"""A value of `CUBECL_DEBUG_LOG` that is meant as a level or a switch becomes the name of a file.

## Why
The variable takes `stdout`, `stderr`, `1` or `true` (a file in the folder for temporary files), and `0` or `false`.
Anything else is a path: `CUBECL_DEBUG_LOG=debug` shows nothing and writes a file called `debug` into the folder of the
run; `off` does not switch off, it writes a file called `off`.

## Fires
    use std::env::set_var;

    use burn::tensor::{Device, Tensor};

    pub fn run() -> Tensor<1> {
        unsafe { set_var("CUBECL_DEBUG_LOG", "off") };
        Tensor::ones([8], &Device::default())
    }

## Clean
    use std::env::set_var;

    use burn::tensor::{Device, Tensor};

    pub fn run() -> Tensor<1> {
        unsafe { set_var("CUBECL_DEBUG_LOG", "0") };
        Tensor::ones([8], &Device::default())
    }

## Known gaps
Read are the same places as by `cubecl-logging-committed`. Only words that nobody calls a log file are reported.

## References
cubecl-runtime 0.11.3 and 0.6.0, src/config/base.rs (`override_from_env`). Run on burn 0.22.1: `debug` left a file of
41 kB called `debug`.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Place, Rule, SideView

_VARIABLE = "CUBECL_DEBUG_LOG"

RULE = Rule(
    "BL719",
    "cubecl-debug-log-value",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B22",),
    burn=">=0.18",
    proven=("0.22.0", "0.22.1"),
    listens=(_VARIABLE,),
    supersedes=("cubecl-logging-committed",),
)

_ON = frozenset({"debug", "info", "trace", "warn", "error", "on", "yes", "full", "basic", "2", "all"})
_OFF = frozenset({"off", "no", "none", "disabled"})


def check(file: FileView) -> Iterator[Finding]:
    for call in file.environment_set(_VARIABLE):
        yield from _judged(call.value, call.place, call.value_place, '"')


def check_text(file: SideView) -> Iterator[Finding]:
    for setting in file.settings:
        if setting.name == _VARIABLE:
            quote = file.text.decode(setting.place.start, setting.place.start + 1)
            yield from _judged(setting.value, setting.entry, setting.place, quote if quote in "\"'" else "")


def _judged(value: str, place: Place, value_place: Place, quote: str) -> Iterator[Finding]:
    word = value.lower()
    if word not in _ON | _OFF:
        return
    meant = "0" if word in _OFF else "stderr"
    effect = "logging goes on" if word in _OFF else "nothing is shown"
    yield Finding(
        place,
        f"`{value}` is no value of `{_VARIABLE}` but a file name: {effect}, and a file called `{value}` is written",
        f"write `{meant}`" if word in _OFF else "write `stderr`, `stdout`, or the path of a log file",
    ).with_fix(f"write `{meant}`", Edit(value_place, f"{quote}{meant}{quote}"), safe=False)
