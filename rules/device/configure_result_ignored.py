"""The result of `Device::configure` is thrown away: if it failed, the program computes in the old types.

## Why
`configure` fails once the device holds a tensor or was configured before, and for a type that the device lacks. Nothing is
configured then, and nothing says so: what was meant to be F64 is computed in F32.

## Fires
    # use burn::tensor::{Device, FloatDType};
    # fn main() {
    let mut device = Device::default();
    let _ = device.configure(FloatDType::F64);
    # }

## Clean
    # use burn::tensor::{Device, FloatDType};
    # fn main() {
    let mut device = Device::default();
    device.configure(FloatDType::F64).expect("nothing runs on the device yet");
    # }

## Known gaps
A result that is only printed or logged counts as read.

## References
burn-tensor 0.22.1, src/device.rs (`configure`). Run on 0.22.1: fixtures/device/configure-result-ignored/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL609",
    "configure-result-ignored",
    symptom="silent",
    severity="warning",
    confidence="high",
    pitfalls=("B8",),
    burn=">=0.22",
    listens=("configure",),
)


def check(file: FileView) -> Iterator[Finding]:
    for call in file.calls("configure"):
        if call.key not in ("Device::configure", "Devices::configure") or not call.error_ignored:
            continue
        yield Finding(
            call.name_place,
            "the result of `configure` is thrown away: if it fails, the device computes in its old types and nothing says so",
            help="append `.expect(..)`, or `?` where the function returns a `Result`",
        )
