"""Committed settings profile every kernel, so that each launch waits for the device and times mean nothing.

## Why
`CUBECL_DEBUG_LOG`, most values of `CUBECL_DEBUG_OPTION`, and a profiling level of `basic`, `medium` or `full` make
cubecl measure each kernel: a launch then waits for its end. On burn 0.22.1 small kernels took twice as long, and
whoever clones the project compares and tunes with that. A level counts without any sink.

## Fires
    use std::env::set_var;

    use burn::tensor::{Device, Tensor};

    pub fn run() -> Tensor<1> {
        unsafe { set_var("CUBECL_DEBUG_LOG", "stdout") };
        Tensor::ones([8], &Device::default())
    }

## Clean
    use burn::tensor::{Device, Tensor};

    // CUBECL_DEBUG_LOG=stdout CUBECL_AUTOTUNE_CACHE=0 cargo run
    pub fn run() -> Tensor<1> {
        Tensor::ones([8], &Device::default())
    }

## Known gaps
Read are `[env]` in .cargo/config.toml, `env:` in workflows, `ENV` in Dockerfiles, .env files, what shell scripts,
justfiles and Makefiles export, cubecl.toml and burn.toml, and `set_var` in Rust. A variable for one command, and a
file whose name speaks of profiling, tracing or debugging, are left alone; so is a file that cubecl leaves out for a
fault. In a workflow without the word "bench" it is a note.

## References
cubecl-runtime 0.11.3, src/config/base.rs (`override_from_env`), src/client.rs (`profile_level`), src/logging/server.rs.
Times measured on burn 0.22.1 (WGSL): 1.6 to 2.3 times for an addition of 32 x 32, 1.1 times for a chain of 1000 x 1000. Run
there with a Vulkan device in software: fixtures/cargo/cubecl-logging-committed/gpu/proof.rs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from burnlint import Edit, FileView, Finding, Place, Rule, Setting, SideView

_VARIABLES = ("CUBECL_DEBUG_LOG", "CUBECL_DEBUG_OPTION")

RULE = Rule(
    "BL718",
    "cubecl-logging-committed",
    symptom="slow",
    severity="warning",
    confidence="high",
    pitfalls=("B22",),
    burn=">=0.18",
    proven=("0.22.0", "0.22.1"),
    listens=(*_VARIABLES, "profiling"),
    messages=(r"^\s*\|\s*[0-9.]+(?:ns|µs|ms|s)\s+\|\s*\w+", r"\[(?:START|END)_KERNEL_COMPILATION\]"),
)

_OPTIONS = frozenset({"debug", "debug-full", "profile", "profile-medium", "profile-full"})
_OFF = frozenset({"", "0", "false"})
_BLOCKING = frozenset({"basic", "medium", "full"})
_MEANT = re.compile(r"profil|trac(?:e|ing)|debug", re.IGNORECASE)
"""Names of files that are there to do this."""


def _blocks(name: str, value: str) -> bool:
    """Whether a variable makes launches wait."""
    return value in _OPTIONS if name == _VARIABLES[1] else value not in _OFF


def check(file: FileView) -> Iterator[Finding]:
    for call in file.environment_set(*_VARIABLES):
        if (
            _blocks(call.variable, call.value)
            and not call.in_test
            and not call.is_asked_for
            and not _MEANT.search(call.function)
        ):
            yield _finding(call.place, call.variable)


def check_text(file: SideView) -> Iterator[Finding]:
    if _MEANT.search(file.name):
        return
    for setting in file.settings:
        if setting.name in _VARIABLES and _blocks(setting.name, setting.value):
            finding = _finding(setting.entry, setting.name)
            if file.form == "workflow" and b"bench" not in file.text.content:
                finding = finding.lowered(severity="note")
            yield _without(finding, setting)
    if file.reads is not None and file.toml.problem is None:
        above = () if file.reads == "cubecl" else ("cubecl",)
        level = file.toml.at(*above, "profiling", "logger", "level")
        if level.get() in _BLOCKING and not file.is_left_out:
            place = Place(file.path, *level.value)
            yield Finding(
                place,
                f"profiling level `{level.get()}` makes every kernel launch wait for the device: times and the choices "
                "of autotune that come from such runs do not hold without it",
                'write `level = "disabled"`, and raise it for a run when it is needed',
            ).with_fix("switch profiling off", Edit(place, '"disabled"'), safe=False)


def _finding(place: Place, name: str) -> Finding:
    return Finding(
        place,
        f"`{name}` makes every kernel launch wait for the device to profile it: times and the choices of autotune that "
        "come from such runs do not hold without it",
        f"set `{name}` by hand for the run that needs it, with `CUBECL_AUTOTUNE_CACHE=0`",
    )


def _without(finding: Finding, setting: Setting) -> Finding:
    if setting.line is None:
        return finding
    return finding.with_fix(f"remove `{setting.name}`", Edit(setting.line, ""), safe=False)
