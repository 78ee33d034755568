"""A benchmark's closure queues work on the device and neither reads nor waits: it measures queueing, or nothing at all.

## Why
All back ends but Flex and NdArray return from an operation before it has run, and the closure ends there. With fusion the results
that the benchmark drops may never be computed. `black_box` keeps the tensor's handle, not the work behind it.

## Fires
    # use burn::tensor::Tensor;
    # #[cfg(feature = "criterion")]
    # fn bench(b: &mut criterion::Bencher, x: Tensor<2>) {
    b.iter(|| x.clone().matmul(x.clone()));
    # }

## Clean
    # use burn::tensor::Tensor;
    # #[cfg(feature = "criterion")]
    # fn bench(b: &mut criterion::Bencher, x: Tensor<2>) {
    let device = x.device();
    b.iter(|| {
        let product = x.clone().matmul(x.clone());
        device.sync().unwrap();
        product
    });
    # }

## Known gaps
Closures that call what is not in sight are left alone (methods of the input of `iter_batched` are, unless its type is spelt out),
and so are packages that can only be built with Flex or NdArray, and functions that name one of these. Only criterion, divan and
`test::Bencher` are known.

## References
burn-fusion 0.22.1, src/client.rs; burn-cubecl-fusion 0.22.1, src/engine/trace/base.rs (results that nobody keeps).
Run on 0.22.1 with a Vulkan device in software:
fixtures/device/bench-without-readback/gpu/proof.rs.
"""

from collections.abc import Iterator

from burnlint import FileView, Finding, Rule

RULE = Rule(
    "BL614",
    "bench-without-readback",
    symptom="silent",
    severity="warning",
    confidence="medium",
    pitfalls=("B23",),
    burn=">=0.13",
    proven=("0.22.1",),
    listens=("criterion", "divan", "Bencher"),
)


def check(file: FileView) -> Iterator[Finding]:
    if file.only_eager:
        return
    sync = "device.sync()" if file.burn_at_least("0.22") else "B::sync(&device)"
    for bench in file.benchmarks():
        if bench.only_queues:
            finding = Finding(
                bench.end.method_name,
                "nothing in this benchmark waits for the device: it measures how long the work takes to queue",
                help=f"keep the result, call `{sync}` and return it, or read it with `into_data()`",
            ).with_because(bench.queued[-1].name_place, "only queued, on all back ends but Flex and NdArray")
            if file.burn_at_least("0.22"):
                finding = finding.with_fix("wait for the device", *bench.synced, safe=False)
            yield finding
