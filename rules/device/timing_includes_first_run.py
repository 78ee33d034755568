"""A timed section runs the work for the first time: the time holds the compilation of kernels and the search for the best one.

## Why
The first call with a shape compiles its kernels, and autotune tries several of them. That takes a hundred times as long as the work
itself, and happens once.

## PyTorch
`torch.compile` and cuDNN's benchmark mode do the same in the first call.

## Fires
    # use std::time::{Duration, Instant};
    # use burn::nn::Linear;
    # use burn::tensor::{Device, Tensor};
    # fn latency(model: &Linear, x: Tensor<2>, device: &Device) -> Duration {
    let start = Instant::now();
    let _scores = model.forward(x);
    device.sync().unwrap();
    start.elapsed()
    # }

## Clean
    # use std::time::{Duration, Instant};
    # use burn::nn::Linear;
    # use burn::tensor::{Device, Tensor};
    # fn latency(model: &Linear, x: Tensor<2>, device: &Device) -> Duration {
    let _warm = model.forward(x.clone());
    device.sync().unwrap();
    let start = Instant::now();
    let _scores = model.forward(x);
    device.sync().unwrap();
    start.elapsed()
    # }

## Known gaps
The first run may be somewhere else, as in the caller, or its time may be what is asked for: hence pedantic. Sections within a loop
are left alone, and of several times that are taken since one start the first is reported.

## References
cubecl-runtime 0.11.3, src/tune.
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/timing-includes-first-run/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL613",
    "timing-includes-first-run",
    group="pedantic",
    symptom="silent",
    severity="note",
    confidence="medium",
    pitfalls=("B21",),
    burn=">=0.13",
    proven=("0.22.1",),
    listens=("elapsed", "duration_since"),
)


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    told = set()
    for section in file.timed_sections():
        if section.start in told:
            continue
        if section.start.loop is None and section.waits and section.first_run is not None:
            told.add(section.start)
            yield (
                Finding(
                    section.end.name_place,
                    "the first run is timed: the time holds the compilation of kernels and the search for the best one",
                    help="run the same work once before the time starts, and wait for it",
                )
                .with_because(section.start.place, "the time starts here")
                .with_because(section.first_run.name_place, "not run before in this function")
            )
