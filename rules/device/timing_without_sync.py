"""A timed section never waits for the device: it measures how long it takes to queue the work, not to do it.

## Why
All back ends but Flex and NdArray return from an operation before it has run. Between `Instant::now()` and `elapsed()` nothing
reads a result and nothing calls `sync`, so the time that is printed is far too short, until the queue is full and some later round
takes all of it.

## PyTorch
`torch.cuda.synchronize()` before each reading of the clock.

## Fires
    # use std::time::{Duration, Instant};
    # use burn::nn::Linear;
    # use burn::tensor::Tensor;
    # fn latency(model: &Linear, x: Tensor<2>) -> Duration {
    let start = Instant::now();
    let _scores = model.forward(x);
    start.elapsed()
    # }

## Clean
    # use std::time::{Duration, Instant};
    # use burn::nn::Linear;
    # use burn::tensor::Tensor;
    # fn latency(model: &Linear, x: Tensor<2>) -> Duration {
    let device = x.device();
    let _warm = model.forward(x.clone());
    device.sync().unwrap();
    let start = Instant::now();
    let _scores = model.forward(x);
    device.sync().unwrap();
    start.elapsed()
    # }

## Known gaps
Packages that can only be built with Flex or NdArray are left alone: there the time is right. Sections that call what is not in
sight are left alone too, and so are starting times that are kept in a field, and times that are only compared with a limit.

## References
burn-tensor 0.22.1, src/device.rs (`sync`); burn-fusion 0.22.1, src/client.rs; burn-cubecl 0.22.1, src/backend.rs.
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/timing-without-sync/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL612",
    "timing-without-sync",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("B21",),
    burn=">=0.13",
    proven=("0.22.1",),
    listens=("elapsed", "duration_since"),
)


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    sync = "device.sync()" if file.burn_at_least("0.22") else "B::sync(&device)"
    for section in file.timed_sections():
        if section.only_queues:
            finding = (
                Finding(
                    section.end.name_place,
                    "nothing in this timed section waits for the device: it measures how long the work takes to queue",
                    help=f"call `{sync}` before the time is taken, and once before it starts",
                )
                .with_because(section.start.place, "the time starts here")
                .with_because(
                    section.queued[-1].name_place, "only queued, on all back ends but Flex and NdArray"
                )
            )
            if file.burn_at_least("0.22"):
                finding = finding.with_fix("wait for the device", *section.synced, safe=False)
            yield finding
