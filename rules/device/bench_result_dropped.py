"""A timed element-wise result is dropped before the `sync`: a fusing back end never computes it, and the time is that of nothing.

## Why
With burn's feature `fusion`, which is on by default for the GPU back ends, element-wise operations are collected and computed
together when something needs them. A tensor that is dropped before that needs nothing: on a software Vulkan device 1.1 ms in place
of 10.6 ms for a chain over a million elements. A matmul is computed all the same, only what is element-wise around it is not.

## Fires
    # use std::time::{Duration, Instant};
    # use burn::tensor::Tensor;
    # fn timed(x: Tensor<2>) -> Duration {
    let device = x.device();
    let start = Instant::now();
    let _ = x.exp() + 1.0;
    device.sync().unwrap();
    start.elapsed()
    # }

## Clean
    # use std::time::{Duration, Instant};
    # use burn::tensor::Tensor;
    # fn timed(x: Tensor<2>) -> Duration {
    let device = x.device();
    let start = Instant::now();
    let _result = x.exp() + 1.0;
    device.sync().unwrap();
    start.elapsed()
    # }

## Known gaps
A result that is bound and goes out of its block before the `sync`, and one that a function drops, are not seen. Without the feature
`fusion` the work is done.

## References
burn-cubecl-fusion 0.22.1 and 0.21.0, src/engine/trace/base.rs and fuser.rs.
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/bench-result-dropped/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL615",
    "bench-result-dropped",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("B23",),
    burn=">=0.17",
    proven=("0.22.1",),
    listens=("elapsed", "duration_since", "criterion", "divan", "Bencher"),
)


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    for section in (*file.timed_sections(), *file.benchmarks()):
        for value in section.thrown_away():
            yield Finding(
                value.name_place,
                "this result is dropped before the device is waited for: with fusion it is never computed, and not timed",
                help="bind it to a name that lives until after the `sync`",
            )
